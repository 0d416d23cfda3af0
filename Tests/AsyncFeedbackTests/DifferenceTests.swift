import AsyncFeedback
import Testing

private struct Todo: Equatable, Identifiable, Sendable {
  var id: Int
  var title: String
  var isDone = false
}

private enum Filter: Equatable, Sendable { case all, open, done }

private struct State: Equatable, Sendable {
  var filter = Filter.all
  var input = ""
  var selected: Int?
  var todos: [Todo] = []
}

private func todos(_ count: Int) -> [Todo] {
  (1...count).map { Todo(id: $0, title: "todo \($0)") }
}

private func lines<Value>(_ old: Value, _ new: Value) -> [String] {
  Difference(from: old, to: new).lines
}

@Suite struct DifferenceTests {
  @Test func equalValuesDoNotDiffer() {
    let difference = Difference(from: State(), to: State())
    #expect(difference.isEmpty)
    #expect(difference.lines == [])
    #expect(difference.description == "no difference")
  }

  @Test func onlyWhatChangedIsShownWithItsPath() {
    let old = State(todos: todos(5))
    var new = old
    new.filter = .done
    new.input = "milk"
    new.todos[3].title = "buy \"milk\"\n"
    #expect(
      Difference(from: old, to: new).description == #"""
        filter: .all → .done
        input: "" → "milk"
        todos[3].title: "todo 4" → "buy \"milk\"\n"
        """#)
  }

  @Test func aValueWithoutPartsNeedsNoPath() {
    #expect(lines(1, 2) == ["1 → 2"])
    #expect(lines("a", "b") == [#""a" → "b""#])
    #expect(lines(true, false) == ["true → false"])
  }

  @Test func tuplesAreShownByLabelOrPosition() {
    #expect(lines((1, b: 2), (3, b: 2)) == ["0: 1 → 3"])
    #expect(lines((1, b: (2, 3)), (1, b: (2, 4))) == ["b.1: 3 → 4"])
  }

  @Test func whatDescribesItselfIsShownAsItDoes() {
    #expect(lines(Duration.seconds(1), .seconds(2)) == ["1.0 seconds → 2.0 seconds"])
    #expect(lines(1..<3, 1..<4) == ["1..<3 → 1..<4"])
  }
}

@Suite struct OptionalAndCaseDifferenceTests {
  private enum Phase: Equatable {
    case idle
    case loading(page: Int, of: Int)
    case loaded([Todo])
    case failed(String?)
    indirect case nested(Phase)
  }

  @Test func optionalsReadLikeTheirPayload() {
    #expect(lines(State(), State(selected: 3)) == ["selected: nil → 3"])
    #expect(lines(State(selected: 3), State()) == ["selected: 3 → nil"])
    #expect(lines(State(selected: 3), State(selected: 4)) == ["selected: 3 → 4"])
    #expect(lines(3 as Int?, 4) == ["3 → 4"])
  }

  @Test func pathsGoThroughOptionals() {
    struct Screen { var todo: Todo?? }
    let (old, new) = (Todo(id: 1, title: "a"), Todo(id: 1, title: "b"))
    #expect(lines(Screen(todo: old), Screen(todo: new)) == [#"todo??.title: "a" → "b""#])
    #expect(lines(old as Todo?, new) == [#"title: "a" → "b""#])
  }

  @Test func nestedNilsAreToldApart() {
    #expect(lines(Int??.none, Int??.some(nil)) == ["nil → .some(nil)"])
  }

  @Test func anotherCaseIsShownWhole() {
    #expect(lines(Phase.idle, .failed("no network")) == [#".idle → .failed("no network")"#])
    #expect(
      lines(Phase.loading(page: 1, of: 9), .loaded([])) == [
        ".loading(page: 1, of: 9) → .loaded([])"
      ])
  }

  @Test func theSameCaseIsShownByItsPayload() {
    #expect(
      lines(Phase.loading(page: 1, of: 9), .loading(page: 2, of: 9)) == [
        ".loading.page: 1 → 2"
      ])
    #expect(lines(Phase.failed("a"), .failed("b")) == [#".failed: "a" → "b""#])
    #expect(lines(Phase.failed("a"), .failed(nil)) == [#".failed: "a" → nil"#])
    #expect(
      lines(Phase.nested(.failed("a")), .nested(.idle)) == [#".nested: .failed("a") → .idle"#])
    var changed = todos(3)
    changed[1].isDone = true
    #expect(
      lines(Phase.loaded(todos(3)), .loaded(changed)) == [
        ".loaded[1].isDone: false → true"
      ])
  }

  @Test func casesWithoutEqualityAreComparedByName() {
    enum Wide {
      case none, other
      case some(Int, Int, () -> Void)
    }
    #expect(lines(Wide.none, .none) == [])
    #expect(lines(Wide.none, .other) == [".none → .other"])
  }
}

@Suite struct CollectionDifferenceTests {
  @Test func insertionsAndRemovalsAreShownByPosition() {
    #expect(lines([1, 2, 3], [1, 3]) == ["[1]: removed 2"])
    #expect(lines([1, 2, 3], [0, 1, 2, 3]) == ["[0]: inserted 0"])
    #expect(lines([1, 2, 3, 4], [2, 3, 4, 5]) == ["[0]: removed 1", "[3]: inserted 5"])
    #expect(lines([1, 2, 3, 4, 5], [1, 9, 3, 8, 5]) == ["[1]: 2 → 9", "[3]: 4 → 8"])
    #expect(lines([], [1]) == ["[0]: inserted 1"])
  }

  @Test func manyNeighboursShareALine() {
    let old = State(todos: todos(10))
    let new = State(todos: todos(30))
    #expect(
      lines(old, new) == [
        #"todos[10..<30]: inserted 20, Todo(id: 11, title: "todo 11", isDone: false)"#
          + #" to Todo(id: 30, title: "todo 30", isDone: false)"#
      ])
    #expect(lines(Array(1...9), [1, 9]) == ["[1..<8]: removed 7, 2 to 8"])
  }

  @Test func identifiableElementsAreMatchedByTheirIDs() {
    let old = todos(6)
    var new = old
    new[4].title = "changed"
    new.remove(at: 1)
    new.insert(Todo(id: 9, title: "new"), at: 2)
    #expect(
      lines(old, new) == [
        #"[1]: removed Todo(id: 2, title: "todo 2", isDone: false)"#,
        #"[2]: inserted Todo(id: 9, title: "new", isDone: false)"#,
        #"[4].title: "todo 5" → "changed""#,
      ])
  }

  @Test func movesAreToldFromChanges() {
    let old = todos(6)
    var new = old
    new.insert(new.remove(at: 4), at: 0)
    new[0].isDone = true
    #expect(lines(old, new) == ["[0]: moved here from [4]", "[0].isDone: false → true"])
  }

  @Test func twoElementsWithOneIDAreMatchedByOrder() {
    let old = [Todo(id: 1, title: "a"), Todo(id: 1, title: "b"), Todo(id: 2, title: "c")]
    var new = old
    new.removeFirst()
    new[1].title = "d"
    #expect(
      lines(old, new) == [
        #"[0]: removed Todo(id: 1, title: "a", isDone: false)"#, #"[1].title: "c" → "d""#,
      ])
  }

  @Test func elementsWithoutEqualityAreComparedByTheirParts() {
    struct Row { var cells: [String: Int] }
    struct Table { var rows: [Row] }
    let old = Table(rows: (0..<5).map { Row(cells: ["a": $0, "b": 0]) })
    var new = old
    new.rows[2].cells["b"] = 7
    #expect(lines(old, new) == [#"rows[2].cells["b"]: 0 → 7"#])
  }

  @Test func slicesAndOtherCollectionsCountFromZero() {
    #expect(lines([1, 2, 3][1...], [1, 2, 4][1...]) == ["[1]: 3 → 4"])
  }

  @Test func setsAreSorted() {
    #expect(
      lines(Set([10, 9, 1]), Set([1, 2, 11])) == [
        "removed 9", "removed 10", "inserted 2", "inserted 11",
      ])
    struct Note { var tags: Set<String> }
    #expect(
      lines(Note(tags: []), Note(tags: ["d", "c", "b", "a"])) == [#"tags: inserted 4, "a" to "d""#])
  }

  @Test func dictionariesAreSorted() {
    let old = ["b": 1, "c": 2, "a": 3, "d": 4]
    let new = ["d": 4, "a": 5, "e": 6, "c": 7, "f": 8]
    for _ in 0..<10 {
      #expect(
        lines(old, new) == [
          #"["b"]: removed 1"#, #"["e"]: inserted 6"#, #"["f"]: inserted 8"#, #"["a"]: 3 → 5"#,
          #"["c"]: 2 → 7"#,
        ])
    }
    #expect(lines([10: "a", 9: "b"], [:]) == [#"[9]: removed "b""#, #"[10]: removed "a""#])
  }
}

@Suite struct DifferenceBoundTests {
  @Test func oneChangedRowOfTenThousandIsOneLine() {
    let old = State(todos: todos(10_000))
    var rebuilt = todos(10_000)
    rebuilt[5_000].title = "changed"
    let new = State(todos: rebuilt)
    #expect(lines(old, new) == [#"todos[5000].title: "todo 5001" → "changed""#])
  }

  @Test func tenThousandChangedRowsAreCounted() {
    let old = State(todos: todos(10_000))
    let new = State(todos: old.todos.map { Todo(id: $0.id, title: $0.title, isDone: true) })
    let difference = Difference(from: old, to: new, limit: 2)
    #expect(
      difference.lines == [
        "todos[0].isDone: false → true", "todos[1].isDone: false → true",
        "… and 9998 more changes",
      ])
    #expect(Difference(from: old, to: new).lines.count == 21)
    #expect(Difference(from: [1, 2], to: [3, 4], limit: 1).lines.last == "… and 1 more change")
  }

  @Test func tenThousandUnrelatedValuesAreNotSearchedQuadratically() {
    let old = (0..<10_000).map { "old \($0)" }
    let new = (0..<10_000).map { "new \($0)" }
    #expect(
      Difference(from: old, to: new, limit: 1).lines == [
        #"[0]: "old 0" → "new 0""#, "… and 9999 more changes",
      ])
    let reversed = Difference(from: todos(10_000), to: todos(10_000).reversed(), limit: 1)
    #expect(reversed.lines.last == "… and 9998 more changes")
  }

  @Test func longTextsAreCutAroundTheFirstDifference() {
    let old = String(repeating: "a", count: 1_000)
    var new = old
    new.insert("b", at: new.index(new.startIndex, offsetBy: 500))
    let twenty = String(repeating: "a", count: 20)
    #expect(
      lines(old, new) == [
        "\"…\(twenty)\(twenty)\(twenty)…\" → \"…\(twenty)b\(twenty.dropLast())\(twenty)…\""
          + " (from character 500 on; 1000 → 1001 characters)"
      ])
  }

  @Test func longValuesAreCut() {
    enum Answer: Equatable {
      case none
      case some([Int])
    }
    #expect(
      lines(Answer.none, .some(Array(1...1_000))) == [
        ".none → .some([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,"
          + " 22, 23, 24, 25, 26, … 974 more])"
      ])
  }

  @Test func valuesNestedTooDeepAreNamed() {
    final class Link {
      let next: Link?
      init(next: Link?) { self.next = next }
    }
    func chain(_ length: Int) -> Link? { length == 0 ? nil : Link(next: chain(length - 1)) }
    let path = String(repeating: "next?.", count: 31) + "next"
    #expect(lines(chain(1_000), chain(1_001)) == ["\(path): not compared: nested too deep"])
  }
}

@Suite struct HiddenDifferenceTests {
  @Test func aValueThatIsNotEqualToItselfIsComparedByItsBytes() {
    struct Reading: Equatable {
      var value: Double?
      var count = 0
    }
    #expect(lines(Double.nan, .nan) == [])
    #expect(lines(Reading(value: .nan), Reading(value: .nan)) == [])
    #expect(lines(Reading(value: .nan), Reading(value: .nan, count: 1)) == ["count: 0 → 1"])
    #expect(lines(Reading(value: .nan), Reading(value: 1)) == ["value: nan → 1.0"])
    #expect(lines(0.0, -0.0) == [])
    let otherNaN = Double(nan: 7, signaling: false)
    #expect(lines(Double.nan, otherNaN) == ["changed, though old and new both read nan"])
  }

  @Test func aRebuiltArrayThatHoldsNaNDiffers() {
    let readings = [1, Double.nan]
    #expect(lines(readings, readings) == [])
    #expect(
      lines(readings, [1, .nan]) == ["changed, though old and new both read [1.0, nan]"])
  }

  @Test func whatEqualityIgnoresIsNoDifference() {
    struct Cached: Equatable {
      var value: Int
      var cache: Int
      static func == (left: Cached, right: Cached) -> Bool { left.value == right.value }
    }
    #expect(lines(Cached(value: 1, cache: 1), Cached(value: 1, cache: 2)) == [])
    #expect(lines(Cached(value: 1, cache: 1), Cached(value: 2, cache: 1)) == ["value: 1 → 2"])
  }

  @Test func aDifferenceThatCannotBeSeenIsSaid() {
    struct Secret: Equatable, CustomReflectable {
      var name: String
      var key: Int
      var customMirror: Mirror { Mirror(self, children: ["name": name]) }
    }
    struct Account: Equatable { var secret: Secret }
    #expect(
      lines(
        Account(secret: Secret(name: "a", key: 1)), Account(secret: Secret(name: "a", key: 2)))
        == [#"secret: changed, though old and new both read Secret(name: "a")"#])
  }

  @Test func closuresAreComparedByTheirStorage() {
    struct Button {
      var title = "ok"
      var action: () -> Int
    }
    let base = 1
    let old = Button { base }
    var new = old
    #expect(lines(old, new) == [])
    new.title = "no"
    #expect(lines(old, new) == [#"title: "ok" → "no""#])
    new.action = { 2 }
    #expect(
      lines(old, new) == [
        #"title: "ok" → "no""#, "action: changed, though old and new both read (Function)",
      ])
  }

  @Test func valuesOfAnotherTypeThatReadTheSameShowTheirTypes() {
    struct Bag { var value: Any }
    #expect(lines(Bag(value: 1), Bag(value: "a")) == [#"value: 1 → "a""#])
    #expect(lines(Bag(value: 1), Bag(value: Int8(1))) == ["value: 1 (Int) → 1 (Int8)"])
  }
}

@Suite struct ObjectDifferenceTests {
  private final class Person {
    var name: String
    var friend: Person?
    init(_ name: String, friend: Person? = nil) {
      self.name = name
      self.friend = friend
    }
  }

  private struct Team {
    var leader: Person
    var members: [Person] = []
  }

  @Test func theSameObjectIsNoDifference() {
    let person = Person("Ann")
    #expect(lines(Team(leader: person), Team(leader: person)) == [])
  }

  @Test func objectsAreComparedByTheirParts() {
    #expect(
      lines(Team(leader: Person("Ann")), Team(leader: Person("Bob"))) == [
        #"leader.name: "Ann" → "Bob""#
      ])
  }

  @Test func anotherObjectThatReadsTheSameIsNamed() {
    #expect(
      lines(Team(leader: Person("Ann")), Team(leader: Person("Ann"))) == [
        #"leader: another object that reads the same: Person(name: "Ann", friend: nil)"#
      ])
  }

  @Test func objectsWithEqualityAreComparedByIt() {
    final class Token: Equatable {
      let text: String
      init(_ text: String) { self.text = text }
      static func == (left: Token, right: Token) -> Bool { left.text == right.text }
    }
    #expect(lines([Token("a")], [Token("a")]) == [])
    #expect(lines([Token("a")], [Token("b")]) == [#"[0].text: "a" → "b""#])
  }

  @Test func inheritedPartsAreCompared() {
    class Animal { var legs = 4 }
    final class Dog: Animal { var name = "Rex" }
    let (old, new) = (Dog(), Dog())
    new.legs = 3
    #expect(lines(old, new) == ["legs: 4 → 3"])
  }

  @Test func cyclesEnd() {
    func couple(_ first: String, _ second: String) -> Person {
      let person = Person(first, friend: Person(second))
      person.friend?.friend = person
      return person
    }
    #expect(lines(couple("Ann", "Bob"), couple("Ann", "Cid")) == [#"friend?.name: "Bob" → "Cid""#])
    #expect(
      lines(couple("Ann", "Bob"), couple("Ann", "Bob")) == [
        #"another object that reads the same: "#
          + #"Person(name: "Ann", friend: Person(name: "Bob", friend: Person(…)))"#
      ])
  }

  @Test func aSharedObjectIsShownOnce() {
    func team(_ name: String) -> Team {
      let person = Person(name)
      return Team(leader: person, members: [person])
    }
    #expect(
      lines(team("Ann"), team("Bob")) == [
        #"leader.name: "Ann" → "Bob""#, "members[0]: changed as leader did",
      ])
  }
}

@Suite struct DescribeTests {
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
