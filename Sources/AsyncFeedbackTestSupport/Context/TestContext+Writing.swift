public import AsyncFeedback

extension TestContext {
  /// Writes a field as a view's binding does, and waits until the write is applied and the feedbacks of what
  /// it changes have reacted.
  ///
  /// Answers go as with `send(_:)`. Outside of a chain `eventBinding` does the same.
  ///
  /// - Parameters:
  ///   - field: the field.
  ///   - value: what is written.
  ///   - claim: makes, in the state before the write, the whole change that is left of it; see `send(_:)`.
  @discardableResult
  public nonisolated(nonsending) func write<Value>(
    _ field: WritableKeyPath<System.State, Value>, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ claim: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let subject = "the write of \(describe(value))"
    guard admits("`write`", at: place) else { return self }
    await goOn("\(describe(value)) was written", at: place)
    let before = state
    context.driver.queue { $0[keyPath: field] = value }
    if context.isRunning { await take(1) }
    if claim != nil { hasClaimed = true }
    guard !reportFaults(at: place), let claim else { return self }
    verifyIfRunning(Claim(change: claim), of: subject, from: before, at: place)
    return self
  }
}
