import AsyncFeedback
import AsyncFeedbackTestSupport

/// A system whose feedbacks have payloads of each kind.
struct Shop: SystemProtocol {
  struct State: Equatable {
    var query: String?
    var isOpen = false
    var count = 0
    var items: [Item] = []
    var log: [String] = []
  }

  struct Item: Equatable, Identifiable {
    let id: Int
    var name: String
  }

  enum Event: Equatable {
    case asked(String?)
    case opened(Bool)
    case counted(Int)
    case stocked([Item])
    case saved(Int)
    case logged(String)
  }

  private let list: [Feedback<Self>]

  init(_ list: Feedback<Self>...) {
    self.list = list
  }

  init(_ list: [Feedback<Self>]) {
    self.list = list
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .asked(let query): state.query = query
      case .opened(let isOpen): state.isOpen = isOpen
      case .counted(let count): state.count = count
      case .stocked(let items): state.items = items
      case .saved: break
      case .logged(let line): state.log.append(line)
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] { list }
}

/// The error of a body that a test lets fail.
struct Outage: Error, Equatable, CustomStringConvertible {
  var description: String { "outage" }
}

extension Feedback<Shop> {
  /// Bodies that must not run: each would leave a line in the log.
  static func search(_ policy: Policy = .latest, line: Int = 10) -> Self {
    Feedback.request(
      \.query, policy: policy, name: "search", fileID: "Shop.swift", line: line,
      catch: { .logged("\($0)") }
    ) { query async throws in .logged("body of \(query)") }
  }

  /// A body that returns an event and does not throw, for each event that saves.
  static func save(_ policy: Policy = .overlapping) -> Self {
    Feedback.on(
      { if case .saved(let number) = $0 { number } else { nil } }, policy: policy, name: "save",
      fileID: "Shop.swift", line: 20
    ) { number async in .logged("body of \(number)") }
  }

  /// A body that sends, with the whole state.
  static var watch: Self {
    Feedback(.while(\.isOpen), name: "watch", fileID: "Shop.swift", line: 30) { _, send async in
      send(.logged("body of watch"))
    }
  }

  /// A body for each item.
  static func upload(_ policy: Policy = .latest) -> Self {
    Feedback.each(\.items, policy: policy, name: "upload", fileID: "Shop.swift", line: 40) {
      item async in .logged("body of \(item)")
    }
  }

  /// A body that answers in its turn.
  static var note: Self {
    Feedback(.onChanged(\.count), name: "note", fileID: "Shop.swift", line: 50) { state in
      state.count == 0 ? nil : .logged("count \(state.count)")
    }
  }
}
