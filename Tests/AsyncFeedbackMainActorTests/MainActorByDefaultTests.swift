import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

// Everything here is isolated to the main actor unless it says otherwise, so the model says so.

nonisolated struct Player: SystemProtocol {
  struct State: Sendable, Equatable {
    var album = Album()
    var selection: Album?
    var shelf: [Album] = [Album()]
    var ratings: [String: Int] = [:]
    var log: [String] = []
  }

  struct Album: Sendable, Equatable, Identifiable {
    var id = 0
    var title = ""
    var artist = Artist()
  }

  struct Artist: Sendable, Equatable {
    var name = ""
  }

  enum Event: Sendable, Equatable {
    case titled(String), selected(Album?), rated(Int), noted(String)
  }

  let list: [Feedback<Player>]

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .titled(let title):
        state.album.title = title
        state.shelf[0].artist.name = title
      case .selected(let album): state.selection = album
      case .rated(let rating): state.ratings["best"] = rating
      case .noted(let note): state.log.append(note)
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] { list }
}

nonisolated extension Feedback where System == Player {
  static let nested = Feedback(.onChanged(\.album.artist.name)) { _ in .noted("nested") }
  static let optional = Feedback(.onChanged(\.selection?.title)) { _ in .noted("optional") }
  static let element = Feedback(.onChanged(\.shelf[0].artist.name)) { _ in .noted("element") }
  static let subscripted = Feedback(.onChanged(\.ratings["best"])) { _ in .noted("subscripted") }
  static let several = Feedback(.onChanged(\.album.title, \.selection?.id)) { _ in .noted("several")
  }
  static let request = Feedback.request(\.selection?.title) { title in .noted("request \(title)") }

  static var variable: Feedback {
    let keyPath: any KeyPath<Player.State, String> & Sendable = \.album.title
    return Feedback(.onChanged(keyPath)) { _ in .noted("variable") }
  }
}

/// A dependency that lives on the main actor, as everything in this module does.
final class Catalogue {
  var asked: [String] = []

  func describe(_ title: String) -> String {
    asked.append(title)
    return "<\(title)>"
  }
}

/// Belongs to nobody.
nonisolated final class Scratch {
  var lines: [String] = []
}

@Suite("Swift 6 with the main actor as the default isolation")
nonisolated struct MainActorByDefaultTests {
  @MainActor private func start(_ list: [Feedback<Player>]) async -> (Context<Player>, Running) {
    let context = Context(state: Player.State(), system: Player(list: list))
    let running = context.start()
    await context.quiet()
    return (context, running)
  }

  @MainActor @Test("M1: triggers take every kind of key path")
  func m1() async {
    let (context, running) = await start([
      .nested, .optional, .element, .subscripted, .several, .request, .variable,
    ])
    #expect(
      context.log == ["nested", "optional", "element", "subscripted", "several", "variable"])
    await context.send(.titled("t")).settled()
    #expect(context.log.suffix(3) == ["element", "several", "variable"])
    await context.send(.selected(Player.Album(title: "s"))).settled()
    #expect(context.log.suffix(3) == ["optional", "several", "request s"])
    await context.send(.rated(5)).settled()
    #expect(context.log.suffix(1) == ["subscripted"])
    context.binding.album.artist.name.wrappedValue = "n"
    #expect(context.log.suffix(1) == ["nested"])
    running.stop()
    await running.ended()
  }

  @MainActor @Test("M2: a body takes a main-actor dependency and a local that is not Sendable")
  func m2() async {
    let catalogue = Catalogue()
    let scratch = Scratch()
    let (context, running) = await start([
      Feedback(.onChanged(\.album.title)) { @MainActor state async in
        scratch.lines.append(state.album.title)
        return .noted(catalogue.describe(state.album.title))
      },
      Feedback.request(\.selection) { @MainActor album, send async in
        scratch.lines.append("selected \(album.title)")
        send(.noted(catalogue.describe(album.title)))
      },
    ])
    await context.send(.titled("a")).settled()
    await context.send(.selected(Player.Album(title: "b"))).settled()
    #expect(context.log == ["<>", "<a>", "<b>"])
    #expect(scratch.lines == ["", "a", "selected b"])
    #expect(catalogue.asked == ["", "a", "b"])
    running.stop()
    await running.ended()
  }
}
