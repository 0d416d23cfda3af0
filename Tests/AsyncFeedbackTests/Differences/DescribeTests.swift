import AsyncFeedback
import Testing

@Suite struct DescribeTests: DifferenceSuite {
  private enum Event {
    case tapped
    case loaded([Int], page: Int)
    case failed(String)
    case renamed(to: String)
  }

  private struct Labelled: CustomStringConvertible { var description: String { "one\ntwo" } }

  @Test func valuesReadAsTheyAreWritten() {
    #expect(describe(1) == "1")
    #expect(describe("say \"hi\"\n") == #""say \"hi\"\n""#)
    #expect(describe(Character("a")) == #""a""#)
    #expect(describe(1.5 as Double?) == "1.5")
    #expect(describe(nil as Int?) == "nil")
    #expect(describe(Int??.some(nil)) == ".some(nil)")
    #expect(describe((1, name: "a")) == #"(1, name: "a")"#)
    #expect(describe([1, 2]) == "[1, 2]")
    #expect(describe([Int]()) == "[]")
    #expect(describe([:] as [Int: Int]) == "[:]")
    #expect(describe(Todo(id: 1, title: "a")) == #"Todo(id: 1, title: "a", isDone: false)"#)
    #expect(describe(Labelled()) == #"one\ntwo"#)
    #expect(describe(()) == "()")
    #expect(describe(AnyHashable("a")) == #""a""#)
  }

  @Test func casesReadAsTheyAreWritten() {
    #expect(describe(Event.tapped) == ".tapped")
    #expect(describe(Event.loaded([1], page: 2)) == ".loaded([1], page: 2)")
    #expect(describe(Event.failed("a")) == #".failed("a")"#)
    #expect(describe(Event.renamed(to: "a")) == #".renamed(to: "a")"#)
  }

  @Test func dictionariesAndSetsAreSorted() {
    for _ in 0..<10 {
      #expect(describe(["b": 1, "a": 2, "c": 3]) == #"["a": 2, "b": 1, "c": 3]"#)
      #expect(describe(Set([10, 9, 100])) == "[9, 10, 100]")
      #expect(describe(Set<AnyHashable>([2, "a", 1])) == #"["a", 1, 2]"#)
    }
  }

  @Test func longValuesAreBounded() {
    #expect(describe(Array(1...1_000_000), limit: 10) == "[1, 2, 3, … 999997 more]")
    #expect(
      describe(String(repeating: "a", count: 1_000), limit: 10)
        == #""aaaaaaaaaa…" (1000 characters)"#)
    #expect(
      describe([Todo(id: 1, title: "a"), Todo(id: 2, title: "b")], limit: 20)
        == #"[Todo(id: 1, title: "a", … 1 more), … 1 more]"#)
  }
}
