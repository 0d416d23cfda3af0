import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct ExploreEventsTests {
  private let failures = Failures()

  private func reporter() -> FailureReporter {
    FailureReporter(fileID: "App/AppTests.swift", line: 12, column: 5) {
      [failures] message, place in failures.log.append((message, place.line))
    }
  }

  @Test func theShortestSequenceThatBreaksAnInvariantIsPrintedAsATest() async {
    let exploration = await exploreEvents(
      of: { _ in Lamp() }, hasOwnClock: false, from: .init(),
      events: [.switched(on: true), .switched(on: false), .dusted], advancingBy: [], steps: 40,
      invariants: [Invariant("there is a count") { $0.count >= 0 }, Lamp.isWhole],
      reporter: reporter())
    #expect(exploration.hasFailed)
    #expect(failures.lines == [12])
    #expect(
      failures.messages == [
        """
        sequence 1 of 1000 failed, that of seed 0.
        the invariant "the lamp is whole" does not hold after #5 .switched(on: true) from App/AppTests.swift:12
          isOn: false → true
          count: 2 → 3
        exploreEvents(…, sequences: 1, seed: 0) repeats it exactly.
        The shortest failing sequence found:
          let context = TestContext(state: .init(isOn: false, count: 0), system: …)
          await context
            .run()
            .send(.switched(on: true))
            .send(.switched(on: false))
            .send(.switched(on: true))
            .send(.switched(on: false))
            .send(.switched(on: true))
        transcript:
          loop started
          #1 .switched(on: true) from App/AppTests.swift:12
            isOn: false → true
            count: 0 → 1
          #2 .switched(on: false) from App/AppTests.swift:12
            isOn: true → false
          #3 .switched(on: true) from App/AppTests.swift:12
            isOn: false → true
            count: 1 → 2
          #4 .switched(on: false) from App/AppTests.swift:12
            isOn: true → false
          #5 .switched(on: true) from App/AppTests.swift:12
            isOn: false → true
            count: 2 → 3
          loop stopped
        """
      ])
  }

  @Test func whatTheLastEventLeadsToIsLookedAt() async {
    let flag = Feedback<Sample>(.onChanged(\.n), name: "flag") { $0.n == 2 ? .flag(true) : nil }
    let exploration = await exploreEvents(
      of: { _ in Sample(flag) }, hasOwnClock: false, from: .init(), events: [.go(2)],
      advancingBy: [], steps: 1, invariants: [Invariant("no flag") { !$0.flag }],
      reporter: reporter())
    #expect(exploration.hasFailed)
    #expect(failures.messages.first?.contains("    .send(.go(2))\n    .settle()\n") == true)
  }

  @Test func theNaiveSearchShowsWhatIsStaleInSomeOrder() async {
    await exploreEvents(
      of: { Search(policy: .overlapping, clock: $0) }, hasOwnClock: true, from: .init(),
      events: [.queryChanged("a"), .queryChanged("ab")], advancingBy: [.seconds(1)],
      invariants: [Search.nothingStale], reporter: reporter())
    #expect(
      failures.messages == [
        """
        sequence 2 of 1000 failed, that of seed 1.
        the invariant "results belong to the query" does not hold after #3 .loaded("results of ab", of: "ab") \
        from load (App/Search.swift:24)
          results: nil → "results of ab"
        exploreEvents(…, sequences: 1, seed: 1) repeats it exactly.
        The shortest failing sequence found:
          let context = TestContext(state: .init(query: "", results: nil), system: …)
          await context
            .run()
            .send(.queryChanged("ab"))
            .send(.queryChanged("a"))
            .advance(by: .seconds(1))
        transcript:
          loop started
            started load (App/Search.swift:24)
            finished load (App/Search.swift:24)
          #1 .queryChanged("ab") from App/AppTests.swift:12
            query: "" → "ab"
            started load (App/Search.swift:24)
          #2 .queryChanged("a") from App/AppTests.swift:12
            query: "ab" → "a"
            started load (App/Search.swift:24)
          clock: 0.0 seconds → 1.0 seconds
            answered .loaded("results of ab", of: "ab"): load (App/Search.swift:24)
            finished load (App/Search.swift:24)
          #3 .loaded("results of ab", of: "ab") from load (App/Search.swift:24)
            results: nil → "results of ab"
            answered .loaded("results of a", of: "a"): load (App/Search.swift:24)
            finished load (App/Search.swift:24)
          #4 .loaded("results of a", of: "a") from load (App/Search.swift:24)
            results: "results of ab" → "results of a"
          loop stopped
        """
      ])
  }

  @Test func aSequenceThatFailsInSomeOrdersOnlyIsPrintedWithOne() async {
    await exploreEvents(
      of: { clock in
        Sample(
          [1, 2].map { number in
            Feedback(
              .while(\.flag), name: "work \(number)", fileID: "App/App.swift", line: number
            ) { _ async in
              try? await clock.sleep(for: .seconds(1))
              return .done(number)
            }
          })
      }, hasOwnClock: true, from: .init(), events: [.flag(true), .go(1)],
      advancingBy: [.seconds(1)],
      invariants: [Invariant("1 is done before 2") { $0.done.first != 2 }], reporter: reporter())
    #expect(
      failures.messages.map(withoutNumbers) == [
        """
        sequence N of 1000 failed, that of seed N.
        the invariant "1 is done before 2" does not hold after #2 .done(2) from work 2 (App/App.swift:2)
          done[0]: inserted 2
        exploreEvents(…, sequences: 1, seed: N) repeats it exactly.
        The shortest failing sequence found:
          await exploreSchedules(order: […]) {
            let context = TestContext(state: .init(n: 0, flag: false, done: [], flags: []), system: …)
            await context
              .run()
              .send(.flag(true))
              .advance(by: .seconds(1))
          }
        transcript:
          loop started
          #1 .flag(true) from App/AppTests.swift:12
            flag: false → true
            started work 1 (App/App.swift:1)
            started work 2 (App/App.swift:2)
          clock: 0.0 seconds → 1.0 seconds
            answered .done(2): work 2 (App/App.swift:2)
            finished work 2 (App/App.swift:2)
          #2 .done(2) from work 2 (App/App.swift:2)
            done[0]: inserted 2
            answered .done(1): work 1 (App/App.swift:1)
            finished work 1 (App/App.swift:1)
          #3 .done(1) from work 1 (App/App.swift:1)
            done[1]: inserted 1
          loop stopped
        """
      ])
  }

  @Test func theSearchThatKeepsTheLatestShowsNothingStale() async {
    let exploration = await exploreEvents(
      of: { Search(policy: .latest, clock: $0) }, from: .init(),
      events: [.queryChanged("a"), .queryChanged("ab"), .queryChanged("")],
      advancingBy: [.milliseconds(500), .seconds(1)], sequences: 300,
      invariants: [Search.nothingStale])
    #expect(exploration.count == 300)
  }

  @Test func whatFailsAContextFailsTheSequence() async {
    await exploreEvents(
      of: { _ in
        Sample(
          Feedback(
            .while(\.flag), name: "fail", fileID: "App/App.swift", line: 3, catch: { _ in nil }
          ) { _, _ async throws in
            throw CancellationError()
          })
      }, hasOwnClock: false, from: .init(), events: [.flag(true), .go(1)], advancingBy: [],
      invariants: [], reporter: reporter())
    #expect(
      failures.messages == [
        """
        sequence 1 of 1000 failed, that of seed 0.
        exploreEvents(…, sequences: 1, seed: 0) repeats it exactly.
        The shortest failing sequence found:
          let context = TestContext(state: .init(n: 0, flag: false, done: [], flags: []), system: …)
          await context
            .run()
            .send(.flag(true))
        fail (App/App.swift:3) failed with an error that becomes no event: CancellationError()
        Its `catch` has returned nil: let it make an event of each error.
        state: State(n: 0, flag: true, done: [], flags: [])
        alive: nothing
        transcript:
          loop started
          #1 .flag(true) from App/AppTests.swift:12
            flag: false → true
            started fail (App/App.swift:3)
            failed with CancellationError(): fail (App/App.swift:3)
        """
      ])
  }

  @Test func aStateToBeginWithThatBreaksAnInvariantNeedsNoEvent() async {
    await exploreEvents(
      of: { _ in Lamp() }, hasOwnClock: false, from: .init(isOn: true, count: 3), events: [.dusted],
      advancingBy: [], invariants: [Lamp.isWhole], reporter: reporter())
    #expect(
      failures.messages == [
        """
        sequence 1 of 1000 failed, that of seed 0.
        the invariant "the lamp is whole" does not hold in the state to begin with
        exploreEvents(…, sequences: 1, seed: 0) repeats it exactly.
        The shortest failing sequence found:
          let context = TestContext(state: .init(isOn: true, count: 3), system: …)
          await context
            .run()
        transcript:
          loop started
          loop stopped
        """
      ])
  }

  @Test func eventsCanBeMadeOfTheStateAndOfNumbers() async {
    let events = Log<Int>()
    func explore() async {
      await exploreEvents(
        of: Sample(), from: .init(),
        events: EventGenerator { state, numbers in
          let number = state.n + Int.random(in: 1...3, using: &numbers)
          events.append(number)
          return .go(number)
        }, steps: 20, sequences: 3, seed: 9, invariants: [])
    }
    await explore()
    let first = events.entries
    await explore()
    #expect(events.entries == first + first)
    #expect(Set(first).count > 10)
  }

  @Test(arguments: [
    (EventStep<Lamp.Event>.send(.switched(on: true)), ".send(.switched(on: true))"),
    (.send(.dusted), ".send(.dusted)"),
    (.settle, ".settle()"),
    (.advance(by: .seconds(2)), ".advance(by: .seconds(2))"),
    (.advance(by: .milliseconds(1_500)), ".advance(by: .milliseconds(1500))"),
    (.advance(by: .microseconds(7)), ".advance(by: .nanoseconds(7000))"),
  ])
  func aStepReadsAsATestWritesIt(step: EventStep<Lamp.Event>, text: String) {
    #expect("\(step)" == text)
  }
}
