import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Each") struct EachTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var value = ""
  }

  struct Fields: Sendable {
    var rows: [Row] = []
    var log: [String] = []
  }

  typealias Stage = Rehearsal<Fields, Change<Fields>>

  private func loader(_ log: Journal<String>, policy: Policy = .latest) -> Stage {
    Stage(Fields()) { clock in
      Feedback.each(\.rows, policy: policy) { row in
        log.note("begin \(row.id)\(row.value)")
        do {
          try await clock.sleep(for: .seconds(1))
        } catch {
          log.note("cancelled \(row.id)\(row.value)")
        }
        return Change { $0.log.append("\(row.id)\(row.value)") }
      }
    }
  }

  @Test func aNewElementStartsARunAndOneThatIsGoneCancelsIt() {
    let log = Journal<String>()
    let stage = loader(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1), Row(id: 2)])
    #expect(log.entries == ["begin 1", "begin 2"])
    stage.set(\.rows, [Row(id: 2), Row(id: 3)])
    #expect(
      log.entries == ["begin 1", "begin 2", "begin 3", "cancelled 1"]
        || log.entries == ["begin 1", "begin 2", "cancelled 1", "begin 3"])
    stage.advance(by: 1)
    #expect(stage.state.log == ["2", "3"])
  }

  @Test func anElementThatMovesIsUntouched() {
    let log = Journal<String>()
    let stage = loader(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1), Row(id: 2), Row(id: 3)])
    stage.set(\.rows, [Row(id: 3), Row(id: 1), Row(id: 2)])
    #expect(log.entries == ["begin 1", "begin 2", "begin 3"])
  }

  @Test func anElementThatChangesRestartsByThePolicy() {
    let log = Journal<String>()
    let stage = loader(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1), Row(id: 2)])
    stage.set(\.rows, [Row(id: 1, value: "x"), Row(id: 2)])
    stage.advance(by: 1)
    #expect(stage.state.log.sorted() == ["1x", "2"])
    let dropping = loader(Journal(), policy: .dropping)
    dropping.run()
    dropping.set(\.rows, [Row(id: 1), Row(id: 2)])
    dropping.set(\.rows, [Row(id: 1, value: "x"), Row(id: 2)])
    dropping.advance(by: 1)
    #expect(dropping.state.log == ["1", "2"])
  }

  @Test func theQueueOfOneElementHoldsUpNoOther() {
    let stage = loader(Journal(), policy: .queued)
    stage.run()
    stage.set(\.rows, [Row(id: 1)])
    stage.set(\.rows, [Row(id: 1, value: "x")])
    stage.set(\.rows, [Row(id: 1, value: "x"), Row(id: 2)])
    stage.advance(by: 1)
    #expect(stage.state.log == ["1", "2"])
    stage.advance(by: 1)
    #expect(stage.state.log == ["1", "2", "1x"])
  }

  @Test func ofSeveralElementsWithOneIdTheFirstCounts() {
    let log = Journal<String>()
    let stage = loader(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1, value: "a"), Row(id: 1, value: "b")])
    #expect(log.entries == ["begin 1a"])
  }

  @Test func anAnswerOfAnElementThatIsGoneIsDropped() {
    let stage = Stage(Fields()) { _ in
      Feedback.each(\.rows) { row in Change { $0.log.append("\(row.id)") } }
      Feedback.each(\.rows) { row in Change { $0.rows.removeAll { $0.id == row.id } } }
    }
    stage.run()
    // The first feedback's answers come first; then the elements go, and with them the rest.
    stage.set(\.rows, [Row(id: 1), Row(id: 2)])
    #expect(stage.state.log == ["1", "2"])
    #expect(stage.state.rows == [])
    let reversed = Stage(Fields()) { _ in
      Feedback.each(\.rows) { row in Change { $0.rows = [] } }
      Feedback.each(\.rows) { row in Change { $0.log.append("\(row.id)") } }
    }
    reversed.run()
    reversed.set(\.rows, [Row(id: 1), Row(id: 2)])
    #expect(reversed.state.log == [])
  }

  @Test func anElementWithoutEqualityIsComparedByItsContent() {
    struct Opaque: Identifiable, Sendable {
      let id: Int
      var value: Int
    }
    let log = Journal<String>()
    let rehearsal = Rehearsal<[Opaque], Change<[Opaque]>>([]) { _ in
      Feedback.each(\.self) { row in log.note("\(row.id):\(row.value)", answering: nil) }
    }
    rehearsal.run()
    rehearsal.set(\.self, [Opaque(id: 1, value: 1), Opaque(id: 2, value: 2)])
    rehearsal.set(\.self, [Opaque(id: 1, value: 1), Opaque(id: 2, value: 3)])
    #expect(log.entries == ["1:1", "2:2", "2:3"])
  }

  // MARK: Elements that are handed to the running run

  private func updater(_ log: Journal<String>) -> Stage {
    Stage(Fields()) { clock in
      Feedback.eachUpdating(\.rows) { rows, send in
        log.note("begin")
        for await row in rows {
          log.note("\(row.id)\(row.value)")
          send(Change { $0.log.append("\(row.id)\(row.value)") })
        }
        log.note("end")
      }
    }
  }

  @Test func aChangedElementIsHandedToTheRunThatGoes() {
    let log = Journal<String>()
    let stage = updater(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1)])
    stage.set(\.rows, [Row(id: 1, value: "x")])
    stage.set(\.rows, [Row(id: 1, value: "x"), Row(id: 2)])
    #expect(log.entries == ["begin", "1", "1x", "begin", "2"])
    stage.set(\.rows, [Row(id: 2)])
    #expect(log.entries == ["begin", "1", "1x", "begin", "2", "end"])
    #expect(stage.state.log == ["1", "1x", "2"])
  }

  @Test func theFirstValueIsTheOneOfTheTimeItIsAskedFor() {
    let log = Journal<String>()
    let stage = Stage(Fields()) { clock in
      Feedback.eachUpdating(\.rows) { rows, _ in
        try? await clock.sleep(for: .seconds(1))
        for await row in rows { log.note("\(row.id)\(row.value)") }
      }
    }
    stage.run()
    stage.set(\.rows, [Row(id: 1)])
    stage.set(\.rows, [Row(id: 1, value: "x")])
    stage.advance(by: 1)
    #expect(log.entries == ["1x"])
  }

  @Test func anUpdatingRunThatWasCutOffStartsAnewWithThePresentValue() {
    let log = Journal<String>()
    let stage = updater(log)
    let loop = stage.run()
    stage.set(\.rows, [Row(id: 1)])
    stage.stop(loop)
    log.clear()
    stage.set(\.rows, [Row(id: 1, value: "x")])
    stage.run()
    #expect(log.entries == ["begin", "1x"])
  }

  @Test func anElementThatComesBackHasARunOfItsOwn() {
    let log = Journal<String>()
    let stage = updater(log)
    stage.run()
    stage.set(\.rows, [Row(id: 1)])
    stage.set(\.rows, [])
    stage.set(\.rows, [Row(id: 1, value: "again")])
    #expect(log.entries == ["begin", "1", "end", "begin", "1again"])
  }
}
