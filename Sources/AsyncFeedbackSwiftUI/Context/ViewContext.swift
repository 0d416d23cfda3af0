#if canImport(SwiftUI)
  public import SwiftUI

  /// The context of a view.
  ///
  /// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import SwiftUI
  ///
  /// struct CounterScreen: View {
  ///   @ViewContext(state: .init(), system: Counter()) private var context
  ///
  ///   var body: some View {
  ///     VStack {
  ///       Text(context.message ?? "")
  ///       Stepper("Count \(context.count)", value: $context.count)
  ///       Button("Add") { context.send(.incremented) }
  ///     }
  ///     .running(_context)
  ///   }
  /// }
  /// ```
  ///
  /// - **Lifetime.** The context is made when it is first used, once for the identity of the view, however
  ///   often the view is initialised, and goes with it, when SwiftUI lets go of what it has kept for that
  ///   identity. Making one starts nothing. It is first used in the body or later, not in the initialiser of
  ///   the view, which belongs to no identity yet.
  /// - **Loop.** It runs while the view is on the screen, by `running(_:)` or by
  ///   `await _context.runFeedbackLoop()` in `task`. A view that disappears stops it; when it appears again,
  ///   what was cut off is evaluated anew and what had finished is not repeated (law 10).
  /// - **Reading.** `context.count` is invalidated by that field alone (law 13); `context[\.send]` reads a
  ///   field whose name a member of the context hides.
  /// - **Writing.** `$context.count` is a SwiftUI binding that reads its own write at once (law 12). A body that
  ///   makes it follows the field, also where only a view below shows it.
  /// - **Sending.** While the loop runs, an event is reduced before `send` returns, so `withAnimation` and
  ///   `send(_:animation:)` animate its change, and the next read sees it.
  @MainActor
  @propertyWrapper
  public struct ViewContext<System: SystemProtocol>: DynamicProperty {
    private enum Origin {
      case made(@MainActor () -> Context<System>)
      case given(Context<System>)
    }

    private let origin: Origin
    // Spelled as a type: the attribute is a property wrapper in some of Apple's kits and a macro in others.
    private var slot = State(initialValue: ContextSlot<System>())

    /// Makes a property that owns a context.
    ///
    /// The arguments are evaluated when the context is first used, and never again. Where that is in a body,
    /// what they read of an observable object counts as read by that body.
    ///
    /// - Parameters:
    ///   - state: the state to begin with.
    ///   - system: asked once for its reducer and its feedbacks.
    ///   - monitor: sees everything that happens, in order.
    public init(
      state: @autoclosure @escaping @MainActor () -> System.State,
      system: @autoclosure @escaping @MainActor () -> System,
      monitor: @autoclosure @escaping @MainActor () -> (any ContextMonitor)? = nil
    ) {
      origin = .made { Context(state: state(), system: system(), monitor: monitor()) }
    }

    /// Makes a property of a context that somebody else owns.
    ///
    /// It must live on the main actor's executor, as a context does that is told nothing else. A view below
    /// the owner takes it as an argument, or finds it in the environment:
    ///
    /// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
    /// ```swift
    /// import AsyncFeedbackSwiftUI
    /// import SwiftUI
    ///
    /// struct CounterRow: View {
    ///   @ViewContext var context: Context<Counter>
    ///
    ///   var body: some View {
    ///     Stepper("Count", value: $context.count)
    ///   }
    /// }
    ///
    /// struct CounterLabel: View {
    ///   @Environment(Context<Counter>.self) private var context
    ///
    ///   var body: some View {
    ///     @ViewContext var counter = context
    ///     Text("\(counter.count)")
    ///     CounterRow(context: counter)
    ///     Stepper("Count", value: $counter.count)
    ///   }
    /// }
    /// ```
    public init(wrappedValue: Context<System>) {
      origin = .given(wrappedValue)
    }

    /// The context.
    public var wrappedValue: Context<System> {
      switch origin {
      case .given(let context): context
      case .made(let make): slot.wrappedValue.context(make)
      }
    }

    /// Bindings to the fields of the state.
    public var projectedValue: ContextBindings<System> { ContextBindings(wrappedValue) }
  }

  extension ViewContext {
    /// Sends an event.
    ///
    /// See `Context.send(_:)`.
    @discardableResult
    public func send(
      _ event: System.Event, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Receipt {
      wrappedValue.send(event, fileID: fileID, line: line)
    }

    /// Sends an event and waits, after it was reduced, while the condition holds: for pull-to-refresh.
    ///
    /// Returns early when the waiting task is cancelled. Who awaits it holds the context meanwhile.
    public func send(
      _ event: System.Event, fileID: StaticString = #fileID, line: UInt = #line,
      suspendingWhile condition: @autoclosure @escaping @MainActor () -> Bool
    ) async {
      await wrappedValue.send(event, fileID: fileID, line: line, suspendingWhile: condition())
    }

    /// Runs the loop until the task is cancelled: for the view's `task`.
    ///
    /// See `Context.runFeedbackLoop()`.
    public func runFeedbackLoop() async {
      await wrappedValue.runFeedbackLoop()
    }
  }

  /// Keeps a context for the identity of a view.
  @MainActor
  private final class ContextSlot<System: SystemProtocol> {
    private var context: Context<System>?

    // A view may be initialised anywhere that it can be.
    nonisolated init() {}

    func context(_ make: () -> Context<System>) -> Context<System> {
      if let context { return context }
      let context = make()
      self.context = context
      return context
    }
  }
#endif
