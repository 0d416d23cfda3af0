/// The sleepers of a clock: earliest deadline first, and of equal ones the one registered first.
///
/// A binary heap, so registering and waking cost the logarithm of the number asleep.
struct SleeperQueue<Payload: Sendable>: Sendable {
  struct Entry: Sendable {
    let sleeper: Sleeper
    let payload: Payload
  }

  private struct Key: Comparable {
    let deadline: TestClock.Instant
    let number: Int

    static func < (left: Key, right: Key) -> Bool {
      left.deadline == right.deadline
        ? left.number < right.number : left.deadline < right.deadline
    }
  }

  private var entries: [Int: Entry] = [:]
  private var countByID: [SleepID: Int] = [:]
  // Holds the keys of removed sleepers too, until they reach the top or outnumber the others.
  private var heap: [Key] = []

  var count: Int { entries.count }

  /// How many keys are stored, those of removed sleepers included.
  var keyCount: Int { heap.count }

  /// The sleepers in the order they will wake.
  var sleepers: [Sleeper] {
    entries.values.map(\.sleeper).sorted { Self.key(of: $0) < Self.key(of: $1) }
  }

  func contains(id: SleepID) -> Bool {
    countByID[id] != nil
  }

  func contains(deadline: TestClock.Instant) -> Bool {
    entries.values.contains { $0.sleeper.deadline == deadline }
  }

  mutating func insert(_ sleeper: Sleeper, payload: Payload) {
    entries[sleeper.number] = Entry(sleeper: sleeper, payload: payload)
    if let id = sleeper.id { countByID[id, default: 0] += 1 }
    heap.append(Self.key(of: sleeper))
    siftUp(from: heap.count - 1)
  }

  mutating func remove(number: Int) -> Entry? {
    guard let entry = forget(number: number) else { return nil }
    if heap.count > 2 * entries.count + 64 {
      // A sorted array is a heap.
      heap = entries.values.map { Self.key(of: $0.sleeper) }.sorted()
    }
    return entry
  }

  /// Takes the next sleeper whose deadline is not after `instant`.
  mutating func removeFirst(dueBy instant: TestClock.Instant) -> Entry? {
    while let first = heap.first, first.deadline <= instant {
      removeTop()
      if let entry = forget(number: first.number) { return entry }
    }
    return nil
  }

  /// The deadline of the next sleeper, if there is one.
  mutating func nextDeadline() -> TestClock.Instant? {
    while let first = heap.first {
      if entries[first.number] != nil { return first.deadline }
      removeTop()
    }
    return nil
  }

  /// Whether somebody sleeps until the instant or an earlier one.
  mutating func hasOne(dueBy instant: TestClock.Instant) -> Bool {
    while let first = heap.first, first.deadline <= instant {
      if entries[first.number] != nil { return true }
      removeTop()
    }
    return false
  }

  /// Takes everybody, in the order they would have woken.
  mutating func removeAll() -> [Entry] {
    defer { self = SleeperQueue() }
    return entries.values.sorted { Self.key(of: $0.sleeper) < Self.key(of: $1.sleeper) }
  }
}

extension SleeperQueue {
  private static func key(of sleeper: Sleeper) -> Key {
    Key(deadline: sleeper.deadline, number: sleeper.number)
  }

  private mutating func forget(number: Int) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    if let id = entry.sleeper.id, let count = countByID[id] {
      countByID[id] = count == 1 ? nil : count - 1
    }
    return entry
  }

  private mutating func removeTop() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index] < heap[parent] else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[index] else { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}
