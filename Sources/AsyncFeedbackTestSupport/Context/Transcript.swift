package import AsyncFeedback

/// Writes down what happens in a test's context, for the failures.
///
/// The lines are made when somebody reads them, so a test that passes pays for none.
package final class Transcript: ContextMonitor {
  /// The event that a record is of, if it is of one, and what makes its lines.
  private typealias Record = (event: Int?, lines: @Sendable () -> [String])

  /// An event that was reduced, or is about to be.
  private struct Reduced {
    let number: Int
    let event: any Sendable
    /// Whether a feedback has answered it.
    let isAnswer: Bool
    /// Whether the test has received it.
    var isReceived = false
  }

  private struct State {
    /// The records of the first few events.
    var first: [Record] = []
    var isFirstOver = false
    /// The latest records.
    var latest: [Record] = []
    /// The latest events.
    var events: [Reduced] = []
    var lastNumber = 0
    /// How many records between the first and the latest are not kept, and the events among them.
    var dropped = 0
    var droppedEvents: ClosedRange<Int>?
    /// The feedbacks that make events of errors.
    var catching: Set<Declaration> = []
    var jobs: [UInt64: JobIdentity] = [:]
    var faults: [String] = []
    var stop: (@Sendable () -> Void)?
    var next: (any ContextMonitor)?
  }

  /// How many of the latest records are kept; older ones are counted only.
  private static var limit: Int { 400 }

  /// How many events at the beginning are kept, with all that belongs to them.
  private static var firstEvents: Int { 3 }
  private static var firstLimit: Int { 30 }

  /// What takes the transcript of every test that finishes.
  ///
  /// A type of its own, since optimised code finds no metadata of a function type for a task-local value
  /// (Swift 6.3.1), and the process ends.
  package struct Output: Sendable {
    let write: @Sendable (String) -> Void

    package init(_ write: @escaping @Sendable (String) -> Void) {
      self.write = write
    }
  }

  /// Prints transcripts where the environment has `ASYNC_FEEDBACK_TRANSCRIPT`.
  @TaskLocal package static var output: Output? = outputOfProcess

  private static var outputOfProcess: Output? {
    guard ProcessEnvironment.value(of: "ASYNC_FEEDBACK_TRANSCRIPT") != nil else { return nil }
    return Output { print($0) }
  }

  private let state = Lock(State())

  package init() {}

  package func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    let number: Int? = if case .event(_, let number, _) = record { number } else { nil }
    append(event: number) { PrintMonitor.lines(of: record) }
    state.withLock { $0.next }?.receive(record)
    switch record {
    case .event(let event?, let number, let cause):
      let isAnswer = if case .feedback = cause { true } else { false }
      state.withLock { state in
        state.events.append(Reduced(number: number, event: event, isAnswer: isAnswer))
        if state.events.count > 2 * Self.limit { state.events.removeFirst(Self.limit) }
      }
    case .runStarted(let run):
      let job = DeterministicExecutor.current?.currentJob
      state.withLock { $0.jobs[run.number] = job }
    case .runFinished(let run), .runEnded(let run):
      forget(run)
    case .runFailed(let run, let error):
      forget(run)
      let advice =
        state.withLock { $0.catching.contains(run.feedback) }
        ? "Its `catch` has returned nil: let it make an event of each error."
        : "Give the feedback a `catch` that makes an event of it."
      fault("\(run) failed with an error that becomes no event: \(error)\n\(advice)")
    case .runaway(let report):
      fault("runaway loop: \(report)")
      // A step ends when nothing is ready, which would never be.
      state.withLock { $0.stop }?()
    default:
      break
    }
  }

  /// Writes down what a test did that is no event.
  package func note(_ line: String) {
    append { [line] }
  }

  private func append(event: Int? = nil, _ lines: @escaping @Sendable () -> [String]) {
    state.withLock { state in
      if let event { state.lastNumber = event }
      if (event ?? 0) > Self.firstEvents || state.first.count == Self.firstLimit {
        state.isFirstOver = true
      }
      guard state.isFirstOver else { return state.first.append((event, lines)) }
      state.latest.append((event, lines))
      guard state.latest.count > 2 * Self.limit else { return }
      let old = state.latest.prefix(state.latest.count - Self.limit)
      state.dropped += old.count
      let numbers = old.compactMap(\.event)
      if let first = numbers.first, let last = numbers.last {
        state.droppedEvents = (state.droppedEvents?.lowerBound ?? first)...last
      }
      state.latest.removeFirst(old.count)
    }
  }

  private func forget(_ run: RunInfo) {
    state.withLock { $0.jobs[run.number] = nil }
  }

  /// Notes a failure for the step that sees it.
  package func fault(_ text: String) {
    state.withLock { $0.faults.append(text) }
  }

  /// How many records there have been.
  package var count: Int {
    state.withLock { $0.first.count + $0.dropped + $0.latest.count }
  }

  /// The number of the latest event.
  package var lastNumber: Int { state.withLock(\.lastNumber) }

  /// Notes that the test has received the latest event.
  package func noteReceived() {
    state.withLock { state in
      guard let last = state.events.indices.last else { return }
      state.events[last].isReceived = true
    }
  }

  /// Notes which feedbacks make events of errors.
  package func noteCatching(_ feedbacks: some Sequence<Declaration>) {
    state.withLock { $0.catching.formUnion(feedbacks) }
  }

  /// The job as which the body of a run began, until it has ended.
  package func job(of run: RunInfo) -> JobIdentity? {
    state.withLock { $0.jobs[run.number] }
  }

  /// Has another monitor see the same.
  package func forward(to monitor: any ContextMonitor) {
    state.withLock { $0.next = monitor }
  }

  /// Has a runaway loop stopped.
  package func onRunaway(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stop = stop }
  }

  /// Whether there are failures that no step has reported yet.
  package var hasFaults: Bool { state.withLock { !$0.faults.isEmpty } }

  /// Takes the failures that no step has reported yet.
  package func takeFaults() -> [String] {
    state.withLock { state in
      defer { state.faults.removeAll() }
      return state.faults
    }
  }

  /// The numbers of the answers that the condition holds for and that the test has not received, as far as
  /// they are kept.
  package func numbers<Event>(where isWanted: (Event) -> Bool) -> [Int] {
    state.withLock(\.events)
      .filter { $0.isAnswer && !$0.isReceived && ($0.event as? Event).map(isWanted) ?? false }
      .map(\.number)
  }

  /// The event with this number, if it is kept.
  package func event(_ number: Int) -> (any Sendable)? {
    state.withLock(\.events).last { $0.number == number }?.event
  }
}

// MARK: - Lines

extension Transcript {
  /// A line, and the event that it is the first of.
  private typealias Line = (text: String, event: Int?)

  /// What has happened so far, a line each.
  package var lines: [String] { lines(last: .max) }

  /// The beginning and the end of what has happened, indented.
  package func text(last count: Int = .max) -> String {
    lines(last: count).map { "  \($0)" }.joined(separator: "\n")
  }

  private func lines(last count: Int) -> [String] {
    let state = state.withLock { $0 }
    let first = state.first.flatMap(Self.lines)
    let lines = first + state.latest.flatMap(Self.lines)
    let start = count < .max ? min(first.count, Self.firstLimit) : first.count
    let end = max(start, lines.count - max(0, count - start))
    guard state.dropped > 0 || end - start > 1 else { return lines.map(\.text) }
    let hidden = lines[start..<end]
    let numbers =
      hidden.compactMap(\.event)
      + (state.droppedEvents.map { [$0.lowerBound, $0.upperBound] } ?? [])
    var gap = "… \(hidden.count + state.dropped) lines"
    if let first = numbers.min(), let last = numbers.max() {
      gap =
        first == last
        ? "… 1 event, #\(first)" : "… \(last - first + 1) events, #\(first) to #\(last)"
    }
    return lines[..<start].map(\.text) + [gap] + lines[end...].map(\.text)
  }

  private static func lines(of record: Record) -> [Line] {
    record.lines().enumerated().map { ($0.element, $0.offset == 0 ? record.event : nil) }
  }
}
