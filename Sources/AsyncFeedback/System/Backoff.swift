/// How long a retry waits after each failure.
public struct Backoff: Sendable {
  package let delay: @Sendable (_ attempt: Int) -> Duration

  /// The same wait after each failure.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff { _ in delay }
  }

  /// Doubles the wait after each failure, from `first` up to `limit`.
  ///
  /// - Parameter jitterSeed: with a seed each wait is drawn evenly from the upper half of its span, by
  ///   a generator that starts from the seed anew in each run, so that many clients spread out and a
  ///   test repeats exactly. Without one there is no jitter.
  public static func exponential(
    from first: Duration, to limit: Duration, jitterSeed: UInt64? = nil
  ) -> Backoff {
    precondition(first > .zero, "first must be positive (was \(first))")
    precondition(limit >= first, "limit must be at least \(first) (was \(limit))")
    return Backoff { attempt in
      var delay = first
      for _ in 1..<max(attempt, 1) where delay < limit { delay = min(delay * 2, limit) }
      guard let jitterSeed else { return delay }
      let fraction = SplitMix64.unit(seed: jitterSeed, index: UInt64(attempt))
      return delay / 2 + (delay / 2) * fraction
    }
  }
}

/// Sebastiano Vigna's SplitMix64 (public domain, https://prng.di.unimi.it/splitmix64.c).
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The number at a position of the sequence, in 0..<1.
  package static func unit(seed: UInt64, index: UInt64) -> Double {
    var generator = SplitMix64(seed: seed &+ index &* 0x9E37_79B9_7F4A_7C15)
    return Double(generator.next() >> 11) / Double(1 << 53)
  }
}
