/// The one consumption of a store's sequence that all runs of the store share.
///
/// It is open while somebody has a share in it. When the last share is given up, or the store wants another
/// consumption or goes, it closes for good: its task is cancelled and everybody who waits at it goes on.
package final class Consumption: Sendable {
  private struct State {
    var shares: [ObjectIdentifier: Waiter] = [:]
    var isOpen = true
    var task: Task<Void, Never>?
  }

  private let state = Lock(State())

  private init() {}

  /// An consumption with the first share in it.
  static func open() -> (consumption: Consumption, share: Share) {
    let consumption = Consumption()
    let share = Share(at: consumption)
    consumption.state.withLock { $0.shares[ObjectIdentifier(share)] = share.waiter }
    return (consumption, share)
  }

  /// Whether what comes out of the sequence still counts.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Gives the consumption the task that consumes the sequence.
  func begin(_ task: Task<Void, Never>) {
    let isOpen = state.withLock { state in
      if state.isOpen { state.task = task }
      return state.isOpen
    }
    if !isOpen { task.cancel() }
  }

  /// One more share; nil if the consumption is closed.
  func takeShare() -> Share? {
    let share = Share(at: self)
    let isOpen = state.withLock { state in
      if state.isOpen { state.shares[ObjectIdentifier(share)] = share.waiter }
      return state.isOpen
    }
    return isOpen ? share : nil
  }

  /// Ends the consumption, from anywhere.
  func close() {
    let (task, waiters) = state.withLock { state in
      state.isOpen = false
      defer { state.shares.removeAll() }
      return (state.task.take(), Array(state.shares.values))
    }
    task?.cancel()
    for waiter in waiters { waiter.resume() }
  }

  fileprivate func giveUp(_ share: ObjectIdentifier) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.shares.removeValue(forKey: share) != nil, state.shares.isEmpty else { return nil }
      state.isOpen = false
      return state.task.take()
    }
    task?.cancel()
  }
}

/// The hold of one run on a consumption, given up when it goes.
package final class Share: Sendable {
  fileprivate let waiter = Waiter()
  private let consumption: Consumption

  fileprivate init(at consumption: Consumption) {
    self.consumption = consumption
  }

  deinit {
    giveUp()
  }

  /// Waits until the consumption closes.
  ///
  /// A task that is cancelled gives the share up and goes on at once.
  package func hold(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the lane.
      _ = isolation
      await waiter.waitUncancelled()
    } onCancel: {
      giveUp()
    }
  }

  /// Leaves the consumption, from anywhere and before this returns.
  package func giveUp() {
    consumption.giveUp(ObjectIdentifier(self))
    waiter.resume()
  }
}
