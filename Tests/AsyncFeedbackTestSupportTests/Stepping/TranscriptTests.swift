import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct TranscriptTests {
  private let failures = Failures()
  private let clock = TestClock()

  @Test func aFailureTellsTheWholeCourse() async {
    let context = failures.context(.init(), Stepper(clock: clock), clock: clock)
    await context.run().send(.loadTapped).advance(by: .seconds(1)).send(.loadTapped).send(
      .loaded([])
    )
    .send(.loadTapped)
    context.finish()
    let text = failures.messages.map(withoutPlaces).first ?? ""
    #expect(
      text.replacing(/AsyncFeedbackTestSupportTests\/TranscriptTests.swift:\d+/, with: "test")
        == """
        the test finished while a run was going:
          load (place), started by event #6
        Let it end: answer what it waits for, advance its clock, or have the state end it.
        state: State(isLoading: true, items: [1, 2], note: "2 items", ratio: 0.0)
        alive:
          load (place), started by event #6
        asleep:
          a sleeper without id until 2.0 seconds, in load
        transcript:
          loop started
            started note (place)
            finished note (place)
          #1 .loadTapped from test
            isLoading: false → true
            started load (place)
          clock: 0.0 seconds → 1.0 seconds
            answered .loaded([1, 2]): load (place)
            finished load (place)
          #2 .loaded([1, 2]) from load (place)
            isLoading: true → false
            items[0]: inserted 1
            items[1]: inserted 2
            started note (place)
            answered .noted("2 items"): note (place)
            finished note (place)
          #3 .noted("2 items") from note (place)
            note: nil → "2 items"
          #4 .loadTapped from test
            isLoading: false → true
            started load (place)
          #5 .loaded([]) from test
            isLoading: true → false
            cancelled load (place)
            answered .loaded([1, 2]): load (place)
            ended after its cancellation: load (place)
            dropped .loaded([1, 2]), its run has lost its lease: load (place)
          #6 .loadTapped from test
            isLoading: false → true
            started load (place)
        """)
  }

  @Test func onRequestATestThatPassesTellsItToo() async {
    let context = failures.context(.init(), Stepper(clock: clock), clock: clock)
    var output: [String] = []
    context.transcriptOutput = { output.append($0) }
    await context.run().send(.noted("a"))
    let line: UInt = #line + 1
    context.finish()
    #expect(failures.messages == [])
    #expect(output.count == 1)
    #expect(
      withoutPlaces(output.first ?? "")
        .replacing(/AsyncFeedbackTestSupportTests\/TranscriptTests.swift/, with: "test") == """
          test:\(line):19: transcript of Stepper
            loop started
              started note (place)
              finished note (place)
            #1 .noted("a") from test:\(line - 2)
              note: nil → "a"
            loop stopped
          """)
  }
}
