import Testing

@testable import AsyncFeedbackTestSupport

@Suite struct SleeperQueueTests {
  private func sleeper(_ number: Int, at seconds: Int, id: String? = nil) -> Sleeper {
    Sleeper(
      number: number, deadline: .init(offset: .seconds(seconds)), id: id.map { SleepID($0) },
      job: nil)
  }

  private func queue(of deadlines: [Int]) -> SleeperQueue<Int> {
    var queue = SleeperQueue<Int>()
    for (number, seconds) in deadlines.enumerated() {
      queue.insert(sleeper(number, at: seconds), payload: number)
    }
    return queue
  }

  private func drain(_ queue: inout SleeperQueue<Int>, until seconds: Int) -> [Int] {
    var order: [Int] = []
    while let entry = queue.removeFirst(dueBy: .init(offset: .seconds(seconds))) {
      order.append(entry.payload)
    }
    return order
  }

  @Test func theEarliestComesFirstAndOfEqualOnesTheFirst() {
    var queue = queue(of: [3, 1, 2, 1, 3, 2])
    #expect(queue.sleepers.map(\.number) == [1, 3, 2, 5, 0, 4])
    #expect(drain(&queue, until: 2) == [1, 3, 2, 5])
    #expect(drain(&queue, until: 3) == [0, 4])
    #expect(queue.count == 0)
  }

  @Test(arguments: 0..<50) func anyOrderOfDeadlinesComesOutSorted(seed: Int) {
    var value = UInt64(seed)
    let deadlines = (0..<200).map { _ in
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(value >> 33) % 40
    }
    var queue = queue(of: deadlines)
    let removed = Set(stride(from: seed % 3, to: 200, by: 3))
    for number in removed { #expect(queue.remove(number: number)?.payload == number) }
    let expected = (0..<200).filter { !removed.contains($0) }
      .sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
    #expect(drain(&queue, until: 40) == expected)
  }

  @Test func aRemovedSleeperIsGone() {
    var queue = queue(of: [1, 2])
    #expect(queue.remove(number: 0)?.payload == 0)
    #expect(queue.remove(number: 0)?.payload == nil)
    #expect(drain(&queue, until: 5) == [1])
  }

  @Test func anIdIsThereUntilItsLastSleeperGoes() {
    var queue = SleeperQueue<Int>()
    queue.insert(sleeper(0, at: 1, id: "A"), payload: 0)
    queue.insert(sleeper(1, at: 2, id: "A"), payload: 1)
    #expect(queue.contains(id: SleepID("A")))
    #expect(!queue.contains(id: SleepID("B")))
    _ = queue.remove(number: 0)
    #expect(queue.contains(id: SleepID("A")))
    _ = drain(&queue, until: 2)
    #expect(!queue.contains(id: SleepID("A")))
  }

  @Test func takingAllGivesThemInOrderAndLeavesNone() {
    var queue = queue(of: [3, 1, 2])
    #expect(queue.removeAll().map(\.payload) == [1, 2, 0])
    #expect(queue.count == 0)
    #expect(queue.sleepers.isEmpty)
  }

  @Test func cancelledSleepersDoNotPileUp() {
    var queue = queue(of: [1_000_000])
    for number in 1...10_000 {
      queue.insert(sleeper(number, at: 500), payload: number)
      _ = queue.remove(number: number)
    }
    #expect(queue.keyCount < 200)
    #expect(drain(&queue, until: 1_000_000) == [0])
  }
}
