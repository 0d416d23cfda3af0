import AsyncFeedback
import Testing

@Suite struct LockTests {
  @Test func aLockSerialisesConcurrentWriters() async {
    final class Box: Sendable { let count = Lock(0) }
    let box = Box()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { for _ in 0..<100 { box.count.withLock { $0 += 1 } } }
      }
    }
    #expect(box.count.withLock { $0 } == 10_000)
  }
}
