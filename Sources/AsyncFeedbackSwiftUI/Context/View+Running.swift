#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Runs the loop of a context while the view is on the screen.
    ///
    /// It stops when the view disappears, and goes on when it appears again. Where several views run one
    /// context, nothing is doubled. Bodies see the priority of the view's task.
    public func running<System: SystemProtocol>(_ context: ViewContext<System>) -> some View {
      running(context.wrappedValue)
    }

    /// Runs the loop of a context while the view is on the screen; of another one, if another is given.
    public func running<System: SystemProtocol>(_ context: Context<System>) -> some View {
      task(id: ObjectIdentifier(context)) { await context.runFeedbackLoop() }
    }
  }
#endif
