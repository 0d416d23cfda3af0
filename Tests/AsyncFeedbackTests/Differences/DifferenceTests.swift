import AsyncFeedback
import Testing

@Suite struct DifferenceTests: DifferenceSuite {
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

@Suite struct OptionalAndCaseDifferenceTests: DifferenceSuite {
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

@Suite struct CollectionDifferenceTests: DifferenceSuite {
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
