import AsyncFeedbackTestSupport
import Observation
import Testing

@testable import AsyncFeedback

@MainActor @Suite("Views") struct ViewsTests {
  struct Fields: Sendable {
    var text = ""
    var echo = ""
    var a = 0
    var b = 0
    var nested = Nested()
    var rows = [Nested(), Nested()]
    var handle = Handle(1)
    var opaque = Opaque()
  }

  struct Nested: Sendable, Equatable { var a = 0, b = 0 }
  final class Handle: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }
  struct Opaque: Sendable { var a = 0, list = [1] }

  @Test("H1: a binding reads its own write at once, and no older value comes back")
  func h1() async {
    let published = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        // An event in between that would bring an older text back if it came in the wrong place.
        Feedback(.onChanged(\.text)) { state async in
          let text = state.text
          return Change { $0.echo = text }
        }
      })
    let running = context.start()
    await context.quiet()
    publish(context, published)
    for text in ["a", "ab", "abc"] {
      context.binding.text.wrappedValue = text
      #expect(context.binding.text.wrappedValue == text)
      #expect(context.text == text)
    }
    await context.quiet()
    #expect(context.text == "abc")
    #expect(context.echo == "abc")
    #expect(published.entries == ["a", "ab", "abc"])
    running.stop()
  }

  @Test("H1: while the loop is stopped, too")
  func h1Stopped() async {
    let published = Journal<String>()
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
    publish(context, published)
    for text in ["a", "ab", "abc"] {
      context.send(.set(\.a, 1))
      context.binding.text.wrappedValue = text
      #expect(context.text == text)
    }
    let running = context.start()
    await context.quiet()
    #expect(context.text == "abc")
    #expect(published.entries == ["a", "ab", "abc"])
    running.stop()
  }

  /// Notes each text that a view would show.
  private func publish(_ context: Context<ChangeSystem<Fields>>, _ published: Journal<String>) {
    withObservationTracking {
      _ = context.text
    } onChange: {
      MainActor.assumeIsolated {
        published.note(context.text)
        publish(context, published)
      }
    }
  }

  @Test("H5: a view is told only of the fields it read")
  func h5() async {
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    track("a", told) { context.a }
    track("nested", told) { context[\.nested.a] }
    track("element", told) { context[\.rows[1].a] }
    track("handle", told) { context.handle }
    track("opaque", told) { context.opaque }
    track("opaque part", told) { context[\.opaque.a] }
    for number in 1...1_000 {
      context.send(
        Change {
          $0.b = number
          $0.nested.b = number
          $0.rows[1].b = number
          $0.rows[0].a = number
        })
    }
    context.send(Change { $0.opaque = $0.opaque })
    #expect(told.entries == [])
    context.send(Change { $0.a = 1 })
    #expect(told.entries == ["a"])
    context.send(Change { $0.nested.a = 1 })
    context.send(Change { $0.rows[1].a = 1 })
    context.send(Change { $0.handle = Handle(1) })
    #expect(told.entries == ["a", "nested", "element", "handle"])
    context.send(Change { $0.opaque.a = 1 })
    #expect(told.entries.sorted() == ["a", "element", "handle", "nested", "opaque", "opaque part"])
    running.stop()
  }

  @Test("H6: whoever is told reads the new value, in every kind of observer")
  func h6() async {
    let read = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.a)) { state in read.note("feedback \(state.a)", answering: nil) }
      })
    let running = context.start()
    await context.quiet()
    read.clear()
    var values = context.values(of: \.a).makeAsyncIterator()
    #expect(await values.next() == 0)
    withObservationTracking {
      _ = context.a
    } onChange: {
      MainActor.assumeIsolated {
        read.note("observer \(context.a) \(context.binding.a.wrappedValue)")
      }
    }
    context.send(.set(\.a, 7))
    #expect(read.entries == ["observer 7 7", "feedback 7"])
    #expect(await values.next() == 7)
    withObservationTracking {
      _ = context.a
    } onChange: {
      MainActor.assumeIsolated { read.note("write \(context.a)") }
    }
    context.binding.a.wrappedValue = 8
    #expect(read.entries.suffix(2) == ["write 8", "feedback 8"])
    running.stop()
  }

  @Test("H7: what finished is not repeated when the view comes back")
  func h7Finished() async {
    let log = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.once) { _ async in log.note("once", answering: .set(\.a, 1)) }
        Feedback(.onChanged(\.b)) { _ async in log.note("changed", answering: nil) }
        Feedback.request({ $0.echo.isEmpty ? $0.text : nil }) { _ async in
          log.note("request", answering: .set(\.echo, "loaded"))
        }
      })
    for _ in 0..<3 {
      let loop = Task { await context.runFeedbackLoop() }
      await startedAndQuiet(context)
      loop.cancel()
      await loop.value
    }
    #expect(log.entries == ["once", "changed", "request"])
    #expect(context.echo == "loaded")
  }

  @Test("H7: what was cut off is evaluated anew when the view comes back")
  func h7CutOff() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.once) { _ in
        log.note("once")
        try? await clock.sleep(for: .seconds(10))
        return .set(\.a, 1)
      }
      Feedback.request({ $0.echo.isEmpty ? $0.text : nil }) { _ in
        log.note("request")
        try? await clock.sleep(for: .seconds(10))
        return .set(\.echo, "loaded")
      }
    }
    let loop = rehearsal.run()
    rehearsal.advance(by: 5)
    rehearsal.stop(loop)
    rehearsal.advance(by: 100)
    #expect(rehearsal.state.a == 0)
    #expect(rehearsal.state.echo == "")
    let second = rehearsal.run()
    rehearsal.advance(by: 10)
    #expect(log.entries == ["once", "request", "once", "request"])
    #expect(rehearsal.state.a == 1)
    #expect(rehearsal.state.echo == "loaded")
    rehearsal.stop(second)
    rehearsal.run()
    #expect(log.count == 4)
  }

  @Test(
    "H12: ten thousand sends that change nothing notify nobody and compare each tracked field once")
  func h12() async {
    struct List: Sendable {
      var rows: [Compared]
      var tracked: Int
    }
    let comparisons = Comparisons()
    let runs = Journal<Int>()
    let context = Context(
      state: List(
        rows: (0..<1_000).map { Compared(number: $0, comparisons: comparisons) }, tracked: 0),
      system: ChangeSystem<List> {
        Feedback(.onChanged(\.rows)) { _ in runs.note(0, answering: nil) }
      })
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    track("rows", told) { context.rows }
    track("tracked", told) { context.tracked }
    for row in 0..<10_000 { context.send(Change { $0.tracked = row - row }) }
    #expect(told.entries == [])
    #expect(runs.count == 1)
    #expect(comparisons.count == 0)
    #expect(context.driver.watcherCount == 2)
    running.stop()
  }

  /// Waits until a loop that was asked for in a task has begun and come to rest.
  private func startedAndQuiet(_ context: Context<ChangeSystem<Fields>>) async {
    await context.send(Change { _ in }).value
    await context.quiet()
  }
}
