import Testing

@testable import AsyncFeedback

@Suite("Machine: the table of runs") struct RunTableTests {
  private func id(_ serial: Int) -> RunID { RunID(feedback: 1, serial: UInt64(serial)) }

  private func run(_ depth: Int) -> Machine.Run {
    Machine.Run(
      key: nil, phase: .due, session: 1, startedBy: 0, cascade: 0, depth: UInt32(depth))
  }

  private func content(_ table: RunTable) -> [RunID: UInt32] {
    Dictionary(uniqueKeysWithValues: table.map { ($0.id, $0.run.depth) })
  }

  @Test func itKeepsWhatADictionaryKeeps() {
    var table = RunTable()
    var expected: [RunID: UInt32] = [:]
    var random = SplitMix64(seed: 1)
    for step in 0..<2_000 {
      let id = id(Int.random(in: 0..<8, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where expected[id] == nil:
        table.insert(run(step), as: id)
        expected[id] = UInt32(step)
      case 1:
        #expect(table.remove(id)?.depth == expected.removeValue(forKey: id))
      default:
        let changed: UInt32? = table.update(id) { run in
          run.depth += 1
          return run.depth
        }
        if let depth = expected[id] { expected[id] = depth + 1 }
        #expect(changed == expected[id])
      }
      #expect(table[id]?.depth == expected[id])
      #expect(content(table) == expected)
      #expect(table.count == expected.count)
      #expect(table.isEmpty == expected.isEmpty)
    }
  }
}
