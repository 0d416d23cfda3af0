import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

// The lines by which the package is known to its users, as they write them. What compiles here must not
// change its spelling.

struct SurfaceCounter: SystemProtocol {
  struct State: Equatable {
    var count = 1
    var message: String?
    var isLoading = false
    var query = ""
    var page: Int?
    var rows: [Row] = []
    /// A field whose name a member of the context hides.
    var send = ""
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Int }

  enum Event: Equatable {
    case countChanged(Int)
    case messageChanged(String?)
    case loaded(String)
    case failed(String)
    case ticked
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .countChanged(let count): state.count = count
      case .messageChanged(let message): state.message = message
      case .loaded(let message): state.message = message
      case .failed(let message): state.message = message
      case .ticked: state.count += 1
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    .onCountChanged
  }
}

extension Feedback where System == SurfaceCounter {
  static var onCountChanged: Self {
    Feedback(.onChanged(\.count)) { state in
      guard state.count.isMultiple(of: 3) else { return .messageChanged(nil) }
      return .messageChanged("multiple of 3!!")
    }
  }
}

/// A system whose feedbacks are an array literal.
struct SurfaceArray: SystemProtocol {
  typealias State = SurfaceCounter.State
  typealias Event = SurfaceCounter.Event

  func reducer() -> Reducer { { _, _ in } }

  func feedbacks() -> [Feedback<Self>] {
    [
      Feedback(.once) { state in .messageChanged("\(state.count)") },
      Feedback(.onChanged(\.count)) { state async in .messageChanged("\(state.count)") },
    ]
  }
}

/// Has every trigger, body, policy and modifier; it is only compiled and never run.
struct SurfaceOfFeedbacks: SystemProtocol {
  typealias State = SurfaceCounter.State
  typealias Event = SurfaceCounter.Event

  let clock: any Clock<Duration>
  let isVerbose: Bool

  func reducer() -> Reducer { { _, _ in } }

  func feedbacks() -> [Feedback<Self>] {
    triggers
    families
    policies
    modifiers
    if isVerbose {
      Feedback(.once) { _ in .ticked }
    }
  }

  private var triggers: [Feedback<Self>] {
    [
      Feedback(.once) { _ in .ticked },
      Feedback(.onChanged(\.count)) { state in .messageChanged("\(state.count)") },
      Feedback(.onChanged(\.count, \.message)) { _ in nil },
      Feedback(.onChanged(\.rows, by: { $0.count == $1.count })) { _ in nil },
      Feedback(.filter { state in state.count > 3 }) { _ in .ticked },
      Feedback(.while(\.isLoading)) { _ async in .ticked },
      Feedback(.onChanged(\.query), name: "search", catch: { error in .failed("\(error)") }) {
        state in
        try await Self.load(state.query)
      },
      Feedback(.onChanged(\.query)) { state, send in
        for number in 0..<3 { send(.countChanged(number)) }
        await send(.ticked).value
        await send(.ticked).settled()
      },
      Feedback(.onChanged(\.query), catch: { error in .failed("\(error)") }) { state, send in
        send(try await Self.load(state.query))
      },
    ]
  }

  private var families: [Feedback<Self>] {
    [
      Feedback.on({ event in if case .loaded(let text) = event { text } else { nil } }) { text in
        .messageChanged(text)
      },
      Feedback.request(\.page) { page in .messageChanged("\(page)") },
      Feedback.request(\.page, catch: { error in .failed("\(error)") }) { page in
        try await Self.load("\(page)")
      },
      Feedback.each(\.rows) { row in .messageChanged("\(row.id)") },
      Feedback.eachUpdating(\.rows) { rows, send in
        for await row in rows { send(.messageChanged("\(row.id)")) }
      },
      Feedback.stream(\.page) { page in
        AsyncStream { $0.yield(page) }
      } event: { number in
        .countChanged(number)
      },
      Feedback.stream {
        AsyncThrowingStream<Int, any Error> { $0.finish() }
      } catch: { error in
        .failed("\(error)")
      } event: { number in
        .countChanged(number)
      },
      Feedback.every(.seconds(1), clock: clock) { .ticked },
      Feedback.every(.seconds(1), while: \.isLoading, clock: clock) { .ticked },
    ]
  }

  private var policies: [Feedback<Self>] {
    [
      Feedback(.onChanged(\.query), policy: .latest) { _ in nil },
      Feedback(.onChanged(\.query), policy: .latest(.afterCleanup)) { _ in nil },
      Feedback(.onChanged(\.query), policy: .overlapping) { _ in nil },
      Feedback(.onChanged(\.query), policy: .overlapping(limit: 3)) { _ in nil },
      Feedback(.onChanged(\.query), policy: .queued) { _ in nil },
      Feedback(.onChanged(\.query), policy: .dropping) { _ in nil },
    ]
  }

  private var modifiers: [Feedback<Self>] {
    [
      Feedback(.onChanged(\.query)) { _ in nil }.debounced(for: .seconds(1), clock: clock),
      Feedback(.onChanged(\.query)) { _ in nil }.throttled(for: .seconds(1), clock: clock),
      Feedback(.onChanged(\.query)) { _ in nil }
        .retrying(
          limit: 3,
          backoff: .exponential(from: .milliseconds(100), to: .seconds(10), jitterSeed: 1),
          clock: clock
        )
        .timingOut(after: .seconds(5), clock: clock),
      Feedback(.onChanged(\.query)) { _ in nil }.debounced(for: .seconds(1)),
    ]
  }

  private static func load(_ text: String) async throws -> Event { .loaded(text) }
}

@Suite("Surface") struct SurfaceTests {
  @MainActor @Test func aContextIsReadSentToAndBoundByTheNamesOfItsState() async {
    let context = Context(state: .init(), system: SurfaceCounter())
    #expect(!context.isRunning)
    let running: Running = context.start()
    #expect(context.isRunning)
    await context.quiet()
    let receipt: Receipt = context.send(.countChanged(3))
    await receipt.value
    await receipt.settled()
    #expect(context.count == 3)
    #expect(context.message == "multiple of 3!!")
    context.binding.count.wrappedValue = 4
    #expect(context.message == nil)
    #expect(context[\.send] == "")
    #expect(context[\.self].count == 4)
    let binding: ContextBinding<Int> = context.binding(\.count, sending: { .countChanged($0) })
    binding.wrappedValue = 5
    #expect(await context.state.count == 5)
    await context.send(.countChanged(6), suspendingWhile: context.message == nil)
    running.stop()
    await running.ended()
  }

  @Test func aLoopRunsInATask() async {
    let context = Context(state: .init(), system: SurfaceCounter(), executor: .background)
    let loop = Task { await context.runFeedbackLoop() }
    await context.send(.countChanged(3)).settled()
    for await message in context.values(of: \.message) {
      #expect(message == "multiple of 3!!")
      break
    }
    loop.cancel()
    await loop.value
  }

  @Test func executorsMonitorsAndLimitsAreGivenAtTheStart() {
    let contexts = [
      Context(state: .init(), system: SurfaceCounter(), executor: .main),
      Context(state: .init(), system: SurfaceCounter(), executor: .background),
      Context(
        state: .init(), system: SurfaceCounter(), executor: .serial(DeterministicExecutor()),
        monitor: PrintMonitor(), runawayLimit: nil),
    ]
    #expect(contexts.allSatisfy { !$0.isRunning })
  }

  @Test func theChainOfATestContext() async {
    await TestContext(state: .init(), system: SurfaceCounter())
      .run()
      .send(.countChanged(2))
      .do {}
      .check { state in
        #expect(state.count == 2)
      }
      .send(.countChanged(3))
      .suspend(while: \.isLoading)
      .check { #expect($0.message == "multiple of 3!!") }
      .finish()
  }

  @Test func aTestContextIsReadAndBound() async {
    let context = TestContext(state: .init(), system: SurfaceCounter())
    _ = context.run()
    context.eventBinding.count.wrappedValue = 3
    #expect(context.state.count == 3)
    await context.settle().finish()
  }

  // On the main actor the task has had its turn when the test gets its next, however long that takes.
  @MainActor @Test func aTestClock() async throws {
    let clock = TestClock(initialInstant: .zero)
    let task = Task { try await clock.sleep(id: "blink", for: .seconds(1)) }
    try await clock.sleep(untilSuspendBy: "blink")
    #expect(clock.isSleeping(id: "blink"))
    clock.advance(by: .seconds(1))
    try await task.value
  }
}
