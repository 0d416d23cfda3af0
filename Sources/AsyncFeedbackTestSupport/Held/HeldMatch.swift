/// Which claims are met by which runs, each by one of its own.
///
/// A claim may fit several runs and a run several claims, so taking the first that fits may leave a claim
/// without a run although there is one for each. Claims therefore make room for each other along
/// augmenting paths (Kuhn 1955).
struct HeldMatch {
  private var claimOfRun: [Int: Int] = [:]
  private let claims: [HeldRunClaim]
  private let runs: [HeldRun]

  init(_ claims: [HeldRunClaim], _ runs: [HeldRun]) {
    self.claims = claims
    self.runs = runs
    for claim in claims.indices {
      var tried: Set<Int> = []
      _ = place(claim, &tried)
    }
  }

  /// The claims that no run is left for.
  var missing: [HeldRunClaim] {
    let met = Set(claimOfRun.values)
    return claims.indices.filter { !met.contains($0) }.map { claims[$0] }
  }

  /// The runs that nothing claims.
  var unclaimed: [HeldRun] {
    runs.indices.filter { claimOfRun[$0] == nil }.map { runs[$0] }
  }

  private mutating func place(_ claim: Int, _ tried: inout Set<Int>) -> Bool {
    for run in runs.indices where claims[claim].fits(runs[run]) {
      guard tried.insert(run).inserted else { continue }
      if let other = claimOfRun[run], !place(other, &tried) { continue }
      claimOfRun[run] = claim
      return true
    }
    return false
  }
}
