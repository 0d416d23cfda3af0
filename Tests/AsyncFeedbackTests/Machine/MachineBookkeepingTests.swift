import AsyncFeedback
import Testing

@Suite("Machine: bookkeeping") struct MachineBookkeepingTests {
  private let cause = Machine.Cause(transition: 1, cascade: 1, depth: 0)

  @Test(arguments: [Policy.latest, .latest(.afterCleanup), .overlapping, .queued, .dropping])
  func nothingIsLeftWhenAllHasEnded(policy: Policy) {
    var machine = Machine(policies: [policy.kind])
    machine.start()
    var runs: [RunID] = []
    for round in 0..<100 {
      let key = RunKey(AnyHashable(round % 7))
      runs.append(machine.trigger(0, key: key, cause: cause))
      runs.append(machine.trigger(0, key: nil, cause: cause))
      machine.beginDue()
      if round.isMultiple(of: 3) { machine.leave(0, key: key) }
    }
    while !machine.runs.isEmpty {
      for (run, content) in machine.runs where content.phase != .waiting { machine.end(run) }
      machine.beginDue()
    }
    machine.queueDidEmpty()
    #expect(machine.isQuiet)
    #expect(machine.recordCount == 0)
  }

  @Test func aParkedRunIsQuietUnlessItHoldsAValueBack() {
    var machine = Machine(policies: [Policy.latest.kind])
    machine.start()
    let run = machine.trigger(0, key: nil, cause: cause)
    #expect(!machine.isQuiet)
    machine.beginDue()
    machine.park(run, true, cascade: 0)
    #expect(machine.isQuiet)
    machine.hold(run, true)
    #expect(!machine.isQuiet)
    machine.hold(run, false)
    #expect(machine.isQuiet)
    machine.park(run, false, cascade: 5)
    #expect(!machine.isQuiet)
    #expect(machine.runs[run]?.cascade == 5)
    machine.end(run)
    #expect(machine.isQuiet)
  }

  @Test func aRunThatCanStillSendKeepsItsLostLeaseOnRecord() {
    var machine = Machine(policies: [Policy.overlapping.kind])
    let key = RunKey(AnyHashable(1))
    machine.start()
    let run = machine.trigger(0, key: key, cause: cause)
    machine.beginDue()
    machine.giveVoice(to: run)
    machine.giveVoice(to: run)
    machine.leave(0, key: key)
    machine.end(run)
    machine.queueDidEmpty()
    #expect(!machine.holdsLease(run))
    machine.fellSilent([run])
    machine.queueDidEmpty()
    #expect(!machine.holdsLease(run))
    machine.fellSilent([run])
    machine.queueDidEmpty()
    #expect(machine.recordCount == 0)
  }
}
