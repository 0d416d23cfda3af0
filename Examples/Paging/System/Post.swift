/// Something to read.
public struct Post: Sendable, Equatable, Identifiable, Decodable {
  public let id: Int
  public let title: String

  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// Which posts are wanted.
public struct PageRequest: Sendable, Equatable {
  /// Counts the requests, so that the same page asked for again is another request.
  public let number: Int
  public let start: Int
  public let limit: Int

  public init(number: Int, start: Int, limit: Int) {
    self.number = number
    self.start = start
    self.limit = limit
  }
}

/// Where posts come from.
public protocol PostSource: Sendable {
  /// Returns at most as many posts as wanted, and fewer only at the end.
  ///
  /// Runs off the main actor and stops when it is cancelled.
  @concurrent func posts(for request: PageRequest) async throws -> [Post]
}

/// Why there is no page, in words.
public struct PageError: Error, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
