#if canImport(FoundationNetworking)
  internal import Foundation

  /// An operation queue that runs what it gets on the spot, in the thread of the caller.
  ///
  /// As the queue of a session's delegate it makes the bound of what is received one that holds.
  /// FoundationNetworking queues every piece that it receives, and goes on receiving: pieces that wait for
  /// their turn in the queue are seen and counted by nobody. In place each is counted as it comes.
  ///
  /// What runs there must not wait: all sessions of the process share one thread.
  // Stores nothing of its own.
  final class InPlaceQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ operation: Operation) {
      operation.start()
    }
  }
#endif
