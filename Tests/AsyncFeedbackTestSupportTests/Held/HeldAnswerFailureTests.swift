import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What the failures of an answer say.
@Suite struct HeldAnswerFailureTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  @Test func anAnswerForNobodyListsWhatIsAlive() async {
    await context(.search(), .save()).run().send(.asked("a"))
      .answer("save", with: .logged("x")).send(.asked(nil))
    expectHead(
      """
      `answer` found no held run alive for: save
      Held and alive:
        search (Shop.swift:10), started by event #1, payload "a"
      No run of save has been alive so far: its trigger has not fired.
      """)
  }

  @Test func aSecondAnswerFindsNobody() async {
    await context(.search()).run().send(.asked("a"))
      .answer("search", with: .logged("x"))
      .answer("search", with: .logged("y"))
    expectHead(
      """
      `answer` found no held run alive for: search
      Held and alive is nothing.
      No longer alive: search (Shop.swift:10), started by event #1, payload "a", was answered.
      """)
  }

  @Test func anAnswerForATriggerThatWaitsForItsPaceSaysSo() async {
    let search = Feedback<Shop>.search().debounced(for: .milliseconds(300), clock: clock)
    await context(search, .save()).run().send(.asked("a"))
      .answer("search", with: .logged("x")).send(.asked(nil))
    expectHead(
      """
      `answer` found no held run alive for: search
      Held and alive is nothing.
      Not alive yet: a trigger of search waits for its pace. Advance its clock.
      """)
    #expect(
      failures.messages.first?.contains(
        "\nasleep:\n  a sleeper without id until 0.3 seconds, for the pace of search\n") == true)
  }

  @Test func whereSeveralHaveAPaceItMayBeAnother() async {
    let search = Feedback<Shop>.search().debounced(for: .milliseconds(300), clock: clock)
    let save = Feedback<Shop>.save().debounced(for: .milliseconds(300), clock: clock)
    await context(search, save).run().send(.asked("a"))
      .answer("save", with: .logged("x")).send(.asked(nil))
    expectHead(
      """
      `answer` found no held run alive for: save
      Held and alive is nothing.
      No run of save has been alive so far: its trigger has not fired, or waits for its pace. Then its \
      clock has to be advanced.
      """)
    #expect(failures.messages.first?.contains("for the pace of") == false)
  }

  @Test func anAnswerForARunThatWasReplacedNamesTheEventThatDidIt() async {
    await context(.search()).run().send(.asked("a")).send(.asked(nil))
      .answer(.run("search", "a"), with: .logged("x"))
    expectHead(
      """
      `answer` found no held run alive for: search, payload "a"
      Held and alive is nothing.
      No longer alive: search (Shop.swift:10), started by event #1, payload "a", was \
      cancelled by event #2.
      """)
  }

  @Test func anAnswerAfterTheTimeLimitSaysHowTheRunEnded() async {
    await context(.search().timingOut(after: .seconds(1), clock: clock)).run().send(.asked("a"))
      .advance(by: .seconds(1)).end("search")
    expectHead(
      """
      `end` found no held run alive for: search
      Held and alive is nothing.
      No longer alive: search (Shop.swift:10), started by event #1, payload "a", was \
      cancelled, by a time limit or with the loop.
      """)
  }

  @Test func anAnswerBetweenTwoAttemptsSaysWhatItWaitsFor() async {
    let search = Feedback<Shop>.search()
      .retrying(limit: 2, backoff: .constant(.seconds(1)), clock: clock)
    await context(search).run().send(.asked("a")).fail("search", with: Outage())
      .answer("search", with: .logged("x")).send(.asked(nil))
    expectHead(
      """
      `answer` found no held run alive for: search
      Held and alive is nothing.
      Between two attempts: search (Shop.swift:10), started by event #1. Its clock has to be \
      advanced.
      """)
  }

  @Test func anErrorAfterAnErrorSaysHowTheRunEnded() async {
    await context(.search()).run().send(.asked("a")).fail("search", with: Outage())
      .fail("search", with: Outage())
    expectHead(
      """
      `fail` found no held run alive for: search
      Held and alive is nothing.
      No longer alive: search (Shop.swift:10), started by event #1, payload "a", failed with \
      outage.
      """)
  }

  @Test func anAnswerThatFitsSeveralListsThem() async {
    await context(.upload(), .upload()).run().send(.stocked([.init(id: 1, name: "pen")]))
      .answer("upload", with: .logged("x")).send(.stocked([]))
    expectHead(
      """
      `answer` is for one held run, and 2 are alive for: upload
        upload[1] (Shop.swift:40), started by event #1, payload Item(id: 1, name: "pen")
        upload[1] (Shop.swift:40), started by event #1, payload Item(id: 1, name: "pen")
      Say which by the payload, `.run("upload", payload)`, or by the element, `.run("upload", \
      id: id)`. Where nothing tells them apart, `.oldest` is the one that has been alive the \
      longest.
      """)
  }

  @Test func anElementThatNeverCameIsNamedByItsID() async {
    await context(.upload()).run().send(.stocked([.init(id: 1, name: "pen")]))
      .end(.run("upload", id: 9)).send(.stocked([]))
    expectHead(
      """
      `end` found no held run alive for: upload[9]
      Held and alive:
        upload[1] (Shop.swift:40), started by event #1, payload Item(id: 1, name: "pen")
      No run of upload[9] has been alive so far: its trigger has not fired.
      """)
  }

  @Test func aContextThatHoldsNothingSaysSo() async {
    await context(.search(), held: .none).run().send(.asked("a")).alive("search")
    expectHead(
      """
      the held runs that are alive are not those that `alive` claims:
        missing: search
      search is not held, so its body runs: see `held:` where the context is made. There are: \
      search (not held).
      """)
  }

  @Test func aBodyThatReturnsAnEventAnswersOnce() async {
    await context(.save()).run().send(.saved(1))
      .answer("save", with: .logged("x"), .logged("y")).end("save")
    expectHead(
      """
      `answer` gave 2 events to a run whose body returns one: save (Shop.swift:20), started \
      by event #1, payload 1
        .logged("x"), .logged("y")
      Such a run ends with its event. Answer with one, or declare the body with a `Send`.
      """)
  }

  @Test func aBodyThatDoesNotThrowCannotFail() async {
    await context(.save()).run().send(.saved(1))
      .fail("save", with: Outage()).end("save")
    expectHead(
      """
      `fail` gave an error to a run whose body cannot throw: save (Shop.swift:20), started by \
      event #1, payload 1
        outage
      A body throws only where a `catch` stands beside it. Declare one, or `answer` the run \
      with an event.
      """)
  }

  @Test func aFeedbackThatDoesNotThrowCannotFailForItsTicks() async {
    let tick = Feedback<Shop>.every(
      .seconds(1), clock: clock, name: "tick", fileID: "Shop.swift", line: 70
    ) { nil }
    await context(tick).run().fail("tick", with: Outage())
    expectHead(
      """
      `fail` gave an error to a run whose body cannot throw: tick (Shop.swift:70), started \
      with the loop
        outage
      A body throws only where a `catch` stands beside it. Declare one, or `answer` the run \
      with an event.
      """)
  }
}
