import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// A transcript that is too long to be shown.
@Suite(.unseeded) struct LongTranscriptTests {
  private let failures = Failures()

  private func course(of count: Int) async -> [String] {
    let context = failures.context(.init(), Sample())
    context.run()
    for number in 1...count {
      await context.send(.go(number), fileID: "App/Tests.swift", line: 5)
    }
    await context.send(.done(1), fileID: "App/Tests.swift", line: 6) { _ in }
    let text = failures.messages.first?.split(separator: "\ntranscript:\n").last ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  private let beginning = [
    "  loop started",
    "  #1 .go(1) from App/Tests.swift:5",
    "    n: 0 → 1",
    "  #2 .go(2) from App/Tests.swift:5",
    "    n: 1 → 2",
    "  #3 .go(3) from App/Tests.swift:5",
    "    n: 2 → 3",
  ]

  @Test func itShowsTheFirstEventsAndTheLast() async {
    let course = await course(of: 40)
    #expect(Array(course.prefix(7)) == beginning)
    #expect(course.dropFirst(7).first == "  … 17 events, #4 to #20")
    #expect(course.dropFirst(8).first == "    n: 19 → 20")
    #expect(
      course.suffix(2) == ["  #41 .done(1) from App/Tests.swift:6", "    done[0]: inserted 1"])
    #expect(course.count == 51)
  }

  @Test func itCountsTheEventsThatAreNotKept() async {
    let course = await course(of: 3_000)
    #expect(Array(course.prefix(7)) == beginning)
    #expect(course.dropFirst(7).first == "  … 2977 events, #4 to #2980")
    #expect(
      course.suffix(2) == ["  #3001 .done(1) from App/Tests.swift:6", "    done[0]: inserted 1"])
    #expect(course.count == 51)
  }

  @Test func aShortOneIsShownWhole() async {
    let course = await course(of: 21)
    #expect(course.count == 45)
    #expect(!course.contains { $0.contains("…") })
  }

  @Test func anExplorationHasTheCountToo() async {
    let transcripts = await transcripts(of: 3_000)
    #expect(transcripts.contains { $0.contains("\n  … ") && $0.contains(" events, #4 to #") })
  }

  private func transcripts(of count: Int) async -> [String] {
    var output: [String] = []
    let context = failures.context(.init(), Sample())
    context.transcriptOutput = { output.append($0) }
    context.run()
    for number in 1...count { await context.send(.go(number)) }
    context.finish()
    return output
  }
}
