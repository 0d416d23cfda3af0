extension Driver {
  /// Notes whether something is to be done after each transition: to tell those who watch, or to bring what
  /// readers see up to date.
  func noteWhetherWatched() {
    hot.pointee.isWatched = !watchers.isEmpty || !writes.isEmpty
  }

  /// Tells the watchers whose value has changed.
  ///
  /// A watcher that is added meanwhile saw the present state and is first told about the next change;
  /// one that ends here is still told about this one. A change that is shown by somebody who is told
  /// here is told once everybody knows of this one, so that all see the same order (law 2).
  @usableFromInline
  func watch() {
    if isWriteApplied {
      isWriteApplied = false
    } else if !writes.isEmpty {
      isPreviewStale = true
    }
    tellWatchers()
  }

  /// Tells the watchers whose value the newest write has changed, which waits for its turn.
  func tellWatchers() {
    isWatchWanted = true
    guard !isWatching else { return }
    isWatching = true
    while isWatchWanted {
      isWatchWanted = false
      watchOnce()
    }
    isWatching = false
    removeEnded()
  }

  /// Tells those who watch of what was written within a turn that is over, and waits for another one.
  func tellOfWaiting() {
    isTellingDue = false
    let paths = untoldDrafts
    untoldDrafts = []
    for path in paths where drafts[path].map({ !isHandled($0.ticket) }) ?? false {
      tellOfDraft(at: path)
    }
    if !writes.isEmpty { tellWatchers() }
  }

  private func watchOnce() {
    let look = visible
    for watcher in watchers {
      guard !watcher.hasEnded, watcher.check(look, watcher.slot) else { continue }
      if !watcher.notify(look) {
        watcher.hasEnded = true
        hasEndedWatchers = true
      }
    }
  }

  func add(_ watcher: Watcher<System>) {
    removeEnded()
    watchers.append(watcher)
  }

  /// Removes the watchers that have ended, and those of consumers that have gone.
  func removeEnded() {
    guard !isWatching, hasEndedWatchers || !retiredWatchers.isEmpty else { return }
    hasEndedWatchers = false
    let retired = retiredWatchers.takeAll()
    watchers.removeAll { $0.hasEnded || retired.contains(ObjectIdentifier($0)) }
  }

  /// How many watchers there are.
  package var watcherCount: Int {
    removeEnded()
    return watchers.count
  }
}

// MARK: - Fields

extension Driver {
  /// Reads a field, and has whoever tracks the read told of the field's next change.
  ///
  /// - Parameter places: those in collections through which the key path leads. If one may not be there any
  ///   more, that counts as a change: the path is not followed then.
  func read<Value>(
    _ keyPath: KeyPath<System.State, Value>,
    through places: [BindingPlace<System.State>] = [],
    _ isUnchanged: @escaping @Sendable (Value, Value) -> Bool
  ) -> Value {
    if let cell = fields[keyPath] {
      cell.access()
    } else {
      let cell = FieldCell()
      fields[keyPath] = cell
      cell.access()
      // Key paths are immutable; only their type does not say so.
      nonisolated(unsafe) let path = keyPath
      let isThere = places.map { check($0, visible.pointee) }
      add(
        Watcher<System>(
          visible,
          value: { state -> Value? in
            for isThere in isThere where !isThere(state) { return nil }
            return state[keyPath: path]
          },
          isUnchanged: { old, new in
            guard let old, let new else { return false }
            return isUnchanged(old, new)
          },
          notify: { [unowned self] _ in
            fields[path] = nil
            // Who reads a draft reads the field too.
            draftCells[path] = nil
            cell.notify()
            return false
          }))
    }
    return visible.pointee[keyPath: keyPath]
  }

  /// - Returns: what says whether a place that is there in a state may be followed in another one.
  private func check(
    _ place: BindingPlace<System.State>, _ state: System.State
  ) -> @Sendable (System.State) -> Bool {
    switch place {
    case .known(let isThere): return isThere
    case .unknown(let length):
      let seen = length(state)
      return { length($0) >= seen }
    }
  }
}
