internal import AsyncFeedback

/// A source whose elements the test says, with a fresh sequence for each run.
///
/// ```swift
/// let feed = TestFeed<Int>()
/// let store = await StreamValue { feed.make() }
/// let running = Task { await store.run() }
/// let run = await feed.run(0)
/// await run.send(1)
/// print(await store.state.data ?? 0)  // 1
/// running.cancel()
/// await running.value
/// print(run.ending ?? .finished)  // cancelled
/// ```
///
/// A run begins when its sequence is first asked for an element. Waits have a limit of real time, a safety
/// net only; one that reaches it fails the test at its line. Feeds may be used from anywhere.
public final class TestFeed<Element: Sendable>: Sendable {
  /// One run: what the test says to one sequence, and what has become of it.
  public typealias Run = TestFeedRun<Element>

  private let bound: Int
  private let board: TestFeedBoard
  private let made = Lock<[Run]>([])

  /// Makes a feed that has not been asked for a sequence.
  ///
  /// - Parameters:
  ///   - bound: how many elements of one run may wait to be consumed; one more fails the test. Must be
  ///     positive.
  ///   - limit: how long a wait may take.
  public convenience init(
    bound: Int = 64, limit: Duration = .seconds(5), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      bound: bound,
      board: TestFeedBoard(
        FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column),
        limit: limit))
  }

  init(bound: Int, board: TestFeedBoard) {
    precondition(bound > 0, "bound must be positive (was \(bound))")
    self.bound = bound
    self.board = board
  }
}

extension TestFeed {
  /// Makes the sequence of one more run.
  public func make() -> TestFeedElements<Element> {
    TestFeedElements(makeRun())
  }

  /// Makes the sequence of one more run, as an object that ends it when it goes.
  public func makeEndingInDeinit() -> DeinitEndingSequence<Element> {
    DeinitEndingSequence(makeRun())
  }

  private func makeRun() -> Run {
    let run = Run(bound: bound, board: board)
    made.withLock { $0.append(run) }
    board.announce()
    return run
  }
}

extension TestFeed {
  /// The runs whose sequences have been made, the oldest first.
  public var runs: [Run] { made.withLock { $0 } }

  /// The newest run.
  ///
  /// There must be one; `run(_:)` waits for it.
  public var latest: Run {
    guard let run = runs.last else {
      preconditionFailure("a feed must have been asked for a sequence before its latest run is")
    }
    return run
  }

  /// Waits until a run has begun, and returns it.
  ///
  /// - Parameter index: which one, counted from 0.
  public func run(
    _ index: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Run {
    precondition(index >= 0, "index must not be negative (was \(index))")
    let hasBegun = await board.wait(
      until: { self.begun(index) != nil },
      else: {
        """
        Run \(index) of the feed has not begun within \(board.limit): \(self.runs.count) sequences were \
        made, and \(self.runs.filter(\.hasBegun).count) of them asked for an element.
        Does anything run what was given the sequence?
        """
      },
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    // The test has failed then, or is cancelled: it goes on with a run that nobody listens to.
    return hasBegun ? runs[index] : Run(bound: bound, board: board)
  }

  private func begun(_ index: Int) -> Run? {
    let runs = runs
    return runs.indices.contains(index) && runs[index].hasBegun ? runs[index] : nil
  }
}
