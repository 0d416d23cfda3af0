import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Memo") struct MemoTests {
  private let computed = Tally()

  @Test func itComputesAgainOnlyWhenAnInputHasChanged() {
    let memo = Memo { [computed] (numbers: [Int], query: String) in
      computed.increment()
      return numbers.filter { "\($0)".contains(query) }
    }
    #expect(memo.value(for: [1, 12, 3], "1") == [1, 12])
    // Equal, but not the same storage.
    #expect(memo.value(for: [1, 12] + [3], "1") == [1, 12])
    #expect(computed.count == 1)
    #expect(memo.value(for: [1, 12, 3], "3") == [3])
    #expect(memo.value(for: [33], "3") == [33])
    #expect(computed.count == 3)
    // It remembers one.
    #expect(memo.value(for: [1, 12, 3], "3") == [3])
    #expect(computed.count == 4)
  }

  @Test func inputsThatShareTheirStorageAreNotComparedByTheirElements() {
    let comparisons = Comparisons()
    var numbers = (0..<1_000_000).map { Compared(number: $0, comparisons: comparisons) }
    let memo = Memo { [computed] (numbers: [Compared]) in
      computed.increment()
      return numbers.count
    }
    #expect(memo.value(for: numbers) == 1_000_000)
    #expect(memo.value(for: numbers) == 1_000_000)
    #expect(comparisons.count == 0)
    numbers[0].number = -1
    #expect(memo.value(for: numbers) == 1_000_000)
    #expect(computed.count == 2)
    // The first element already differs.
    #expect(comparisons.count == 1)
  }

  @Test func stringsSetsAndDictionariesShareTheirStorageToo() {
    struct Word: Hashable, Sendable {
      let text: String
      let comparisons: Comparisons

      static func == (left: Self, right: Self) -> Bool {
        left.comparisons.add()
        return left.text == right.text
      }

      func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
    let comparisons = Comparisons()
    let words = (0..<100).map { Word(text: "\($0)", comparisons: comparisons) }
    let (set, dictionary) = (Set(words), Dictionary(uniqueKeysWithValues: words.map { ($0, $0) }))
    comparisons.clear()
    let memo = Memo { [computed] (set: Set<Word>, dictionary: [Word: Word]?) in
      computed.increment()
      return set.count + (dictionary?.count ?? 0)
    }
    for _ in 0..<3 { #expect(memo.value(for: set, dictionary) == 200) }
    #expect(comparisons.count == 0)
    #expect(memo.value(for: set, nil) == 100)
    #expect(computed.count == 2)
  }

  @Test func aNumberThatIsNotEqualToItselfIsUnchangedWhileItsBytesAre() {
    let memo = Memo { [computed] (number: Double) in
      computed.increment()
      return number.isNaN
    }
    for _ in 0..<3 { #expect(memo.value(for: .nan)) }
    #expect(computed.count == 1)
  }

  @Test func itMayAskItself() {
    let handover = Handover<Memo<Int, Int>>()
    let memo = Memo { (number: Int) -> Int in
      number < 2 ? number : number + (handover.value?.value(for: number - 1) ?? 0)
    }
    handover.value = memo
    #expect(memo.value(for: 4) == 10)
    handover.value = nil
  }

  @Test func severalThreadsMayAskAtOnce() async {
    let memo = Memo { (number: Int, text: String) in "\(number)\(text)" }
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { [number] in
          #expect(memo.value(for: number % 3, "a") == "\(number % 3)a")
        }
      }
    }
  }

  @Test func aSystemDerivesAFieldWithIt() async {
    struct Fields: Sendable {
      var numbers = [1, 2, 3]
      var even: [Int] = []
      var other = 0
    }
    let even = Memo { [computed] (numbers: [Int]) in
      computed.increment()
      return numbers.filter { $0.isMultiple(of: 2) }
    }
    let stage = Rehearsal<Fields, Change<Fields>>(
      Fields(),
      reduce: { state, change in
        change.apply(&state)
        state.even = even.value(for: state.numbers)
      }
    ) { _ in }
    stage.run()
    stage.set(\.other, 1)
    stage.set(\.other, 2)
    #expect(stage.state.even == [2])
    #expect(computed.count == 1)
    stage.set(\.numbers, [4, 5])
    #expect(stage.state.even == [4])
    #expect(computed.count == 2)
  }

  @Test func whatIsLetGoOfMayAskTheMemo() {
    let memo = Handover<Memo<Asker, Int>>()
    let asked = Tally()
    memo.value = Memo { (input: Int) in
      Asker {
        _ = memo.value?.value(for: 3)
        asked.increment()
      }
    }
    _ = memo.value?.value(for: 1)
    _ = memo.value?.value(for: 2)
    #expect(asked.count >= 1)
    // The place has a lock of its own, under which nothing may go either.
    let last = memo.value
    memo.value = nil
    withExtendedLifetime(last) {}
  }
}

/// Does something when it goes.
private final class Asker: Sendable {
  private let ask: @Sendable () -> Void

  init(_ ask: @escaping @Sendable () -> Void) {
    self.ask = ask
  }

  deinit {
    ask()
  }
}
