import AsyncFeedback
import Testing

/// What a machine with one feedback is told.
enum MachineInput: Sendable {
  case fire(Int? = nil)
  case leave(Int? = nil)
  /// The end of a turn: what is due begins.
  case turn
  case end(Int)
  case start
  case stop
  case queueDidEmpty
}

/// One row of the table: a policy, inputs, and what comes of them.
struct MachineRow: Sendable, CustomTestStringConvertible {
  let name: String
  let policies: [Policy]
  let inputs: [MachineInput]
  /// What is said, one line for each effect and each body that begins, by the numbers of the runs.
  let said: [String]
  /// The runs whose answers would be reduced now.
  let heard: Set<Int>
  /// What is evaluated anew at the next start: keys, with 0 for none.
  var cutOff: Set<Int> = []

  var testDescription: String { name }

  init(
    _ name: String, _ policies: [Policy], _ inputs: [MachineInput], said: [String],
    heard: Set<Int>, cutOff: Set<Int> = []
  ) {
    self.name = name
    self.policies = policies
    self.inputs = inputs
    self.said = said
    self.heard = heard
    self.cutOff = cutOff
  }
}

@Suite("Machine: inputs and effects") struct MachineTests {
  private static let latest: [Policy] = [.latest, .latest(.afterCleanup)]
  private static let others: [Policy] = [.overlapping, .queued, .dropping]
  private static let all = latest + others

  static let rows: [MachineRow] = [
    MachineRow("one run", all, [.start, .fire(), .turn, .end(1)], said: ["begin 1"], heard: [1]),
    MachineRow(
      "latest replaces", [.latest], [.start, .fire(), .turn, .fire(), .turn],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2]),
    MachineRow(
      "latest replaces what has not begun", latest, [.start, .fire(), .fire(), .turn],
      said: ["discard 1", "begin 2"], heard: [2]),
    MachineRow(
      "latest takes the lease of what has ended", latest,
      [.start, .fire(), .turn, .end(1), .fire(), .turn], said: ["begin 1", "begin 2"], heard: [2]),
    MachineRow(
      "after cleanup waits", [.latest(.afterCleanup)], [.start, .fire(), .turn, .fire(), .turn],
      said: ["begin 1", "cancel 1"], heard: [2]),
    MachineRow(
      "after cleanup begins at the end", [.latest(.afterCleanup)],
      [.start, .fire(), .turn, .fire(), .turn, .end(1), .turn],
      said: ["begin 1", "cancel 1", "start 2", "begin 2"], heard: [2]),
    MachineRow(
      "after cleanup only the newest waits", [.latest(.afterCleanup)],
      [.start, .fire(), .turn, .fire(), .fire(), .turn, .end(1), .turn],
      said: ["begin 1", "cancel 1", "discard 2", "start 3", "begin 3"], heard: [3]),
    MachineRow(
      "overlapping runs beside", [.overlapping], [.start, .fire(), .turn, .fire(), .fire(), .turn],
      said: ["begin 1", "begin 2", "begin 3"], heard: [1, 2, 3]),
    MachineRow(
      "a limit lets the next wait", [.overlapping(limit: 2)],
      [.start, .fire(), .fire(), .fire(), .turn, .end(2), .turn],
      said: ["begin 1", "begin 2", "start 3", "begin 3"], heard: [1, 2, 3]),
    MachineRow(
      "queued keeps the order", [.queued],
      [.start, .fire(), .fire(), .fire(), .turn, .end(1), .turn, .end(2), .turn, .end(3)],
      said: ["begin 1", "start 2", "begin 2", "start 3", "begin 3"], heard: [1, 2, 3]),
    MachineRow(
      "a full queue drops the new trigger", [.queued(waiting: 1)],
      [.start, .fire(), .fire(), .fire(), .turn, .end(1), .turn],
      said: ["overflow 3", "begin 1", "start 2", "begin 2"], heard: [1, 2, 3]),
    MachineRow(
      "dropping does not ignore for one that is cancelled", [.dropping],
      [.start, .fire(), .turn, .leave(), .fire(), .turn],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2]),
    MachineRow(
      "dropping ignores", [.dropping],
      [.start, .fire(), .turn, .fire(), .end(1), .fire(), .turn],
      said: ["begin 1", "ignore 2", "begin 3"], heard: [1, 2, 3]),
    MachineRow(
      "a level that is left", all, [.start, .fire(), .turn, .leave()],
      said: ["begin 1", "cancel 1"], heard: []),
    MachineRow(
      "a level that is left in its turn", all, [.start, .fire(), .leave(), .turn],
      said: ["discard 1"], heard: []),
    MachineRow(
      "a level that is left after the end", all, [.start, .fire(), .turn, .end(1), .leave()],
      said: ["begin 1"], heard: []),
    MachineRow(
      "a level that comes back", [.latest, .overlapping],
      [.start, .fire(), .turn, .leave(), .fire(), .turn],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2]),
    MachineRow(
      "a level that comes back waits for the cleanup", [.latest(.afterCleanup), .queued],
      [.start, .fire(), .turn, .leave(), .fire(), .turn, .end(1), .turn],
      said: ["begin 1", "cancel 1", "start 2", "begin 2"], heard: [2]),
    MachineRow(
      "what waits in a queue is left with its level", [.queued],
      [.start, .fire(), .fire(), .fire(), .turn, .leave(), .end(1), .turn],
      said: ["begin 1", "discard 2", "discard 3", "cancel 1"], heard: []),
  ]

  static let keyedRows: [MachineRow] = [
    MachineRow(
      "each key on its own", all, [.start, .fire(7), .fire(8), .fire(9), .turn],
      said: ["begin 1", "begin 2", "begin 3"], heard: [1, 2, 3]),
    MachineRow(
      "a changed element replaces its own run", [.latest],
      [.start, .fire(7), .fire(8), .turn, .fire(7), .turn],
      said: ["begin 1", "begin 2", "cancel 1", "begin 3"], heard: [2, 3]),
    MachineRow(
      "an element that is gone", all, [.start, .fire(7), .fire(8), .turn, .leave(7)],
      said: ["begin 1", "begin 2", "cancel 1"], heard: [2]),
    MachineRow(
      "an element that is gone after the end", all,
      [.start, .fire(7), .fire(8), .turn, .end(1), .end(2), .leave(7)],
      said: ["begin 1", "begin 2"], heard: [2]),
    MachineRow(
      "an element that comes back", [.latest],
      [.start, .fire(7), .turn, .leave(7), .fire(7), .turn],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2]),
    MachineRow(
      "a lost lease stays lost while the run goes on", all,
      [.start, .fire(7), .turn, .leave(7), .queueDidEmpty], said: ["begin 1", "cancel 1"], heard: []
    ),
  ]

  static let sessionRows: [MachineRow] = [
    MachineRow(
      "a stop cuts off", all, [.start, .fire(), .turn, .stop],
      said: ["begin 1", "cancel 1"], heard: [], cutOff: [0]),
    MachineRow(
      "a stop before the turn ends", all, [.start, .fire(), .stop, .turn],
      said: ["discard 1"], heard: [], cutOff: [0]),
    MachineRow(
      "a stop after the end withdraws nothing", all, [.start, .fire(), .turn, .end(1), .stop],
      said: ["begin 1"], heard: [1]),
    MachineRow(
      "a stop cuts off keys", all, [.start, .fire(7), .fire(8), .turn, .end(1), .stop],
      said: ["begin 1", "begin 2", "cancel 2"], heard: [1], cutOff: [8]),
    MachineRow(
      "waiting triggers survive", [.queued],
      [.start, .fire(), .fire(), .fire(), .turn, .stop, .start, .turn],
      said: ["begin 1", "cancel 1", "start 2", "begin 2"], heard: [2, 3], cutOff: [0]),
    MachineRow(
      "the replacement that waits is cut off", [.latest(.afterCleanup)],
      [.start, .fire(), .turn, .fire(), .stop, .start, .turn],
      said: ["begin 1", "cancel 1", "discard 2"], heard: [2], cutOff: [0]),
    MachineRow(
      "a new session does not wait for the old", [.queued, .dropping, .latest(.afterCleanup)],
      [.start, .fire(), .turn, .stop, .start, .fire(), .turn, .end(1)],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2], cutOff: [0]),
    MachineRow(
      "a level that is left is not cut off any more", all,
      [.start, .fire(), .turn, .stop, .start, .leave()], said: ["begin 1", "cancel 1"], heard: []),
    MachineRow(
      "a run of the old session that ends lets nobody in", [.queued],
      [.start, .fire(), .turn, .stop, .start, .fire(), .fire(), .turn, .end(1), .turn],
      said: ["begin 1", "cancel 1", "begin 2"], heard: [2, 3], cutOff: [0]),
  ]

  @Test(arguments: rows + keyedRows + sessionRows)
  func table(row: MachineRow) {
    for policy in row.policies { check(row, policy) }
  }

  private func check(_ row: MachineRow, _ policy: Policy) {
    var machine = Machine(policies: [policy.kind])
    var said: [String] = []
    var runs: [RunID] = []
    for input in row.inputs {
      switch input {
      case .fire(let key):
        let cause = Machine.Cause(transition: 1, cascade: 1, depth: 0)
        runs.append(machine.trigger(0, key: runKey(key), cause: cause))
      case .leave(let key): machine.leave(0, key: runKey(key))
      case .turn:
        said += machine.beginDue().map { "begin \($0.serial)" }
      case .end(let number): machine.end(runs[number - 1])
      case .start: machine.start()
      case .stop: machine.stop()
      case .queueDidEmpty: machine.queueDidEmpty()
      }
      said += machine.takeEffects().map(line)
    }
    #expect(said == row.said, "\(policy)")
    let heard = runs.filter(machine.holdsLease).map { Int($0.serial) }
    #expect(Set(heard) == row.heard, "\(policy)")
    let cutOff = machine.takeCutOff(0).map(number)
    #expect(Set(cutOff) == row.cutOff, "\(policy)")
  }

  private func runKey(_ key: Int?) -> RunKey? {
    key.map { RunKey(AnyHashable($0)) }
  }

  private func number(_ key: RunKey?) -> Int {
    key?.id.base as? Int ?? 0
  }

  private func line(_ effect: Machine.Effect) -> String {
    switch effect {
    case .start(let run): "start \(run.serial)"
    case .cancel(let run): "cancel \(run.serial)"
    case .discard(let run, _): "discard \(run.serial)"
    case .overflow(let run, _): "overflow \(run.serial)"
    case .ignore(let run, _): "ignore \(run.serial)"
    }
  }
}
