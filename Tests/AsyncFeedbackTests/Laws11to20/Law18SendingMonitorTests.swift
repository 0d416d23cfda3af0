import AsyncFeedback
import Testing

@Suite("Law 18: monitors that send") struct Law18SendingMonitorTests {
  /// What a monitor sends, once it sees a line that begins so.
  private func lines(
    sending number: Int, at word: String, feedbacks: [Feedback<Trace>], _ first: Int
  ) async -> [String] {
    let send = Handover<@Sendable (Int) -> Void>()
    let monitor = WordMonitor { line in
      guard line.hasPrefix(word), let send = send.value else { return }
      send(number)
    }
    let context = Context(state: [], system: Trace.appending(feedbacks), monitor: monitor)
    let running = context.start()
    await context.quiet()
    send.value = { [weak context] number in
      send.value = nil
      monitor.journal.note("monitor sends")
      context?.send(number)
      monitor.journal.note("monitor goes on")
    }
    await context.send(first).settled()
    await context.quiet()
    running.stop()
    await running.ended()
    return monitor.lines
  }

  /// A feedback that answers the first event after a wait, or at once.
  private func answer(_ isSuspended: Bool) -> Feedback<Trace> {
    Feedback.on({ $0 == 1 ? 1 : nil }, name: "answer") { _ in
      if isSuspended { await Task {}.value }
      return 2
    }
  }

  @Test(arguments: [false, true])
  func whatItSendsAtAnAnswerComesAfterTheAnswer(isSuspended: Bool) async {
    let lines = await lines(
      sending: 3, at: "answered", feedbacks: [answer(isSuspended)], 1)
    #expect(lines.contains("state [1, 2, 3]"))
    let sent = lines.firstIndex(of: "monitor sends") ?? 0
    #expect(lines.dropFirst(sent).prefix(2) == ["monitor sends", "monitor goes on"])
  }

  @Test func aSynchronousAnswerComesFirstToo() async {
    let feedback = Feedback<Trace>.on({ $0 == 1 ? 1 : nil }, name: "answer") { _ in 2 }
    let lines = await lines(sending: 3, at: "answered", feedbacks: [feedback], 1)
    #expect(lines.contains("state [1, 2, 3]"))
  }

  @Test func aRunIsNotReportedAgainForWhatItSendsAtTheRunsEnd() async {
    let feedback = Feedback<Trace>(.while { $0.last == 1 }, name: "level") { _, send in
      await Task {}.value
    }
    let lines = await lines(sending: 5, at: "finished", feedbacks: [feedback], 1)
    let end = lines.firstIndex(of: "finished level") ?? 0
    #expect(
      lines.dropFirst(end).prefix(4) == [
        "finished level", "monitor sends", "monitor goes on", "event 5",
      ])
    #expect(!lines.contains("cancelled level"))
  }
}
