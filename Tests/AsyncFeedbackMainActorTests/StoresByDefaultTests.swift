import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

// As an application writes it whose code is isolated to the main actor by default.

@Observable final class Tracks: StreamValue<[Tracks.Album]> {
  var artist: String {
    didSet { refresh() }
  }
  private(set) var isBuying = false

  nonisolated struct Album: Sendable, Equatable { var title = "" }

  init(artist: String) {
    self.artist = artist
    super.init()
  }

  override func makeStream() -> S {
    let artist = artist
    return AsyncStream { continuation in
      continuation.yield([Album(title: artist)])
      continuation.finish()
    }.erasingFailure()
  }

  func buy(_ effect: SideEffect<Int, Int>) async throws -> Int {
    isBuying = true
    defer { isBuying = false }
    return try await effect.run(2)
  }
}

@Observable final class Charts: StreamValue<Charts.State> {}

extension Charts {
  nonisolated struct State: Sendable { var places: [Int] = [] }

  convenience init(places: [Int]) {
    self.init {
      AsyncStream<State> { continuation in
        continuation.yield(State(places: places))
        continuation.finish()
      }
    }
  }
}

final class Library {
  var log: [String] = []
  func find(_ text: String) async throws -> Int {
    log.append(text)
    return text.count
  }
}

nonisolated struct Listening: SystemProtocol {
  struct State: Sendable {
    var artist: String?
    var tracks = StreamState<[Tracks.Album]>.empty
    var query: String?
    var found: Int?
    var isOver = false
  }

  enum Event: Sendable {
    case artistChosen(String?), tracksChanged(StreamState<[Tracks.Album]>), ended
    case asked(String), found(Int), failed
  }

  let search: FutureValue<String, Int>
  let buy: SideEffect<String, Int>

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .artistChosen(let artist): state.artist = artist
      case .tracksChanged(let tracks): state.tracks = tracks
      case .ended: state.isOver = true
      case .asked(let query): state.query = query
      case .found(let number): state.found = (state.found ?? 0) + number
      case .failed: state.query = nil
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    Feedback.stream(\.artist) { artist in
      Tracks(artist: artist)
    } end: {
      .ended
    } event: { tracks in
      .tracksChanged(tracks)
    }
    Feedback.request(\.query, executing: search, catch: { _ in .failed }) { .found($0) }
    Feedback.request(\.query, running: buy, catch: { _ in .failed }) { .found($0) }
  }
}

@Suite("Stores with the main actor as the default isolation", .timeLimit(.minutes(10)))
struct StoresByDefaultTests {
  @Test func storesAreWrittenWithoutAnyWordAboutIsolation() async throws {
    let tracks = Tracks(artist: "a")
    await tracks.run()
    #expect(tracks.state.data == [Tracks.Album(title: "a")])
    tracks.artist = "b"
    await tracks.run()
    #expect(tracks.state.data?.first?.title == "b")
    let charts = Charts(places: [1])
    await charts.run()
    #expect(charts.state.data?.places == [1])
    #expect(charts.binding(\.places).wrappedValue == [1])
    var doubled: [Int] = []
    let effect = SideEffect<Int, Int> {
      doubled.append($0)
      return $0 * 2
    }
    #expect(try await tracks.buy(effect) == 4)
    #expect(doubled == [2])
    let library = Library()
    let future = FutureValue<String, Int> { try await library.find($0) }
    future.execute("abc")
    future.reset()
    let memo = Memo { (numbers: [Int]) in numbers.count }
    #expect(memo.value(for: [1, 2]) == 2)
  }

  @Test func aSystemFollowsThem() async {
    let library = Library()
    let system = Listening(
      search: FutureValue { try await library.find($0) },
      buy: SideEffect { try await library.find($0) })
    let context = Context(state: .init(), system: system)
    let running = context.start()
    context.send(.artistChosen("a"))
    context.send(.asked("abc"))
    for await isDone in context.values(of: { $0.isOver && $0.found == 6 }) where isDone { break }
    #expect(context[\.self].tracks.data == [Tracks.Album(title: "a")])
    #expect(library.log == ["abc", "abc"])
    running.stop()
    await running.ended()
  }
}
