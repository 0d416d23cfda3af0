import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("ViewContext: lifetime", .timeLimit(.minutes(10)))
struct ViewContextLifetimeTests {
  struct LoadingScreen: View {
    @ViewContext var context: Context<Form>

    var body: some View {
      if context.request != nil { ProgressView() }
      Text("\(context.loaded)").task { await _context.runFeedbackLoop() }
    }
  }

  @Test("H7: what has finished is not repeated when a view appears again, what was cut off is")
  func h7() async {
    let (started, go) = (Signal(), Signal())
    let starts = Log()
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback(.once) { _ async in
          await starts.note("once")
          return nil
        },
        Feedback.request(\.request) { _ in
          await starts.note("load")
          started.give()
          guard await go.wait() == .given else { return nil }
          return Form.Event {
            $0.loaded += 1
            $0.request = nil
          }
        },
      ]))
    let host = Host { LoadingScreen(context: context) }
    await context.rest()
    host.cover()
    host.uncover()
    context.send(.init { $0.request = 1 })
    _ = await started.wait()
    host.cover()
    host.uncover()
    _ = await started.wait()
    #expect(host.lines == ["…", "0"])
    go.give()
    await host.wait(for: "1")
    host.cover()
    host.uncover()
    await context.rest()
    #expect(host.lines == ["1"])
    #expect(starts.entries == ["once", "load", "load"])
  }

  @Test(
    "H8: a wrapper that is initialised with each evaluation makes one context, and starts nothing")
  func h8() throws {
    struct Child: View {
      @ViewContext var context: Context<Form>
      let log: Log

      init(log: Log) {
        self.log = log
        _context = ViewContext(state: Self.state(log), system: Self.system(log))
      }

      static func state(_ log: Log) -> Form.State {
        log.note("state")
        return Form.State()
      }

      static func system(_ log: Log) -> Form {
        log.note("system")
        return Form(list: [
          Feedback(.once) { _ async in
            await log.note("run")
            return nil
          }
        ])
      }

      var body: some View {
        let _ = log.note("context \(ObjectIdentifier(context))")
        Stepper("A", value: $context.a)
        Text("\(context.a)")
      }
    }
    let log = Log()
    let host = Host { Child(log: log) }
    try host.step("A", by: 1)
    for _ in 0..<100 { host.updateAll() }
    for _ in 0..<100 { _ = Child(log: log) }
    #expect(host.lines == ["A -/+", "1"])
    // One state, one system, one context; and no run.
    #expect(Set(log.entries).count == 3)
    #expect(log.count(of: "state") == 1)
    #expect(log.count(of: "system") == 1)
    #expect(log.entries.count > 100)
  }

  @Test("G6: a context goes with the view that owns it, and with it all that runs")
  func g6() async {
    struct Screen: View {
      @ViewContext var context: Context<Form>

      init(_ canary: Canary, started: Signal, ended: Signal) {
        _context = ViewContext(
          state: Form.State(),
          system: Form(
            canary: canary,
            list: [
              Feedback(.once) { _ async in
                started.give()
                _ = await Signal().wait()
                ended.give()
                return nil
              }
            ]))
      }

      var body: some View {
        Text("\(context.a)").running(_context)
      }
    }
    let (gone, started, ended) = (Signal(), Signal(), Signal())
    var host: Host? = Host { Screen(Canary(gone), started: started, ended: ended) }
    _ = await started.wait()
    #expect(host?.lines == ["0"])
    host = nil
    _ = await ended.wait()
    _ = await gone.wait()
  }
}
