import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("Stores in views", .timeLimit(.minutes(10)))
struct StreamBuilderTests {
  struct Broken: Error {}

  /// The second line counts the taps that the present value has seen.
  struct Row: View {
    let number: Int
    @State private var taps = 0

    var body: some View {
      Text("\(number)")
      Button("taps \(taps)") { taps += 1 }
    }
  }

  struct StoreScreen: View {
    let stores: [StreamValue<Int>]
    @State private var index = 0

    var body: some View {
      Button("next") { index = (index + 1) % stores.count }
      StreamBuilder(stores[index]) { number in
        Row(number: number)
      } empty: {
        Text("empty")
      } error: { error in
        Button("retry \(error is Broken)") { stores[index].refresh() }
      }
    }
  }

  private func store(_ feed: TestFeed<Int>) -> StreamValue<Int> {
    StreamValue { feed.make() }
  }

  @Test func aStoreIsShownAndRunWhileItsViewIsThere() async throws {
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { [store = store(feed)] in StoreScreen(stores: [store]) }
    #expect(host.lines == ["[next]", "empty"])
    let first = await feed.run(0)
    await first.send(1)
    await host.wait(for: "1")
    try host.tap("taps 0")
    await first.send(2)
    await host.wait(for: "2")
    #expect(host.lines.last == "[taps 1]")
    first.fail(with: Broken())
    await host.wait(for: "[retry true]")
    try host.tap("retry true")
    #expect(host.lines.last == "empty")
    let second = await feed.run(1)
    await second.send(3)
    await host.wait(for: "3")
    host.cover()
    await second.ended()
    host.uncover()
    #expect(host.shows("3"))
    await feed.run(2).send(4)
    await host.wait(for: "4")
  }

  @Test func anotherStoreIsRunInPlaceOfTheFormer() async throws {
    let feeds = [TestFeed<Int>(limit: patience), TestFeed<Int>(limit: patience)]
    let stores = feeds.map(store)
    let host = Host { StoreScreen(stores: stores) }
    await feeds[0].run(0).send(1)
    await host.wait(for: "1")
    try host.tap("next")
    #expect(host.lines.last == "empty")
    await feeds[0].run(0).ended()
    await feeds[1].run(0).send(2)
    await host.wait(for: "2")
  }

  @Test("G6: a sequence without an end is cancelled when its view goes")
  func g6() async {
    let feeds = [TestFeed<Int>(limit: patience), TestFeed<Int>(limit: patience)]
    var host: Host? = Host { [store = store(feeds[0])] in
      StoreScreen(stores: [store])
      SequenceBuilderTests.SequenceScreen(feeds: [feeds[1]])
    }
    for feed in feeds { await feed.run(0).send(1) }
    await host?.wait(for: "1")
    host = nil
    for feed in feeds {
      await feed.run(0).ended()
      #expect(feed.latest.ending == .cancelled)
    }
  }

  @Test func aStoreThatIsMadeLaterIsObservedThen() async throws {
    struct Screen: View {
      let make: () -> StreamValue<Int>
      @State private var store: StreamValue<Int>?

      var body: some View {
        Button("make") { store = make() }
        Text(store?.state.data.map { "\($0)" } ?? "none")
          .observing(store)
      }
    }
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { Screen { StreamValue { feed.make() } } }
    #expect(host.lines.last == "none")
    try host.tap("make")
    await feed.run(0).send(1)
    await host.wait(for: "1")
  }

  struct Studio: Sendable, Equatable {
    let name: String
    var motto: String?
  }

  @Test func aPartOfAStoreIsBoundToAControl() async throws {
    struct Screen: View {
      let store: StreamValue<Studio>

      var body: some View {
        Text((store.binding(\.name) as Binding<String?>).wrappedValue ?? "-")
        MottoField(motto: store.binding(\.motto))
          .observing(store)
      }
    }
    struct MottoField: View {
      @Binding var motto: String?

      var body: some View {
        Button("motto \(motto ?? "-")") { motto = (motto ?? "") + "!" }
      }
    }
    let feed = TestFeed<Studio>(limit: patience)
    let host = Host { [store = StreamValue { feed.make() }] in Screen(store: store) }
    try host.tap("motto -")
    #expect(host.lines == ["-", "[motto -]"])
    await feed.run(0).send(Studio(name: "a", motto: "b"))
    await host.wait(for: "[motto b]")
    try host.tap("motto b")
    #expect(host.lines == ["a", "[motto b!]"])
  }

  @Test func aBindingToAPartReadsWhatIsThereWhenItIsRead() async {
    let feed = TestFeed<Studio>(limit: patience)
    let store = StreamValue { feed.make() }
    let name: Binding<String?> = store.binding(\.name)
    let host = Host { Text("").observing(store) }
    #expect(name.wrappedValue == nil)
    await feed.run(0).send(Studio(name: "a"))
    #expect(name.wrappedValue == "a")
    await feed.run(0).send(Studio(name: "b"))
    #expect(name.wrappedValue == "b")
    withExtendedLifetime(host) {}
  }

  @Test func aFutureIsShownAsItGoesOn() async throws {
    struct Screen: View {
      let future: FutureValue<Int, String>

      var body: some View {
        Button("pay") { future.execute(3) }
        switch future.state {
        case .initial: Text("initial")
        case .loading: ProgressView()
        case .success(let receipt): Text(receipt)
        case .failure(let error): Text("\(error)")
        }
      }
    }
    let go = Signal()
    let future = FutureValue<Int, String> { amount in
      _ = await go.wait()
      return "paid \(amount)"
    }
    let host = Host { Screen(future: future) }
    #expect(host.lines.last == "initial")
    try host.tap("pay")
    #expect(host.lines.last == "…")
    go.give()
    await host.wait(for: "paid 3")
  }
}
