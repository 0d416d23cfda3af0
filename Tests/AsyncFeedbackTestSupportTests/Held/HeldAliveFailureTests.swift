import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What the failures of `alive` say, and those of a test that ends too early.
@Suite(.unseeded) struct HeldAliveFailureTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  @Test func aPayloadThatDiffersIsShownAsADifference() async {
    await context(.search()).run().send(.asked("a")).alive(.run("search", "b")).send(.asked(nil))
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: search, payload "b"
        not claimed: search (Shop.swift:10), started by event #1, payload "a"
      The payload of search differs, from the one claimed to the one that is alive:
        "b" → "a"
      Correct the claim, or what the run was started with.
      """)
  }

  @Test func aStateThatDiffersShowsItsFields() async {
    await context(.watch).run().send(.opened(true))
      .alive(.run("watch", Shop.State(isOpen: true, count: 3))).end("watch")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: watch, payload State(query: nil, isOpen: true, count: 3, items: [], log: [])
        not claimed: watch (Shop.swift:30), started by event #1, payload State(query: nil, \
      isOpen: true, count: 0, items: [], log: [])
      The payload of watch differs, from the one claimed to the one that is alive:
        count: 3 → 0
      Correct the claim, or what the run was started with.
      """)
  }

  @Test func aPayloadOfAnotherTypeSaysWhich() async {
    await context(.save()).run().send(.saved(3)).alive(.run("save", "3")).end("save")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: save, payload "3"
        not claimed: save (Shop.swift:20), started by event #1, payload 3
      The payload of save differs, from the one claimed to the one that is alive:
        it is of the type Int, and not String
      Correct the claim, or what the run was started with.
      """)
  }

  @Test func whatIsMissingAndWhatIsNotClaimedIsNamed() async {
    await context(.search(), .save(), .watch).run()
      .send(.asked("a")).send(.saved(1)).send(.saved(2))
      .alive(.run("save", 2), "watch", "search", "search")
      .end("save").end("save").send(.asked(nil))
    #expect(
      failures.heads.first == """
        the held runs that are alive are not those that `alive` claims:
          missing: watch
          missing: search
          not claimed: save (Shop.swift:20), started by event #2, payload 1
        No run of watch has been alive so far: its trigger has not fired.
        Of search only 1 is alive, and each claim is for a run of its own.
        `alive` names every held run that is alive. Claim it too, answer it, or have the state \
        end it.
        """)
  }

  @Test func aNameThatDoesNotExistListsTheNames() async {
    await context(.search(), .note, .save(), held: .except("save")).run().alive("serch")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: serch
      No feedback is called serch. There are: search, note (synchronous), save (not held).
      """)
  }

  @Test func aRunBesideANameThatDoesNotExistIsTheOneThatWasMeant() async {
    await context(.search()).run().send(.asked("a")).alive("serch").finish()
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: serch
        not claimed: search (Shop.swift:10), started by event #1, payload "a"
      No feedback is called serch. There are: search.
      """)
  }

  @Test func anIDWhereThereAreNoElementsSaysSo() async {
    await context(.search()).run().send(.asked("a")).alive(.run("search", id: 1)).end("search")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: search[1]
        not claimed: search (Shop.swift:10), started by event #1, payload "a"
      search has no elements, so no id tells its runs apart: that is for `Feedback.each` and \
      `Feedback.eachUpdating`. Claim it by its name, or by its payload: `.run("search", payload)`.
      """)
  }

  @Test func whatIsNotHeldSaysSo() async {
    await context(.search(), .note, .save(), held: .except("save")).run().alive("save", "note")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: save
        missing: note
      save is not held, so its body runs: see `held:` where the context is made. There are: \
      search, note (synchronous), save (not held).
      note answers in the turn of its trigger, so it is never held. There are: search, note \
      (synchronous), save (not held).
      """)
  }

  @Test func nothingIsAliveBeforeTheLoopRuns() async {
    await context(.search()).alive("search")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: search
      The loop does not run, and starts with `run()`.
      """)
  }

  @Test func aRunThatWaitsForAnotherSaysSo() async {
    await context(.save(.queued)).run().send(.saved(1)).send(.saved(2))
      .alive(.run("save", 1), "save").end("save").end("save")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: save
      Not alive yet: save (Shop.swift:20), started by event #2, waits for another run to end.
      """)
  }

  @Test func aTestMustNotEndWithAHeldRun() async {
    let context = context(.search(), .watch)
    let line: UInt = #line + 1
    await context.run().send(.asked("a")).send(.opened(true))
    context.finish()
    #expect(
      failures.messages == [
        """
        the test finished while 2 runs were going:
          search (Shop.swift:10), started by event #1, held, payload "a"
          watch (Shop.swift:30), started by event #2, held, payload State(query: "a", isOpen: \
        true, count: 0, items: [], log: [])
        Let it end: `answer` it, `end` it, or have the state end it.
        state: State(query: "a", isOpen: true, count: 0, items: [], log: [])
        alive:
          search (Shop.swift:10), started by event #1, held, payload "a"
          watch (Shop.swift:30), started by event #2, held, payload State(query: "a", isOpen: \
        true, count: 0, items: [], log: [])
        transcript:
          loop started
          #1 .asked("a") from AsyncFeedbackTestSupportTests/HeldAliveFailureTests.swift:\(line)
            query: nil → "a"
            started search (Shop.swift:10)
          #2 .opened(true) from AsyncFeedbackTestSupportTests/HeldAliveFailureTests.swift:\(line)
            isOpen: false → true
            started watch (Shop.swift:30)
        """
      ])
  }

  @Test func aConditionThatDoesNotHoldShowsThePayload() async {
    await context(.search()).run().send(.asked("a"))
      .alive(.run("search", where: { (query: String) in query.isEmpty })).send(.asked(nil))
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: search, payload of the type String that meets the condition
        not claimed: search (Shop.swift:10), started by event #1, payload "a"
      The payload of search differs, from the one claimed to the one that is alive:
        it does not meet the condition: "a"
      Correct the claim, or what the run was started with.
      """)
  }

  @Test func aRunThatAliveHasNamedIsNotNamedAgainAtTheEnd() async {
    let context = context(.search())
    await context.run().send(.asked("a")).alive()
    context.finish()
    #expect(failures.messages.count == 1)
  }

  @Test func aHeldRunBesideOneThatRunsGetsTheAdviceForBoth() async {
    let sleep = Feedback<Shop>(.once, name: "sleep", fileID: "Shop.swift", line: 80) {
      [clock] _ async in
      try? await clock.sleep(for: .seconds(1))
      return nil
    }
    let context = context(.search(), sleep, held: .named("search"))
    await context.run().send(.asked("a"))
    context.finish()
    expectHead(
      """
      the test finished while 2 runs were going:
        search (Shop.swift:10), started by event #1, held, payload "a"
        sleep (Shop.swift:80), started with the loop
      Let it end: answer what it waits for, advance its clock, or have the state end it.
      """)
  }
}
