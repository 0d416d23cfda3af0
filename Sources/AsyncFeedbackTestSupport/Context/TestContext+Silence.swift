internal import AsyncFeedback

// Why an event that is expected has not come.
extension TestContext {
  /// Says why no event waits, as far as it can be told.
  func adviceOnSilence(_ missing: [EventPattern<System.Event>]) -> String {
    if running == nil { return "The loop does not run. Call run() before the step." }
    let numbers = transcript.numbers { (event: System.Event) in
      missing.contains { $0.matches(event) }
    }
    if let number = numbers.last { return adviceOnReduced(number) }
    let lines = [foreignSleepAdvice, sleepAdvice].compactMap { $0 }
    guard lines.isEmpty else { return lines.joined(separator: "\n") }
    let outside = runsOutside
    guard outside.isEmpty else {
      return """
        What goes on does so outside of the test:
        \(outside.map { "  \(text(of: $0))" }.joined(separator: "\n"))
        It sleeps on a clock that is no TestClock, or waits for what has not come. Give it the clock of the \
        test, bring what it waits for, or hold its feedback.
        """
    }
    return context.driver.aliveRuns.isEmpty
      ? "Nothing is alive that could bring it: the state triggers no feedback that answers with it."
      : "What is alive has not brought it: answer what it waits for, or correct its feedback."
  }

  /// Says how an answer has been reduced that is expected.
  private func adviceOnReduced(_ number: Int) -> String {
    if let place = taken.place(of: number) {
      return "It was let go by the failure at line \(place.line), and reduced as event #\(number)."
    }
    let advice =
      exhaustivity == .automatic
      ? """
       Receive it before that step, or make the context with `exhaustivity: .on`, so that answers wait \
      from the start.
      """ : " Receive it before that step."
    return "It was reduced before, as event #\(number), by a step that lets answers go.\(advice)"
  }

  private var sleepAdvice: String? {
    sleepers.isEmpty
      ? nil : "Something is asleep: advance its clock, if that is to bring the event."
  }

  /// What to do about sleeps on other clocks than the one that the test moves.
  var foreignSleepAdvice: String? {
    foreignSleepers.isEmpty
      ? nil
      : """
      Something is asleep on another clock than the one that the context was made with, which alone \
      `advance(by:)` moves. Give the system that clock, or leave `clock:` out.
      """
  }
}
