extension Driver {
  /// Tells the watchers whose value has changed.
  ///
  /// A watcher that is added meanwhile saw the present state and is first told about the next change;
  /// one that ends here is still told about this one. A change that is shown by somebody who is told
  /// here is told once everybody knows of this one, so that all see the same order (law 2).
  @usableFromInline
  func watch() {
    isWatchWanted = true
    guard !isWatching else { return }
    isWatching = true
    defer { isWatching = false }
    while isWatchWanted {
      isWatchWanted = false
      watchOnce()
    }
    if hasRetired { removeRetired() }
  }

  private func watchOnce() {
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
    // Those who are told of a change right now are counted by their places.
    if isWatching { hasRetired = true } else { removeRetired() }
    hot.pointee.watchers.append(.passRetained(watcher))
  }

  private func removeWatcher(at index: Int) {
    hot.pointee.watchers.remove(at: index).release()
  }

  /// Removes the watchers of consumers that have gone.
  private func removeRetired() {
    hasRetired = false
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

  /// Tells those who track a field that it is not what they wrote.
  func notify(_ keyPath: AnyKeyPath) {
    fields[keyPath]?.notify()
  }
}
