import AsyncFeedback
import ExampleTerminal
import TickerSystem

/// The picture of the ticker.
struct TickerView {
  func frame(of state: Ticker.State, canBurst: Bool) -> Frame {
    let leaders = state.leaders
    let width = leaders.map(\.team.count).max() ?? 0
    return Frame(
      header: [
        "ticker  " + StyledText(state.phase.name, .cyan)
          + StyledText("  \(state.points.count) teams", .faint)
      ],
      list: leaders.map { leader in
        let padding = String(repeating: " ", count: width - leader.team.count)
        return "\(leader.team)\(padding)  " + StyledText("\(leader.points)", .bold)
      },
      footer: [remark(on: state), counts(of: state), help(for: state, canBurst: canBurst)])
  }

  private func remark(on state: Ticker.State) -> StyledText {
    if case .failed(let error) = state.phase { return StyledText(error, .red) }
    guard state.phase == .live else { return "" }
    return switch state.connection.phase {
    case .connecting: "connecting…"
    case .waiting(let delay): StyledText("not connected, the next try comes in \(delay)", .red)
    case .open, .closed: ""
    }
  }

  private func counts(of state: Ticker.State) -> StyledText {
    let counts = state.counts
    return StyledText(
      """
      received \(counts.received)  coalesced \(counts.coalesced)  dropped \(counts.dropped)  \
      restarts \(counts.restarts)  reconnects \(state.connection.reconnects)
      """, .faint)
  }

  private func help(for state: Ticker.State, canBurst: Bool) -> StyledText {
    let keys = [
      state.phase == .live ? "p pause" : "p resume",
      canBurst ? "b burst" : nil,
      "+ - rows",
      "q quit",
    ]
    return StyledText(keys.compactMap(\.self).joined(separator: "   "), .faint)
  }
}
