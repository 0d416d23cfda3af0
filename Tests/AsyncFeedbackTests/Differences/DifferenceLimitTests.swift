import AsyncFeedback
import Testing

@Suite struct DifferenceBoundTests: DifferenceSuite {
  @Test("F13: one changed row of ten thousand is one line")
  func oneChangedRowOfTenThousandIsOneLine() {
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

@Suite struct HiddenDifferenceTests: DifferenceSuite {
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

@Suite struct ObjectDifferenceTests: DifferenceSuite {
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
