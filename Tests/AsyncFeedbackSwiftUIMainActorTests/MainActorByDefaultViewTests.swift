import AsyncFeedbackSwiftUI
import SwiftUI
import Testing

// As an application writes it whose code is isolated to the main actor by default.

nonisolated struct Tally: SystemProtocol {
  struct State: Sendable {
    var count = 0
    var word = ""
  }

  enum Event: Sendable {
    case tapped
    case worded(String)
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .tapped: state.count += 1
      case .worded(let word): state.word = word
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    Feedback(.onChanged(\.count)) { state in .worded("\(state.count) taps") }
  }
}

struct TallyScreen: View {
  @ViewContext(state: .init(), system: Tally()) var context

  var body: some View {
    Text(context.word)
    TextField("Word", text: $context.word)
    TallyButton(context: context)
      .task { await _context.runFeedbackLoop() }
  }
}

struct TallyButton: View {
  @ViewContext var context: Context<Tally>

  var body: some View {
    Button("Tap") { _context.send(.tapped) }
    Stepper("Count", value: $context.count)
  }
}

enum Unit: String {
  case celsius, kelvin
}

struct Place: Hashable {
  var name = "roof"
}

struct Degrees: View {
  @State private var unit = Unit.celsius
  @State private var place = Place()

  var body: some View {
    Button("Unit") { unit = .kelvin }
    StreamBuilder(id: unit, stream: { Self.degrees($0) }) { degrees in
      Text("\(degrees)")
    } empty: {
      ProgressView()
    } error: { _ in
      EmptyView()
    }
    StreamBuilder(id: place, stream: { _ in Self.degrees(unit) }) { degrees in
      Text("\(place.name) \(degrees)")
    } empty: {
      ProgressView()
    } error: { _ in
      EmptyView()
    }
  }

  static func degrees(_ unit: Unit) -> AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.yield(unit == .celsius ? 20 : 293)
      continuation.finish()
    }
  }
}

@Suite("Views with the main actor as the default isolation", .timeLimit(.minutes(10)))
struct MainActorByDefaultViewTests {
  @Test func screensAreWrittenWithoutAnyWordAboutIsolation() async throws {
    let host = Host { TallyScreen() }
    await host.wait(for: "0 taps")
    try host.tap("Tap")
    #expect(host.shows("1 taps"))
    try host.step("Count", by: 1)
    #expect(host.shows("2 taps"))
    try host.type("!", into: "Word")
    #expect(host.shows("Word: 2 taps!_"))
  }

  @Test func anyTypeOfOneThereIsTheIDOfASequence() async throws {
    let host = Host { Degrees() }
    await host.wait { host.lines == ["[Unit]", "20", "roof 20"] }
    try host.tap("Unit")
    await host.wait { host.lines == ["[Unit]", "293", "roof 20"] }
  }
}
