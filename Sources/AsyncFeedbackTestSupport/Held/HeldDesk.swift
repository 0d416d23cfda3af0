internal import AsyncFeedback

/// The feedbacks of a context, those that are held among them.
struct HeldDesk<System: SystemProtocol> {
  /// What becomes of a feedback's body.
  enum Fate {
    case held
    case runs
    case answersInItsTurn
  }

  let bodies = HeldBodies<System>()
  /// The feedbacks for the context.
  let feedbacks: [Feedback<System>]
  /// The feedbacks whose triggers wait for a pace.
  private let paced: [String]
  /// What the names are, in the order of their first declarations.
  private let names: [String]
  private let fates: [String: Set<Fate>]

  init(_ feedbacks: [Feedback<System>], holding held: HeldFeedbacks) {
    var names: [String] = []
    var fates: [String: Set<Fate>] = [:]
    self.feedbacks = feedbacks.map { [bodies] feedback in
      let name = feedback.declaration.name
      if fates[name] == nil { names.append(name) }
      guard case .run = feedback.reaction else {
        fates[name, default: []].insert(.answersInItsTurn)
        return feedback
      }
      guard held.holds(name) else {
        fates[name, default: []].insert(.runs)
        return feedback
      }
      fates[name, default: []].insert(.held)
      return feedback.substituting { input in
        { payload, key, pace in bodies.work(input, payload, key, pace) }
      }
    }
    self.names = names
    self.fates = fates
    paced = feedbacks.filter { $0.pace != nil && !$0.pacesElements }.map(\.declaration.name)
  }

  /// The runs that are alive, in the order in which they began.
  var runs: [HeldRun] { bodies.alive.map(\.run) }

  /// The feedback whose triggers wait for a pace, if there is one alone.
  var onlyPaced: String? { paced.count == 1 ? paced.first : nil }

  /// Whether the triggers of a feedback of this name wait for a pace.
  func isPaced(_ name: String) -> Bool { paced.contains(name) }

  /// The body of a run, while it is alive.
  func body(of run: RunInfo) -> HeldBody<System>? {
    bodies.alive.first { $0.info.number == run.number }
  }
}

// MARK: - Names

extension HeldDesk {
  /// What is wrong with the names that were given for the held feedbacks; nil if nothing is.
  func complaint(about held: HeldFeedbacks) -> String? {
    let complaints = held.names.compactMap { name -> String? in
      guard let fates = fates[name] else { return "  no feedback is called \(name)" }
      guard held.claimsRuns, fates == [.answersInItsTurn] else { return nil }
      return "  \(name) answers in the turn of its trigger, which cannot be held"
    }
    return complaint("held:", complaints)
  }

  /// What is wrong with the names of the feedbacks that can end a transient state; nil if nothing is.
  func complaint(aboutEnders enders: [String]) -> String? {
    complaint(
      "endedBy:", enders.filter { fates[$0] == nil }.map { "  no feedback is called \($0)" })
  }

  private func complaint(_ argument: String, _ complaints: [String]) -> String? {
    guard !complaints.isEmpty else { return nil }
    return """
      `\(argument)` must name feedbacks that there are:
      \(complaints.joined(separator: "\n"))
      A feedback has the name that it is given with `name:`, or else that of the function that declares \
      it, or the word for its trigger. \(list(tellingFates: false))
      """
  }

  /// Why no run of this name can be held; nil if one can.
  func reasonNotToHold(_ name: String) -> String? {
    let list = list(tellingFates: true)
    guard let fates = fates[name] else { return "No feedback is called \(name). \(list)" }
    if fates.contains(.held) { return nil }
    if fates.contains(.runs) {
      return "\(name) is not held, so its body runs: see `held:` where the context is made. \(list)"
    }
    return "\(name) answers in the turn of its trigger, so it is never held. \(list)"
  }

  /// Whether there is a feedback of this name.
  func knows(_ name: String) -> Bool { fates[name] != nil }

  /// All names.
  private func list(tellingFates: Bool) -> String {
    guard !names.isEmpty else { return "There are no feedbacks at all." }
    let words = names.map { name in
      let fates = fates[name, default: []]
      if fates == [.answersInItsTurn] { return "\(name) (synchronous)" }
      return fates.contains(.held) || !tellingFates ? name : "\(name) (not held)"
    }
    return "There are: \(words.joined(separator: ", "))."
  }
}
