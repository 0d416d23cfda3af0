extension Driver {
  /// Tells the watchers whose value has changed.
  ///
  /// A watcher that is added meanwhile saw the present state and is first told about the next change;
  /// one that ends here is still told about this one.
  @usableFromInline
  func watch() {
    if !writes.isEmpty { isPreviewStale = true }
    let look = visible
    let count = hot.pointee.watchers.count
    var ended: [Int] = []
    for index in 0..<count {
      let watcher = hot.pointee.watchers[index].takeUnretainedValue()
      if watcher.check(look, watcher.slot), !watcher.notify(look) { ended.append(index) }
    }
    for index in ended.reversed() { removeWatcher(at: index) }
  }

  func add(_ watcher: Watcher<System>) {
    removeRetired()
    hot.pointee.watchers.append(.passRetained(watcher))
  }

  private func removeWatcher(at index: Int) {
    hot.pointee.watchers.remove(at: index).release()
  }

  /// Removes the watchers of consumers that have gone.
  private func removeRetired() {
    let retired = retiredWatchers.withLock { retired in
      defer { retired.removeAll() }
      return Set(retired)
    }
    guard !retired.isEmpty else { return }
    for index in hot.pointee.watchers.indices.reversed() {
      let watcher = hot.pointee.watchers[index].takeUnretainedValue()
      if retired.contains(ObjectIdentifier(watcher)) { removeWatcher(at: index) }
    }
  }

  /// How many watchers there are.
  package var watcherCount: Int {
    removeRetired()
    return hot.pointee.watchers.count
  }
}

// MARK: - Fields

extension Driver {
  /// Reads a field, and has whoever tracks the read told of the field's next change.
  func read<Value>(_ keyPath: KeyPath<System.State, Value>, _ isUnchanged: @escaping @Sendable (Value, Value) -> Bool) -> Value {
    if let cell = fields[keyPath] {
      cell.access()
    } else {
      let cell = FieldCell()
      fields[keyPath] = cell
      cell.access()
      // Key paths are immutable; only their type does not say so.
      nonisolated(unsafe) let path = keyPath
      add(
        Watcher(
          visible, value: { $0[keyPath: path] }, isUnchanged: isUnchanged,
          notify: { [unowned self] _ in
            fields[path] = nil
            cell.notify()
            return false
          }))
    }
    return visible.pointee[keyPath: keyPath]
  }

  /// Tells those who track a field, once the event is reduced, if it left the field other than a binding
  /// wrote it. Whom it tells of a change already it does not tell again.
  func tellOfCorrection<Value: Equatable & SendableMetatype>(
    _ keyPath: KeyPath<System.State, Value>, from before: Value, written: Value, by ticket: Ticket
  ) {
    func tell(_ before: Value, _ after: Value) {
      if isUnchanged(before, after), !isUnchanged(after, written) { fields[keyPath]?.notify() }
    }
    if isHandled(ticket) { return tell(before, visible.pointee[keyPath: keyPath]) }
    // Key paths are immutable; only their type does not say so.
    nonisolated(unsafe) let path = keyPath
    var before = before
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
          tell(before, after)
          return false
        }))
  }
}
