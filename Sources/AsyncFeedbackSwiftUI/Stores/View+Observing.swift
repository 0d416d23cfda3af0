#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Runs a store while the view is on the screen.
    ///
    /// For a view that reads `stream.state` itself. A refresh and another store start anew; nil runs nothing,
    /// for a store that is made later.
    public func observing<Value: Sendable>(_ stream: StreamValue<Value>?) -> some View {
      task(id: stream?.runID) { await stream?.run() }
    }
  }
#endif
