import AsyncFeedbackTestSupport
import Foundation
import Testing

@testable import AsyncFeedback

/// Something of which the living are counted.
final class Token: Sendable {
  /// How many tokens live, and how many lived at once at the most.
  final class Census: Sendable {
    private let state = Lock((living: 0, most: 0))

    var living: Int { state.withLock { $0.living } }
    var most: Int { state.withLock { $0.most } }

    fileprivate func add(_ count: Int) {
      state.withLock { state in
        state.living += count
        state.most = max(state.most, state.living)
      }
    }
  }

  private let census: Census

  init(_ census: Census) {
    self.census = census
    census.add(1)
  }

  deinit {
    census.add(-1)
  }
}

extension Driver {
  /// How much is kept in the registries that are to be empty when nothing runs.
  fileprivate func leftovers(on lane: isolated Lane) -> [String: Int] {
    let slots = hot.pointee.machine.members.reduce(0) { count, member in
      count + member.keyedSlots.count + (member.slot.isEmpty ? 0 : 1)
    }
    let counts: [(String, Int)] = [
      ("runs", hot.pointee.machine.runs.count), ("due", hot.pointee.due.isEmpty ? 0 : 1),
      ("withdrawn", hot.pointee.machine.withdrawn.count),
      ("answered", hot.pointee.machine.endedCount),
      ("slots", slots), ("cut off", hot.pointee.machine.cutOff.count), ("records", records.count),
      ("outlets", outlets.count), ("followed", followed.count),
      ("parents", parents.count), ("queue", hot.pointee.queued), ("watchers", watcherCount),
    ]
    return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
  }
}

/// The sizes of the cases, in full where the environment asks for them with `FULL_SIZES`.
///
/// What they show does not depend on the size, and unoptimised code takes its time.
enum Sizes {
  static let isFull = ProcessInfo.processInfo.environment["FULL_SIZES"] != nil
  static let events = isFull ? 1_000_000 : 20_000
  static let keys = isFull ? 100_000 : 5_000
}

@Suite("Memory") struct MemoryTests {
  @Test("G3: consumers that come and go leave nothing behind")
  func g3() async {
    let context = Context(state: 0, system: ChangeSystem<Int> {}, executor: .background)
    let running = context.start()
    await context.quiet()
    for number in 0..<1_000 {
      let received = Signal()
      let consumer = Task {
        var values = context.values(of: \.self).makeAsyncIterator()
        _ = await values.next()
        received.give()
        // Nothing changes, so only the cancellation ends this wait.
        _ = await values.next()
      }
      _ = await received.wait()
      if number.isMultiple(of: 2) { await context.send(Change { _ in }).value }
      consumer.cancel()
      await consumer.value
    }
    let driver = context.driver
    #expect(await driver.leftovers(on: driver.lane) == [:])
    running.stop()
    await running.ended()
  }

  @Test("G3: receipts and waits that are given up leave nothing behind")
  func g3Waits() async {
    let context = Context(state: 0, system: ChangeSystem<Int> {}, executor: .background)
    for _ in 0..<100 {
      let receipt = context.send(Change { _ in })
      let waits = [
        Task { await receipt.value }, Task { await receipt.settled() },
        Task { await context.quiet() },
      ]
      for wait in waits { wait.cancel() }
      for wait in waits { await wait.value }
    }
    let running = context.start()
    await context.quiet()
    let driver = context.driver
    #expect(await driver.leftovers(on: driver.lane) == [:])
    #expect(!driver.bench.isOccupied)
    running.stop()
    await running.ended()
  }

  /// Makes tokens without ever suspending.
  struct Tokens: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    let census: Token.Census
    var next = 0

    func makeAsyncIterator() -> Self { self }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Token? {
      guard next < count else { return nil }
      next += 1
      return Token(census)
    }

    mutating func next() async -> Token? { await next(isolation: nil) }
  }

  @Test("G4: a feedback that feeds a million events keeps nothing of them")
  func g4() async {
    let census = Token.Census()
    let context = Context(
      state: 0,
      system: ClosureSystem<Int, Token>(
        reduce: { count, _ in count += 1 },
        list: [
          Feedback.stream {
            Tokens(count: Sizes.events, census: census)
          } event: {
            $0
          }
        ]),
      executor: .background)
    let running = context.start()
    await context.quiet()
    #expect(await context.state == Sizes.events)
    #expect(census.most <= 1_000, "elements that lived at once")
    #expect(census.living == 0)
    let driver = context.driver
    #expect(await driver.leftovers(on: driver.lane) == [:])
    running.stop()
    await running.ended()
  }

  struct Row: Identifiable, Sendable {
    let id: Int
    let token: Token
  }

  enum Form: CaseIterable, Sendable {
    case synchronous, asynchronous, waiting, paced, updating, queued
  }

  private func feedback(_ form: Form, _ clock: TestClock) -> Feedback<ChangeSystem<[Row]>> {
    switch form {
    case .synchronous:
      Feedback.each(\.self) { _ in Change { _ in } }
    case .asynchronous:
      Feedback.each(\.self) { _ async in Change { _ in } }
    case .waiting, .queued:
      Feedback.each(\.self, policy: form == .queued ? .queued : .latest) { row in
        try? await clock.sleep(for: .seconds(1_000))
        return Change { _ in }
      }
    case .paced:
      Feedback.each(\.self) { _ in Change { _ in } }.debounced(for: .seconds(5), clock: clock)
    case .updating:
      Feedback.eachUpdating(\.self) { rows, send in
        for await _ in rows { send(Change { _ in }) }
      }
    }
  }

  @Test(
    "G8: a hundred thousand keys that come and go leave nothing behind", arguments: Form.allCases)
  func g8(_ form: Form) async {
    let census = Token.Census()
    let clock = TestClock()
    let context = Context(
      state: [Row](), system: ChangeSystem { feedback(form, clock) }, executor: .background)
    let running = context.start()
    let size = 500
    for round in 0..<Sizes.keys / size {
      let rows = (0..<size).map { Row(id: round * size + $0, token: Token(census)) }
      let receipt = context.send(.set(\.self, rows))
      await receipt.value
      if form == .asynchronous || form == .synchronous { await receipt.settled() }
    }
    await context.send(.set(\.self, [])).settled()
    await context.quiet()
    let driver = context.driver
    #expect(await driver.leftovers(on: driver.lane) == [:])
    #expect(clock.sleepers.isEmpty)
    #expect(census.living == 0)
    #expect(census.most <= 4 * size)
    running.stop()
    await running.ended()
  }

  @Test("G8: requests that come and go leave nothing behind")
  func g8Requests() async {
    let context = Context(
      state: Int?.none,
      system: ChangeSystem<Int?> {
        Feedback.request(\.self) { _ async in Change { _ in } }
        Feedback.on({ _ in 1 }, policy: .overlapping) { _ async in nil }
        Feedback.stream(\.self) { _ in
          AsyncStream<Int> { _ in }
        } event: { _ in
          nil
        }
      }, executor: .background)
    let running = context.start()
    for number in 0..<10_000 { context.send(.set(\.self, number)) }
    await context.send(.set(\.self, nil)).settled()
    await context.quiet()
    let driver = context.driver
    #expect(await driver.leftovers(on: driver.lane) == [:])
    running.stop()
    await running.ended()
  }

  @Test("G3: the closure of a consumer that has gone is let go though nothing happens")
  func g3Closure() async {
    let context = Context(state: 0, system: ChangeSystem<Int> {}, executor: .background)
    let running = context.start()
    var kept: Journal<Int>? = Journal()
    let isKept = WeakReference(kept!)
    let received = Signal()
    let consumer = Task { [kept = kept!] in
      var values = context.values(of: {
        kept.note($0); return $0
      }).makeAsyncIterator()
      _ = await values.next()
      received.give()
      _ = await values.next()
    }
    kept = nil
    _ = await received.wait()
    consumer.cancel()
    await consumer.value
    // What was asked of the lane before this is done.
    let driver = context.driver
    _ = await driver.leftovers(on: driver.lane)
    #expect(isKept.object == nil)
    running.stop()
    await running.ended()
  }

  @Test(
    "G4: an event that a feedback does not react to is not kept",
    arguments: [Policy.dropping, .queued(waiting: 0)])
  func g4Payload(policy: Policy) async {
    let gate = Gate()
    let begun = Tally()
    let system = ClosureSystem<Int, Journal<Int>>(
      { _, _ in },
      feedbacks: [
        Feedback.on({ $0 }, policy: policy) { (_: Journal<Int>) in
          begun.increment()
          await gate.pass()
          return nil
        }
      ])
    let context = Context(state: 0, system: system, executor: .background)
    let running = context.start()
    context.send(Journal())
    await begun.reaches(1)
    var payload: Journal<Int>? = Journal()
    let isKept = WeakReference(payload!)
    await context.send(payload!).value
    payload = nil
    gate.open()
    await context.quiet()
    #expect(begun.count == 1)
    #expect(isKept.object == nil)
    running.stop()
    await running.ended()
  }
}
