import AsyncFeedback
import Observation
import Testing

@Suite("Law 11: equal is unchanged") struct Law11EqualIsUnchangedTests {
  struct Fields: Sendable {
    var text = "a"
    var query: String? = "q"
    var rows = [Row(id: 1)]
    var number = 0.5
    var measure = Measure()
    var optional: Double? = .nan
    var other = 0
  }

  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
  }

  struct Measure: Equatable, Sendable {
    var value = Double.nan
    var unit = "m"
  }

  /// One feedback of every kind that compares; each writes down its name when it runs.
  private func rehearsal(_ log: Journal<String>) -> Rehearsal<Fields, Change<Fields>> {
    Rehearsal(Fields()) { _ in
      Feedback(.onChanged(\.text)) { _ in log.note("text", answering: nil) }
      Feedback(.onChanged(\.text)) { _ async in log.note("async text", answering: nil) }
      Feedback(.onChanged(\.text, \.number)) { _ in log.note("both", answering: nil) }
      Feedback.request(\.query) { _ in log.note("query", answering: nil) }
      Feedback.each(\.rows) { row in log.note("row \(row.id)", answering: nil) }
      Feedback.stream(\.query) { query in
        AsyncStream<Int> { _ in log.note("stream") }
      } event: { _ in
        nil
      }
    }
  }

  @Test func assigningAnEqualValueTriggersNothing() {
    let log = Journal<String>()
    let rehearsal = rehearsal(log)
    rehearsal.run()
    log.clear()
    rehearsal.send(
      .set(\.text, "a"), .set(\.query, "q"), .set(\.rows, [Row(id: 1)]), .set(\.number, 0.5))
    #expect(log.entries == [])
    rehearsal.set(\.text, "b")
    #expect(log.entries == ["text", "both", "async text"])
    log.clear()
    rehearsal.set(\.query, "r")
    #expect(log.entries == ["query", "stream"])
    log.clear()
    rehearsal.set(\.rows, [Row(id: 1, name: "new")])
    #expect(log.entries == ["row 1"])
  }

  @Test func notANumberIsUnchangedWhileItsBytesAre() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(number: .nan)) { _ in
      Feedback(.onChanged(\.number)) { _ in log.note("plain", answering: nil) }
      Feedback(.onChanged(\.measure)) { _ in log.note("struct", answering: nil) }
      Feedback(.onChanged(\.optional)) { _ in log.note("optional", answering: nil) }
      Feedback(.onChanged(\.number, \.optional)) { _ in log.note("several", answering: nil) }
      Feedback.request(\.optional) { _ in log.note("request", answering: nil) }
    }
    rehearsal.run()
    #expect(log.entries == ["plain", "struct", "optional", "several", "request"])
    log.clear()
    for _ in 0..<10 { rehearsal.send(Change { $0.other += 1 }) }
    rehearsal.send(
      .set(\.number, .nan), .set(\.measure, Measure()), .set(\.optional, .nan))
    #expect(log.entries == [])
    rehearsal.set(\.number, Double(nan: 1, signaling: false))
    #expect(log.entries == ["plain", "several"])
  }

  @Test func negativeZeroIsEqualToZero() {
    let log = Journal<Double>()
    let rehearsal = Rehearsal<Double, Change<Double>>(0.0) { _ in
      Feedback(.onChanged(\.self)) { state in log.note(state, answering: nil) }
    }
    rehearsal.run()
    rehearsal.set(\.self, -0.0)
    #expect(log.count == 1)
  }

  @Test func aRebuiltArrayHoldingNotANumberDiffers() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<[Double], Change<[Double]>>([.nan]) { _ in
      Feedback(.onChanged(\.self)) { state in log.note(state.count, answering: nil) }
    }
    rehearsal.run()
    rehearsal.send(Change { _ in })
    #expect(log.count == 1)
    rehearsal.set(\.self, [.nan])
    #expect(log.count == 2)
  }

  // MARK: Types without `Equatable`

  final class Handle: Sendable {}

  struct Opaque: Sendable {
    // Padding between the two, which need not be the same in two values that are.
    var flag: Int8 = 1
    var number: Int64 = 2
    var list = [1]
    var handle: Handle?
  }

  @Test func withoutEqualityTheSameStorageIsUnchanged() {
    let log = Journal<Int64>()
    let handle = Handle()
    let rehearsal = Rehearsal<Opaque, Change<Opaque>>(Opaque(handle: handle)) { _ in
      Feedback(.onChanged(\.self)) { state in log.note(state.number, answering: nil) }
    }
    rehearsal.run()
    rehearsal.send(
      Change { $0 = Opaque(flag: $0.flag, number: $0.number, list: $0.list, handle: handle) })
    rehearsal.send(Change { $0.number = 2 })
    #expect(log.count == 1)
    rehearsal.send(Change { $0.number = 3 })
    #expect(log.count == 2)
    rehearsal.send(Change { $0.handle = Handle() })
    #expect(log.count == 3)
    rehearsal.send(Change { $0.list = [1] })
    #expect(log.count == 4, "a rebuilt array has other storage")
  }

  @Test func paddingDoesNotCount() {
    func filled(_ byte: UInt8) -> Opaque {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Opaque>.size, alignment: MemoryLayout<Opaque>.alignment)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: byte, count: MemoryLayout<Opaque>.size)
      let opaque = memory.assumingMemoryBound(to: Opaque.self)
      // Writes the fields and leaves the padding between them as it is.
      UnsafeMutableRawPointer(opaque).storeBytes(of: 1, as: Int8.self)
      (memory + 8).storeBytes(of: 2, as: Int64.self)
      (memory + 16).initializeMemory(as: [Int].self, to: [])
      (memory + 24).initializeMemory(as: Handle?.self, to: nil)
      return opaque.move()
    }
    #expect(isIdentical(filled(0), filled(0xFF)))
  }

  @Test func anEnumWithoutEqualityIsComparedWithItsPayload() {
    enum Phase: Sendable { case idle, loaded(Handle), failed(Int) }
    let handle = Handle()
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Phase, Change<Phase>>(.idle) { _ in
      Feedback(.onChanged(\.self)) { _ in log.note(0, answering: nil) }
    }
    rehearsal.run()
    rehearsal.send(.set(\.self, .idle))
    #expect(log.count == 1)
    rehearsal.send(.set(\.self, .loaded(handle)), .set(\.self, .loaded(handle)))
    #expect(log.count == 2)
    rehearsal.send(.set(\.self, .failed(1)), .set(\.self, .failed(1)))
    #expect(log.count == 3)
    rehearsal.send(.set(\.self, .failed(2)))
    #expect(log.count == 4)
  }

  // MARK: Classes

  final class Named: Equatable, Sendable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (left: Named, right: Named) -> Bool { left.name == right.name }
  }

  @Test func aClassIsComparedAsItsEqualitySays() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Named, Change<Named>>(Named("a")) { _ in
      Feedback(.onChanged(\.self)) { state in log.note(state.name, answering: nil) }
    }
    rehearsal.run()
    rehearsal.send(.set(\.self, Named("a")))
    rehearsal.send(.set(\.self, Named("b")))
    #expect(log.entries == ["a", "b"])
  }

  @Test func aClassWithoutEqualityIsComparedByIdentity() {
    let (first, second) = (Handle(), Handle())
    let log = Journal<ObjectIdentifier>()
    let rehearsal = Rehearsal<Handle, Change<Handle>>(first) { _ in
      Feedback(.onChanged(\.self)) { state in log.note(ObjectIdentifier(state), answering: nil) }
    }
    rehearsal.run()
    rehearsal.send(.set(\.self, first), .set(\.self, second), .set(\.self, second))
    #expect(log.entries == [ObjectIdentifier(first), ObjectIdentifier(second)])
  }

  /// Shows less than it has, and is not `Equatable`.
  struct Discreet: CustomReflectable, Sendable {
    var shown = 0
    var secret = 0
    var customMirror: Mirror { Mirror(self, children: ["shown": shown], displayStyle: .struct) }
  }

  @Test func aChangeThatAMirrorDoesNotShowIsAChange() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Discreet, Change<Discreet>>(Discreet()) { _ in
      Feedback(.onChanged(\.self)) { state in
        log.note(state.secret, answering: nil)
      }
    }
    rehearsal.run()
    rehearsal.set(\.secret, 5)
    rehearsal.set(\.secret, 5)
    #expect(log.entries == [0, 5])
  }
}
