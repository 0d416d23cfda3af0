/// Five hundred posts in memory that take their time and now and then fail, the same way whenever
/// the seed is the same.
package struct Catalogue: PostSource {
  /// All there is.
  package static let posts = (1...500).map { Post(id: $0, title: title($0)) }

  private let seed: UInt64
  private let latency: Duration
  private let failureRate: Double
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - seed: Decides which requests fail.
  ///   - latency: How long each answer takes.
  ///   - failureRate: The share of requests that fail, from 0 to 1.
  package init(
    seed: UInt64 = 1, latency: Duration = .milliseconds(50), failureRate: Double = 0,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.seed = seed
    self.latency = latency
    self.failureRate = failureRate
    self.clock = clock
  }

  @concurrent package func posts(for request: PageRequest) async throws -> [Post] {
    try await clock.sleep(for: latency)
    // The draw hangs on the request alone, so requests that overtake each other change nothing.
    guard Self.draw(seed: seed, number: request.number) >= failureRate else {
      throw PageError("the catalogue is out of order")
    }
    return Array(Self.posts.dropFirst(request.start).prefix(request.limit))
  }

  /// A number from 0 up to 1: one step of SplitMix64 (Steele, Lea, Flood 2014).
  private static func draw(seed: UInt64, number: Int) -> Double {
    var bits = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) / Double(1 << 53)
  }

  /// Three words by the number written with mixed bases, so that no two titles are the same.
  private static func title(_ number: Int) -> String {
    let subjects = ["The lamp", "A river", "The clerk", "My neighbour", "An old map"]
    let verbs = [
      "finds", "forgets", "follows", "paints", "repairs", "borrows", "describes", "hides",
      "measures", "misses",
    ]
    let objects = [
      "a letter", "the tide", "two keys", "a garden", "the morning", "a bridge", "its echo",
      "the market", "a violin", "the last train",
    ]
    return
      "\(subjects[number % 5]) \(verbs[number / 5 % 10]) \(objects[(number / 50 + number) % 10])"
  }
}
