/// What a binding that sends an event has written, as long as the event waits.
final class Draft<State, Value: Equatable & SendableMetatype>: DraftProtocol {
  private let path: KeyPath<State, Value>
  private(set) var ticket: Ticket
  private var written: Value
  /// What the binding reads.
  private(set) var value: Value
  /// What the field has, as far as those who track it have been told.
  var field: Value

  init(_ written: Value, at path: KeyPath<State, Value>, ticket: Ticket, field: Value) {
    self.path = path
    self.ticket = ticket
    self.written = written
    value = written
    self.field = field
  }

  /// Takes a newer write; what becomes of the older is none of the binding's any more.
  func renew(_ written: Value, ticket: Ticket) {
    self.ticket = ticket
    self.written = written
    value = written
  }

  /// Whether those who track the field have to be told of a value, though they have seen it already.
  func isCorrected(by value: Value) -> Bool {
    isUnchanged(field, value) && !isUnchanged(value, written)
  }

  func follow(_ write: (inout State) -> Void, in state: State) -> Bool {
    var state = state
    // What is reached through a reference is nobody's copy.
    if !(path is ReferenceWritableKeyPath<State, Value>),
      let path = path as? WritableKeyPath<State, Value>
    {
      state[keyPath: path] = value
    }
    let before = state[keyPath: path]
    write(&state)
    let after = state[keyPath: path]
    guard !isUnchanged(before, after) else { return false }
    value = after
    return true
  }
}

/// A draft of a field of any type.
protocol DraftProtocol<State>: AnyObject {
  associatedtype State

  /// The event's.
  var ticket: Ticket { get }

  /// Takes over what a write that comes behind the event makes of the field.
  ///
  /// - Returns: whether the draft has another value now.
  func follow(_ write: (inout State) -> Void, in state: State) -> Bool
}

extension Driver {
  /// Reads a field for a binding that sends an event: what that has written last, as long as the event
  /// waits (law 12).
  func readDraft<Value: Equatable & SendableMetatype>(
    of keyPath: KeyPath<System.State, Value>
  ) -> Value {
    let cell = draftCells[keyPath] ?? FieldCell()
    draftCells[keyPath] = cell
    cell.access()
    let value = read(keyPath) { isUnchanged($0, $1) }
    return draft(at: keyPath)?.value ?? value
  }

  private func draft<Value: Equatable & SendableMetatype>(
    at keyPath: KeyPath<System.State, Value>
  ) -> Draft<System.State, Value>? {
    guard let draft = drafts[keyPath] as? Draft<System.State, Value>, !isHandled(draft.ticket)
    else { return nil }
    return draft
  }

  /// Notes what a binding has written by sending an event.
  ///
  /// Those who read the binding see it until the event is reduced. If that leaves the field other than it
  /// was written, whoever tracks the field is told then, unless he is told of a change already.
  ///
  /// - Parameter cell: the field's as the event was sent; it is another one if it has told of a change.
  func noteDraft<Value: Equatable & SendableMetatype>(
    _ written: Value, at keyPath: KeyPath<System.State, Value>, of cell: FieldCell?,
    by ticket: Ticket
  ) {
    if isHandled(ticket) {
      // Where nobody looks, the event may have taken away what the path leads to.
      guard let cell, cell === fields[keyPath] else { return }
      if !isUnchanged(visible.pointee[keyPath: keyPath], written) { cell.notify() }
      return
    }
    if let draft = draft(at: keyPath) {
      let shown = draft.value
      draft.renew(written, ticket: ticket)
      if !isUnchanged(shown, written) { tellOfDraft(at: keyPath) }
      return
    }
    let field = visible.pointee[keyPath: keyPath]
    let draft = Draft(written, at: keyPath, ticket: ticket, field: field)
    drafts[keyPath] = draft
    add(watcher(of: draft, at: keyPath))
    if !isUnchanged(field, written) { tellOfDraft(at: keyPath) }
  }

  private func watcher<Value: Equatable & SendableMetatype>(
    of draft: Draft<System.State, Value>, at keyPath: KeyPath<System.State, Value>
  ) -> Watcher<System> {
    // Key paths are immutable, and a draft is reached on the executor alone; only their types do not say so.
    nonisolated(unsafe) let (path, draft) = (keyPath, draft)
    return Watcher(
      visible, value: { [unowned self] in (isHandled: isHandled(draft.ticket), $0[keyPath: path]) },
      isUnchanged: { $0.isHandled == $1.isHandled && isUnchanged($0.1, $1.1) },
      notify: { [unowned self] look in
        let value = look.pointee[keyPath: path]
        guard isHandled(draft.ticket) else {
          draft.field = value
          return true
        }
        if drafts[path] === draft { drafts[path] = nil }
        if draft.isCorrected(by: value) { fields[path]?.notify() }
        return false
      })
  }

  /// Has the drafts follow a write that waits behind their events.
  ///
  /// - Returns: where they have another value now.
  func follow(_ write: (inout System.State) -> Void) -> [AnyKeyPath] {
    drafts.filter { $0.value.follow(write, in: visible.pointee) }.map(\.key)
  }

  /// Tells those who read a binding of its draft; within a turn they are told as the event is reduced, or at
  /// the end of the turn.
  func tellOfDraft(at path: AnyKeyPath) {
    if turnThread.isCurrent {
      isTellingDue = true
      untoldDrafts.insert(path)
    } else {
      draftCells.removeValue(forKey: path)?.notify()
    }
  }
}
