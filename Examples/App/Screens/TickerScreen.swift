import AsyncFeedbackSwiftUI
package import SwiftUI
package import TickerSystem

/// The leaders of a live list of scores.
package struct TickerScreen: View {
  @ViewContext private var context: Context<Ticker>
  private var leaders = Memoized { (points: [String: Int], rows: Int) in
    Ticker.leaders(of: points, rows: rows)
  }

  /// - Parameters:
  ///   - rows: how many of the teams are shown at first.
  ///   - system: follows the scores.
  package init(rows: Int = 10, system: @autoclosure @escaping @MainActor () -> Ticker) {
    _context = ViewContext(state: .init(rows: rows), system: system())
  }

  package var body: some View {
    List {
      Section {
        Stepper(
          "Rows \(context.rows)", value: $context[\.rows, sending: { .rowsChanged($0) }], in: 0...20
        )
        Button(context.phase == .live ? "Pause" : "Resume") {
          context.send(context.phase == .live ? .pauseTapped : .resumeTapped)
        }
        Button("Burst") { context.send(.burstTapped(100_000)) }
          .disabled(context.phase != .live)
      }
      Section {
        ForEach(leaders.value(for: context.points, context.rows)) { leader in
          Text("\(leader.team) \(leader.points)")
        }
      }
      if case .failed(let error) = context.phase { Text(error).foregroundStyle(.red) }
    }
    .running(_context)
  }
}
