import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct ShortestPathTests {
  private let failures = Failures()

  @Test func theShortestPathIsFound() async {
    let path = await shortestPath(
      of: Lamp(), from: .init(), events: [.dusted, .switched(on: false), .switched(on: true)]
    ) { $0.isBroken }
    #expect(
      path == [
        .send(.switched(on: true)), .send(.switched(on: false)), .send(.switched(on: true)),
        .send(.switched(on: false)), .send(.switched(on: true)),
      ])
  }

  @Test func timeIsPartOfThePath() async {
    let path = await shortestPath(
      of: { Search(policy: .latest, clock: $0) }, from: .init(), events: [.queryChanged("a")],
      advancingBy: [.milliseconds(500)]
    ) { $0.results == "results of a" }
    #expect(
      path == [
        .send(.queryChanged("a")), .advance(by: .milliseconds(500)),
        .advance(by: .milliseconds(500)),
      ])
  }

  @Test func whatARunWorksOnTellsTwoPlacesApart() async {
    let path = await shortestPath(
      of: { Desk(clock: $0) }, from: .init(), events: [.saved(1), .saved(2)]
    ) { $0.done == [2] }
    #expect(path == [.send(.saved(2)), .advance(by: .seconds(1))])
  }

  @Test func theOrderOfTheRunsTellsTwoPlacesApart() async {
    let path = await shortestPath(
      of: { Desk(clock: $0) }, from: .init(), events: [.saved(1), .saved(2)]
    ) { $0.done == [2, 1] }
    #expect(path == [.send(.saved(2)), .send(.saved(1)), .advance(by: .seconds(1))])
  }

  /// Saves numbers beside each other, a second each.
  private struct Desk: SystemProtocol {
    struct State: Hashable { var done: [Int] = [] }

    enum Event: Hashable {
      case saved(Int)
      case done(Int)
    }

    let clock: TestClock

    func reducer() -> Reducer {
      { state, event in
        if case .done(let number) = event { state.done.append(number) }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      Feedback.on({ if case .saved(let number) = $0 { number } else { nil } }, name: "save") {
        [clock] number async in
        try? await clock.sleep(for: .seconds(1))
        return .done(number)
      }
    }
  }

  @Test func nothingIsNeededWhereTheStateIsTheOneAlready() async {
    let path = await shortestPath(of: Lamp(), from: .init(), events: [.dusted]) { !$0.isOn }
    #expect(path == [])
  }

  @Test func thereIsNoPathWhenAllPlacesAreSeen() async {
    let path = await shortestPath(of: Lamp(), from: .init(), events: [.dusted]) { $0.isOn }
    #expect(path == nil)
  }

  @Test func thereIsNoPathBeyondTheLimit() async {
    let path = await shortestPath(
      of: Sample(), from: .init(), events: [.done(1)], limit: 5
    ) { $0.done.count == 5 }
    #expect(path == nil)
    let other = await shortestPath(
      of: Sample(), from: .init(), events: [.done(1)], limit: 6
    ) { $0.done.count == 5 }
    #expect(other?.count == 5)
  }

  @Test func whatFailsAContextEndsTheSearch() async {
    let path = await shortestPath(
      of: { _ in
        Sample(
          Feedback(
            .while(\.flag), name: "fail", fileID: "App/App.swift", line: 3, catch: { _ in nil }
          ) { _, _ async throws in
            throw CancellationError()
          })
      }, hasOwnClock: false, from: .init(), events: [.flag(true)], advancingBy: [], limit: 10,
      reporter: FailureReporter(fileID: "App/AppTests.swift", line: 12, column: 5) {
        [failures] message, place in failures.log.append((message, place.line))
      }
    ) { $0.n == 1 }
    #expect(path == nil)
    #expect(
      failures.messages == [
        """
        the search for a path ended, since these steps fail:
          .send(.flag(true))
        fail (App/App.swift:3) failed with an error that becomes no event: CancellationError()
        Its `catch` has returned nil: let it make an event of each error.
        state: State(n: 0, flag: true, done: [], flags: [])
        alive: nothing
        transcript:
          loop started
          #1 .flag(true) from App/AppTests.swift:12
            flag: false → true
            started fail (App/App.swift:3)
            failed with CancellationError(): fail (App/App.swift:3)
        """
      ])
  }
}
