import Synchronization

/// What the nodes of one host share.
@MainActor
final class Screen {
  let schedule = Schedule()
  /// What has been evaluated, and is to be told that it is shown.
  var changed: [Node] = []
  /// What is no longer there.
  var gone: [Node] = []
  /// Whether another screen lies over everything, so that nothing is shown.
  var isCovered = false

  /// Lets views go and come, after everything is evaluated.
  func settle() {
    let (gone, changed) = (gone, changed)
    self.gone = []
    self.changed = []
    for node in gone { node.hide() }
    if !isCovered { for node in changed { node.show() } }
  }
}

/// Asks for an evaluation in one of the next turns of the main actor.
final class Schedule: Sendable {
  private let isRequested = Atomic(false)
  private let stream = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  func request() {
    guard !isRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
    stream.continuation.yield()
  }

  func begin() {
    isRequested.store(false, ordering: .releasing)
  }

  var requests: AsyncStream<Void> { stream.stream }
}
