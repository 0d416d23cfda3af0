internal import AsyncFeedback

extension TestContext {
  /// Records how the held runs that are alive differ from the claims.
  func reportAlive(_ claims: [HeldRunClaim], at place: SourcePlace) {
    let match = HeldMatch(claims, desk.runs)
    let missing = match.missing
    var unclaimed = match.unclaimed
    guard !missing.isEmpty || !unclaimed.isEmpty else { return }
    excusedRuns.formUnion(unclaimed.map(\.info.number))
    var lines = ["the held runs that are alive are not those that `alive` claims:"]
    lines += missing.map { "  missing: \($0)" }
    lines += unclaimed.map { "  not claimed: \(text(of: $0))" }
    lines += hints(for: missing, &unclaimed)
    // A run beside a name that does not exist is the one that was meant.
    if !unclaimed.isEmpty, missing.allSatisfy({ desk.knows($0.name) }) {
      lines.append(
        "`alive` names every held run that is alive. Claim it too, answer it, or have the state end it."
      )
    }
    record("\(lines.joined(separator: "\n"))", at: place)
  }

  /// The body that a step is for; where there is none, or it cannot do what it is told, that is recorded.
  func heldBody(
    _ claim: HeldRunClaim, for word: HeldBody<System>.Word, as step: String, at place: SourcePlace
  ) -> HeldBody<System>? {
    let runs = desk.runs
    let fitting = runs.filter { claim.fits($0) }
    guard let run = fitting.first, fitting.count == 1 || claim.isOldest else {
      let text =
        fitting.isEmpty
        ? nobody(claim, runs, step) : severalFit(claim, fitting, step)
      record("\(text)", at: place)
      excusedRuns.formUnion((fitting.isEmpty ? runs : fitting).map(\.info.number))
      return nil
    }
    guard let body = desk.body(of: run.info) else { return nil }
    if let complaint = complaint(of: body, about: word) {
      record("\(complaint)", at: place)
      excusedRuns.insert(run.info.number)
      return nil
    }
    return body
  }

  private func nobody(_ claim: HeldRunClaim, _ alive: [HeldRun], _ step: String) -> String {
    let lines = ["`\(step)` found no held run alive for: \(claim)"]
    let list =
      alive.isEmpty
      ? ["Held and alive is nothing."]
      : ["Held and alive:"] + alive.map { "  \(text(of: $0))" }
    var others = alive
    return (lines + list + hints(for: [claim], &others)).joined(separator: "\n")
  }

  private func severalFit(
    _ claim: HeldRunClaim, _ fitting: [HeldRun], _ step: String
  ) -> String {
    """
    `\(step)` is for one held run, and \(fitting.count) are alive for: \(claim)
    \(fitting.map { "  \(text(of: $0))" }.joined(separator: "\n"))
    Say which by the payload, `.run("\(claim.name)", payload)`, or by the element, \
    `.run("\(claim.name)", id: id)`. Where nothing tells them apart, `.oldest` is the one that has been \
    alive the longest.
    """
  }

  /// Why a body cannot do what it is told.
  private func complaint(
    of body: HeldBody<System>, about word: HeldBody<System>.Word
  ) -> String? {
    switch word {
    case .answer(let events) where events.count > 1 && body.input.answers == .once:
      """
      `answer` gave \(events.count) events to a run whose body returns one: \(text(of: body.run))
        \(events.map { describe($0) }.joined(separator: ", "))
      Such a run ends with its event. Answer with one, or declare the body with a `Send`.
      """
    case .fail(let error) where !body.input.throwsErrors:
      """
      `fail` gave an error to a run whose body cannot throw: \(text(of: body.run))
        \(describe(error))
      A body throws only where a `catch` stands beside it. Declare one, or `answer` the run with an event.
      """
    case .answer, .end, .fail:
      nil
    }
  }

  /// A run in a list of those that are held.
  private func text(of run: HeldRun) -> String {
    "\(text(of: run.info))\(run.payloadText)"
  }

  /// What a report says of a run that is held, behind the rest; nil for another run.
  func heldNote(_ run: RunInfo) -> String? {
    desk.body(of: run).map { ", held\($0.run.payloadText)" }
  }
}

// MARK: - Hints

extension TestContext {
  /// Why runs that were claimed may not be there.
  ///
  /// - Parameter others: the runs that are there; a run that explains a claim is taken out.
  private func hints(for missing: [HeldRunClaim], _ others: inout [HeldRun]) -> [String] {
    var hints: [String] = []
    for claim in missing {
      let hint = hint(for: claim, &others)
      if !hints.contains(hint) { hints.append(hint) }
    }
    return hints
  }

  private func hint(for claim: HeldRunClaim, _ others: inout [HeldRun]) -> String {
    if let reason = desk.reasonNotToHold(claim.name) { return reason }
    if let payload = claim.payload,
      let index = others.firstIndex(where: { claim.fitsBesidesPayload($0) })
    {
      let difference = payload.difference(others.remove(at: index).payload)
      return """
        The payload of \(claim.address) differs, from the one claimed to the one that is alive:
        \(difference.map { "  \($0)" }.joined(separator: "\n"))
        Correct the claim, or what the run was started with.
        """
    }
    if claim.key != nil, desk.bodies.hadRunWithoutElement(claim.name) {
      // It is the run that was meant.
      others.firstIndex { $0.name == claim.name }.map { _ = others.remove(at: $0) }
      return """
        \(claim.name) has no elements, so no id tells its runs apart: that is for `Feedback.each` and \
        `Feedback.eachUpdating`. Claim it by its name, or by its payload: `.run("\(claim.name)", payload)`.
        """
    }
    if running == nil { return "The loop does not run, and starts with `run()`." }
    let going = context.driver.aliveRuns.filter { info, run in
      info.feedback.name == claim.name && (claim.key == nil || claim.key == run.key)
    }
    if let due = going.first(where: { $0.run.phase == .due }) {
      return """
        Not alive yet: \(text(of: due.info)), begins when the answers that wait have been received.
        """
    }
    if let waiting = going.first(where: { $0.run.phase == .waiting }) {
      return "Not alive yet: \(text(of: waiting.info)), waits for another run to end."
    }
    if let idle = going.first(where: { desk.body(of: $0.info) == nil }) {
      return "Between two attempts: \(text(of: idle.info)). Its clock has to be advanced."
    }
    let taken = desk.runs.filter { claim.fitsBesidesPayload($0) }.count
    if taken > 0 {
      return
        "Of \(claim.address) only \(taken) \(taken == 1 ? "is" : "are") alive, and each claim is for a run of its own."
    }
    guard let ended = desk.bodies.lastEnded(fitting: claim), let ending = ended.ending else {
      return neverAlive(claim)
    }
    return "No longer alive: \(text(of: ended.run)), \(text(of: ending))."
  }

  private func neverAlive(_ claim: HeldRunClaim) -> String {
    let never = "No run of \(claim.address) has been alive so far: its trigger has not fired"
    guard desk.isPaced(claim.name), context.driver.isWaitingForPace else { return "\(never)." }
    return desk.onlyPaced == claim.name
      ? "Not alive yet: a trigger of \(claim.name) waits for its pace. Advance its clock."
      : "\(never), or waits for its pace. Then its clock has to be advanced."
  }

  private func text(of ending: HeldBody<System>.Ending) -> String {
    switch ending {
    case .said(.answer): "was answered"
    case .said(.end): "was ended by the test"
    case .said(.fail(let error)): "failed with \(describe(error))"
    case .cancelled(by: let event?): "was cancelled by event #\(event)"
    case .cancelled(by: nil): "was cancelled, by a time limit or with the loop"
    }
  }
}
