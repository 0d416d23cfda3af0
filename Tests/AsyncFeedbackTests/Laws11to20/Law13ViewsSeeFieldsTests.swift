import Observation
import Testing

@testable import AsyncFeedback

@MainActor @Suite("Law 13: views see fields, not states")
struct Law13ViewsSeeFieldsTests {
  struct Fields: Sendable {
    var a = 0
    var b = 0
    var compared: Compared
    var unwatched: Compared
    var send = "a field that a member hides"

    init(_ comparisons: Comparisons, unwatched: Comparisons = Comparisons()) {
      compared = Compared(number: 0, comparisons: comparisons)
      self.unwatched = Compared(number: 0, comparisons: unwatched)
    }
  }

  private func withContext(
    _ fields: Fields = Fields(Comparisons()),
    _ body: (Context<ChangeSystem<Fields>>) async -> Void
  ) async {
    let context = Context(state: fields, system: ChangeSystem<Fields> {})
    let running = context.start()
    await context.quiet()
    await body(context)
    running.stop()
    await running.ended()
  }

  @Test func aReadIsInvalidatedOnlyByItsField() async {
    await withContext { context in
      let told = Journal<String>()
      track("a", told) { context.a }
      for _ in 0..<10 { context.send(Change { $0.b += 1 }) }
      #expect(told.entries == [])
      context.send(Change { $0.a += 1 })
      #expect(told.entries == ["a"])
    }
  }

  @Test func aWatchEndsWhenItHasNotifiedAndTheNextReadRenewsIt() async {
    await withContext { context in
      let told = Journal<String>()
      track("a", told) { context.a }
      for _ in 0..<3 { context.send(Change { $0.a += 1 }) }
      #expect(told.entries == ["a"])
      track("again", told) { context.a }
      context.send(Change { $0.a += 1 })
      #expect(told.entries == ["a", "again"])
    }
  }

  @Test func everybodyWhoTracksTheFieldIsTold() async {
    await withContext { context in
      let told = Journal<String>()
      track("first", told) { context.a }
      track("second", told) { (context.a, context.b) }
      track("third", told) { context.binding.a.wrappedValue }
      context.send(Change { $0.a += 1 })
      #expect(told.entries.sorted() == ["first", "second", "third"])
    }
  }

  @Test func aFieldThatIsReadAgainAndAgainHasOneWatch() async {
    await withContext { context in
      let told = Journal<String>()
      let before = context.driver.watcherCount
      for _ in 0..<1_000 { track("a", told) { context.a } }
      #expect(context.driver.watcherCount == before + 1)
      for _ in 0..<1_000 {
        context.send(Change { $0.a += 1 })
        track("a", told) { context.a }
      }
      #expect(context.driver.watcherCount == before + 1)
      context.send(Change { $0.a += 1 })
      #expect(context.driver.watcherCount == before)
    }
  }

  @Test func untrackedFieldsCostNothing() async {
    let (watched, unwatched) = (Comparisons(), Comparisons())
    await withContext(Fields(watched, unwatched: unwatched)) { context in
      track("compared", Journal()) { context.compared }
      for _ in 0..<10 { context.send(Change { $0.unwatched.number += 1 }) }
      #expect(unwatched.count == 0)
      context.send(Change { $0.compared.number += 1 })
      let count = watched.count
      #expect(count > 0)
      for _ in 0..<10 { context.send(Change { $0.compared.number += 1 }) }
      #expect(watched.count == count, "the watch has ended with its notification")
    }
  }

  @Test func aFieldThatAMemberHidesIsReadByItsKeyPath() async {
    await withContext { context in
      let told = Journal<String>()
      track("send", told) { context[\.send] }
      track("state", told) { context[\.self].b }
      context.send(.set(\.send, "new"))
      #expect(told.entries.sorted() == ["send", "state"])
      #expect(context[\.send] == "new")
    }
  }

  @Test func aReadWhileStoppedIsToldOfABindingsWrite() async {
    let context = Context(state: Fields(Comparisons()), system: ChangeSystem<Fields> {})
    let told = Journal<String>()
    track("a", told) { context.a }
    context.binding.b.wrappedValue = 1
    #expect(told.entries == [])
    context.binding.a.wrappedValue = 1
    #expect(told.entries == ["a"])
  }

  @Test func aReadSeesAChangeThatWasMadeBeforeItWasTracked() async {
    await withContext { context in
      let told = Journal<String>()
      _ = context.a
      context.send(Change { $0.a = 1 })
      track("a", told) { context.a }
      #expect(told.entries == [])
      context.send(Change { $0.a = 1 })
      #expect(told.entries == [])
      context.send(Change { $0.a = 0 })
      #expect(told.entries == ["a"])
    }
  }

  @Test func whoeverIsToldMayWriteAndReadAnythingAtOnce() async {
    await withContext { context in
      let told = Journal<String>()
      var consumers = [context.values(of: \.a).makeAsyncIterator()]
      _ = await consumers[0].next()
      for _ in 0..<5 { track("before", Journal()) { context.compared } }
      withObservationTracking {
        _ = context.a
      } onChange: {
        MainActor.assumeIsolated {
          context.binding.b.wrappedValue = 1
          context.binding.a.wrappedValue = 2
          track("a again", told) { context.a }
          track("unwatched", told) { context.unwatched }
          told.note("a is \(context.a)")
        }
      }
      track("b", told) { context.b }
      track("send", told) { context[\.send] }
      consumers = []
      context.send(
        Change {
          $0.a = 1
          $0.send = "new"
        })
      await context.quiet()
      #expect(told.entries.sorted() == ["a is 2", "b", "send"])
      #expect(context.a == 2)
      #expect(context.b == 1)
      context.send(Change { $0.a = 3 })
      #expect(told.entries.sorted() == ["a again", "a is 2", "b", "send"])
      context.send(Change { $0.unwatched.number += 1 })
      context.send(Change { $0.compared.number += 1 })
      #expect(told.entries.contains("unwatched"))
      // Asking for `b` and `a` has renewed two watches.
      #expect(context.driver.watcherCount <= 2)
    }
  }
}
