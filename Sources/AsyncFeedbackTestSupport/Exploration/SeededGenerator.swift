internal import AsyncFeedback

/// A generator of random numbers that repeats its numbers for the same seed, on every platform.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var numbers: SplitMix64

  /// Makes a generator.
  public init(seed: UInt64) {
    numbers = SplitMix64(seed: seed)
  }

  /// The next number.
  public mutating func next() -> UInt64 { numbers.next() }
}
