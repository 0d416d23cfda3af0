#if canImport(SwiftUI)
  public import SwiftUI

  extension Context {
    /// Sends an event, and animates what it changes.
    ///
    /// While the loop runs that is all that the turn of the event changes, so also what bodies without an
    /// `await` answer; what comes later is not animated. See `send(_:)`.
    ///
    /// - Parameter animation: nil changes at once.
    @MainActor
    @discardableResult
    public func send(
      _ event: System.Event, animation: Animation?, fileID: StaticString = #fileID,
      line: UInt = #line
    ) -> Receipt {
      withAnimation(animation) { send(event, fileID: fileID, line: line) }
    }
  }

  extension ViewContext {
    /// Sends an event, and animates what it changes.
    ///
    /// See `Context.send(_:animation:)`.
    @discardableResult
    public func send(
      _ event: System.Event, animation: Animation?, fileID: StaticString = #fileID,
      line: UInt = #line
    ) -> Receipt {
      wrappedValue.send(event, animation: animation, fileID: fileID, line: line)
    }
  }
#endif
