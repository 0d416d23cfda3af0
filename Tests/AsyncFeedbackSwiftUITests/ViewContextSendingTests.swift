import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("ViewContext: where its events come from", .timeLimit(.minutes(10)))
struct ViewContextSendingTests {
  /// Keeps the causes of what is reduced.
  final class Causes: ContextMonitor {
    private let causes = Lock<[String]>([])

    var all: [String] { causes.withLock { $0 } }

    func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
      guard case .event(_, _, let cause) = record else { return }
      causes.withLock {
        switch cause {
        case .outside(let fileID, let line): $0.append("\(fileID.split(separator: "/")[1]) \(line)")
        case .binding: $0.append("binding")
        case .feedback: $0.append("feedback")
        }
      }
    }
  }

  struct Screen: View {
    static let line = UInt(#line)

    @ViewContext var context: Context<Form>

    init(_ causes: Causes) {
      _context = ViewContext(state: Form.State(), system: Form(), monitor: causes)
    }

    var body: some View {
      Button("send") { _context.send(.init { $0.a += 1 }, fileID: "A/send", line: 1) }
      Button("animation") {
        _context.send(.init { $0.a += 1 }, animation: nil, fileID: "A/animation", line: 2)
      }
      Button("context") {
        context.send(.init { $0.a += 1 }, animation: nil, fileID: "A/context", line: 3)
      }
      Button("here") { _context.send(.init { $0.a += 1 }) }
      Stepper("sending", value: $context[\.b, sending: { value in .init { $0.b = value } }])
      Stepper("binding", value: $context.b)
      List { Text("\(context.a)") }
        .refreshable {
          await _context.send(
            .init { $0.a += 1 }, fileID: "A/refresh", line: 4, suspendingWhile: false)
        }
        .running(_context)
    }
  }

  @Test("Law 18: the monitor of a view's context sees the line of each of its events")
  func law18() async throws {
    let causes = Causes()
    let host = Host { Screen(causes) }
    for title in ["send", "animation", "context", "here"] { try host.tap(title) }
    try host.step("sending", by: 1)
    try host.step("binding", by: 1)
    try await host.pullToRefresh()
    await host.wait(for: "5")
    let here = Screen.line + 16
    #expect(
      causes.all == [
        "send 1", "animation 2", "context 3", "ViewContextSendingTests.swift \(here)",
        "ViewContextSendingTests.swift \(here + 1)", "binding", "refresh 4",
      ])
  }
}
