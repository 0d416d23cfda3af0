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
    guard let draft = drafts[keyPath] as? Draft<System.State, Value>, !isHandled(draft.ticket)
    else { return value }
    return draft.value
  }

  /// Notes what a binding has written by sending an event.
  ///
  /// Those who read the binding see it until the event is reduced. If that leaves the field other than it
  /// was written, whoever tracks the field is told then, unless he is told of a change already.
  func noteDraft<Value: Equatable & SendableMetatype>(
    _ written: Value, at keyPath: KeyPath<System.State, Value>, from before: Value,
    by ticket: Ticket
  ) {
    if isHandled(ticket) { return tellOfCorrection(of: written, at: keyPath, from: before) }
    // Key paths are immutable; only their type does not say so.
    nonisolated(unsafe) let path = keyPath
    var before = before
    add(
      Watcher(
        visible, value: { [unowned self] in (isHandled: isHandled(ticket), $0[keyPath: path]) },
        isUnchanged: { $0.isHandled == $1.isHandled && isUnchanged($0.1, $1.1) },
        notify: { [unowned self] look in
          guard isHandled(ticket) else {
            before = look.pointee[keyPath: path]
            return true
          }
          if drafts[path]?.ticket == ticket { drafts[path] = nil }
          tellOfCorrection(of: written, at: path, from: before)
          return false
        }))
    drafts[keyPath] = Draft(written, at: keyPath, ticket: ticket)
    tellOfDraft(at: keyPath)
  }

  private func tellOfCorrection<Value: Equatable & SendableMetatype>(
    of written: Value, at keyPath: KeyPath<System.State, Value>, from before: Value
  ) {
    let after = visible.pointee[keyPath: keyPath]
    if isUnchanged(before, after), !isUnchanged(after, written) { fields[keyPath]?.notify() }
  }

  /// Has the drafts follow a write that waits behind their events.
  ///
  /// - Returns: where they have another value now.
  func follow(_ write: (inout System.State) -> Void) -> [AnyKeyPath] {
    drafts.filter { $0.value.follow(write, in: visible.pointee) }.map(\.key)
  }

  /// Tells those who read a binding of its draft; within a turn they are told as the event is reduced.
  func tellOfDraft(at path: AnyKeyPath) {
    if !turnThread.isCurrent { draftCells.removeValue(forKey: path)?.notify() }
  }
}
