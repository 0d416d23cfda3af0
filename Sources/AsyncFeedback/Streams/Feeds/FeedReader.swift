/// The consumer's end of one iteration: it starts the producer, and stops it when it goes.
@usableFromInline
package final class FeedReader<Element: Sendable, Failure: Error> {
  typealias Begin = @Sendable ((any Actor)?, FeedDrain<Element>) -> any FeedRun<Element>

  private var begin: Begin?
  private var run: (any FeedRun<Element>)?
  /// What may be claimed without looking.
  @usableFromInline let drain = FeedDrain<Element>()

  init(begin: @escaping Begin) {
    self.begin = begin
  }

  deinit {
    run?.stop()
  }

  /// Waits for the next element, and passes gaps.
  @usableFromInline
  func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
    while case .some(let step) = try await step(tellingGaps: false, isolation: actor) {
      if case .element(let element) = step { return element }
    }
    return nil
  }

  /// Waits for the next element or gap.
  func step(
    tellingGaps: Bool, isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> FeedStep<Element>? {
    while !Task.isCancelled {
      guard let run = started(by: actor) else { return nil }
      switch run.look(tellingGaps: tellingGaps) {
      case .element(let element): return .element(element)
      case .gap(let count): return .gap(count)
      case .nothing(let deadline): await run.wait(until: deadline)
      case .ended(let failure):
        end()
        // Only a failure of this type can have been given to the input.
        if let failure = failure as? Failure { throw failure }
        return nil
      }
    }
    end()
    return nil
  }

  private func started(by actor: (any Actor)?) -> (any FeedRun<Element>)? {
    if let begin = begin.take() { run = begin(actor, drain) }
    return run
  }

  private func end() {
    begin = nil
    run.take()?.stop()
  }
}
