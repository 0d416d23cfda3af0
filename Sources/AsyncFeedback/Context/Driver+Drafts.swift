/// What a binding that sends an event has written, as long as the event waits.
final class Draft<State, Value: Equatable & SendableMetatype>: DraftProtocol {
  let ticket: Ticket
  private let path: KeyPath<State, Value>
  private(set) var value: Value

  init(_ value: Value, at path: KeyPath<State, Value>, ticket: Ticket) {
    self.ticket = ticket
    self.path = path
    self.value = value
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
    return draft(at: keyPath) ?? value
  }

  private func draft<Value: Equatable & SendableMetatype>(
    at keyPath: KeyPath<System.State, Value>
  ) -> Value? {
    guard let draft = drafts[keyPath] as? Draft<System.State, Value>, !isHandled(draft.ticket)
    else { return nil }
    return draft.value
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
    var before = visible.pointee[keyPath: keyPath]
    // Key paths are immutable; only their type does not say so.
    nonisolated(unsafe) let path = keyPath
    add(
      Watcher(
        visible, value: { [unowned self] in (isHandled: isHandled(ticket), $0[keyPath: path]) },
        isUnchanged: { $0.isHandled == $1.isHandled && isUnchanged($0.1, $1.1) },
        notify: { [unowned self] look in
          let after = look.pointee[keyPath: path]
          guard isHandled(ticket) else {
            before = after
            return true
          }
          if drafts[path]?.ticket == ticket { drafts[path] = nil }
          if isUnchanged(before, after), !isUnchanged(after, written) { fields[path]?.notify() }
          return false
        }))
    let shown = draft(at: keyPath) ?? before
    drafts[keyPath] = Draft(written, at: keyPath, ticket: ticket)
    if !isUnchanged(shown, written) { tellOfDraft(at: keyPath) }
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
