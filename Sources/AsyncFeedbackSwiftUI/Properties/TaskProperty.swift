#if canImport(SwiftUI)
  public import SwiftUI

  /// An operation that runs with the identity of a view.
  ///
  /// It is a part of another dynamic property, whose `update()` says what is to run:
  ///
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import Observation
  /// import SwiftUI
  ///
  /// @MainActor
  /// @propertyWrapper struct Greeting: @MainActor DynamicProperty {
  ///   @Observable final class Storage { var text = "…" }
  ///
  ///   let name: String
  ///   @State private var storage = Storage()
  ///   private var task = TaskProperty<String>()
  ///
  ///   init(of name: String) {
  ///     self.name = name
  ///   }
  ///
  ///   var wrappedValue: String { storage.text }
  ///
  ///   func update() {
  ///     task.update(id: name) { [weak storage, name] in
  ///       try? await Task.sleep(for: .seconds(1))
  ///       storage?.text = "Hello, \(name)"
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - **Start.** The operation begins with the first update, before that returns where the system can do so
  ///   (version 26 of Apple's systems, without an executor preference), else in a later turn. With an id
  ///   (`TaskProperty<String>()`) it is cancelled and begun anew, with what the closure captures then, when the
  ///   id has changed; without one (`TaskProperty()`) it begins once.
  /// - **End.** It is cancelled when the view has lost its identity and SwiftUI lets go of what was kept for it,
  ///   which may be somewhat later. That a view disappears is not the end of its identity: say `pause()` in
  ///   `onDisappear` and `resume()` in `onAppear`, after which it begins anew, whether it was cut off or had
  ///   finished.
  /// - **Captures.** Nothing keeps the closure but its running task. An operation without an end must not
  ///   capture the view or the property that this is part of: it would keep what keeps it. Capture what it
  ///   writes, weakly, as above.
  ///
  /// An operation that begins within the update does so while SwiftUI evaluates the view. What it reads up to
  /// its first suspension may count as read by the view, and a write to the state of a view belongs after it;
  /// so does its own `resume()`, which is one.
  @MainActor
  public struct TaskProperty<ID: Equatable>: DynamicProperty {
    private var storage = State(initialValue: TaskPropertyStorage<ID>())
    /// Read by each update, so that a change of it brings another about.
    private var resumptions = State(initialValue: 0)

    /// Makes a property of operations that belong to ids.
    public init() {}
  }

  extension TaskProperty {
    /// Begins the operation unless the one begun last belongs to the same id.
    ///
    /// - Parameters:
    ///   - id: what the operation depends on.
    ///   - name: of the task, for tools, where the system knows such names (version 26 of Apple's, Linux).
    ///   - priority: of the task; by default that of the code that calls.
    ///   - executorPreference: where code runs that is isolated to nothing.
    ///   - action: the operation; a closure has the isolation of the code that it is written in.
    public func update(
      id: ID, name: String? = nil, priority: TaskPriority? = nil,
      executorPreference: (any TaskExecutor)? = nil,
      @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) {
      _ = resumptions.wrappedValue
      storage.wrappedValue.update(
        id: id, name: name, priority: priority, executorPreference: executorPreference, action)
    }

    /// Cancels the operation, and begins none until `resume()`.
    public func pause() {
      storage.wrappedValue.pause()
    }

    /// Begins the operation anew, if it was paused or cancelled: in the update that this brings about.
    public func resume() {
      _ = resumeIfEnded()
    }

    /// - Returns: whether it was paused or cancelled.
    func resumeIfEnded() -> Bool {
      bringUpdateAbout(storage.wrappedValue.resume())
    }

    /// Begins the operation anew, in the update that this brings about, unless it is paused.
    ///
    /// - Returns: whether it does.
    func renew() -> Bool {
      bringUpdateAbout(storage.wrappedValue.renew())
    }

    private func bringUpdateAbout(_ isReady: Bool) -> Bool {
      if isReady { resumptions.wrappedValue += 1 }
      return isReady
    }

    /// Cancels the operation; the next that begins is that of another id, unless it is resumed.
    ///
    /// Nothing happens before the first update, and while it is paused.
    public func cancel() {
      storage.wrappedValue.cancel()
    }
  }

  extension TaskProperty where ID == EmptyEquatable {
    /// Makes a property of an operation that begins once.
    public init() {}

    /// Begins the operation, the first time.
    public func update(
      name: String? = nil, priority: TaskPriority? = nil,
      executorPreference: (any TaskExecutor)? = nil,
      @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) {
      update(
        id: EmptyEquatable(), name: name, priority: priority,
        executorPreference: executorPreference, action)
    }
  }
#endif
