/// Something to read.
package struct Post: Sendable, Equatable, Identifiable, Decodable {
  package let id: Int
  package let title: String

  package init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// Which posts are wanted.
package struct PageRequest: Sendable, Equatable {
  /// Counts the requests, so that the same page asked for again is another request.
  package let number: Int
  package let start: Int
  package let limit: Int

  package init(number: Int, start: Int, limit: Int) {
    self.number = number
    self.start = start
    self.limit = limit
  }
}

/// Where posts come from.
package protocol PostSource: Sendable {
  /// Returns at most as many posts as wanted, and fewer only at the end.
  ///
  /// Runs off the main actor and stops when it is cancelled.
  @concurrent func posts(for request: PageRequest) async throws -> [Post]
}

/// Why there is no page, in words.
package struct PageError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
