import AsyncFeedbackTestSupport
import Testing

@testable import AsyncFeedback

@Suite("Cases C: the memory of a chain") struct ChainMemoryTests {
  private struct Relay: SystemProtocol {
    struct Runner: Identifiable, Equatable {
      let id: Int
      var lap = 0
    }
    struct State { var runners = [Runner(id: 0), Runner(id: 1)] }
    enum Event { case lapEnded(Int) }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .lapEnded(let runner): state.runners[runner].lap += 1
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      Feedback.each(\.runners) { runner in .lapEnded(runner.id) }
    }
  }

  private struct Silence: ContextMonitor {
    func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {}
  }

  @Test(
    "C1: chains through an each, whose queue is never empty, keep nothing of their steps",
    arguments: [false, true])
  func chainThroughAnEach(isMonitored: Bool) {
    let executor = DeterministicExecutor()
    let context = Context(
      state: .init(), system: Relay(), executor: .serial(executor),
      monitor: isMonitored ? Silence() : nil, runawayLimit: nil)
    let running = context.start()
    let driver = context.driver
    for stretch in 1...20 {
      driver.allow(1_000)
      executor.runUntilIdle()
      #expect(driver.visible.pointee.runners.map(\.lap).reduce(0, +) == stretch * 1_000)
      #expect(driver.hot.pointee.machine.endedCount < 50)
      #expect(driver.hot.pointee.machine.withdrawn.count < 50)
      #expect(driver.reported.ended.count + driver.reported.older.count < 50)
    }
    running.stop()
    driver.allow(.max)
    executor.runUntilIdle()
  }
}
