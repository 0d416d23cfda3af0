import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Stream") struct StreamTests {
  struct Fields: Sendable {
    var room: Int?
    var messages: [String] = []
    var other = 0
  }

  typealias Stage = Rehearsal<Fields, Change<Fields>>

  /// Sequences that the test feeds, and what became of each.
  private final class Rooms: Sendable {
    let log = Journal<String>()
    let continuations = Lock<[AsyncStream<String>.Continuation]>([])

    func open(_ room: Int) -> AsyncStream<String> {
      log.note("open \(room)")
      return AsyncStream { continuation in
        continuation.onTermination = { [log] termination in
          log.note("\(termination == .cancelled ? "cancelled" : "finished") \(room)")
        }
        continuations.withLock { $0.append(continuation) }
      }
    }

    subscript(index: Int) -> AsyncStream<String>.Continuation {
      continuations.withLock { $0[index] }
    }
  }

  private func stage(_ rooms: Rooms) -> Stage {
    Stage(Fields()) { _ in
      Feedback.stream(\.room) { room in
        rooms.open(room)
      } event: { message in
        message.isEmpty ? nil : Change { $0.messages.append(message) }
      }
    }
  }

  @Test func aSequenceRunsWhileItsKeyIsThere() {
    let rooms = Rooms()
    let stage = stage(rooms)
    stage.run()
    #expect(rooms.log.entries == [])
    stage.set(\.room, 1)
    stage.perform { rooms[0].yield("a") }
    stage.perform {
      rooms[0].yield("")
      rooms[0].yield("b")
    }
    stage.set(\.other, 1)
    #expect(stage.state.messages == ["a", "b"])
    stage.set(\.room, nil)
    #expect(rooms.log.entries == ["open 1", "cancelled 1"])
    stage.perform { rooms[0].yield("late") }
    #expect(stage.state.messages == ["a", "b"])
  }

  @Test func anotherKeySwitchesTheSequence() {
    let rooms = Rooms()
    let stage = stage(rooms)
    stage.run()
    stage.set(\.room, 1)
    stage.perform { rooms[0].yield("from 1") }
    stage.set(\.room, 2)
    #expect(Set(rooms.log.entries) == ["open 1", "cancelled 1", "open 2"])
    stage.perform {
      rooms[0].yield("from 1 again")
      rooms[1].yield("from 2")
    }
    #expect(stage.state.messages == ["from 1", "from 2"])
  }

  @Test func elementsThatWaitWhenTheKeyChangesAreDropped() {
    let rooms = Rooms()
    let stage = stage(rooms)
    stage.run()
    stage.set(\.room, 1)
    let context = stage.context
    stage.perform {
      // Both are queued in one turn: the element is the first's, whose key is gone by its turn.
      context.send(
        Change { state in
          rooms[0].yield("stale")
          state.room = 2
        })
    }
    #expect(stage.state.messages == [])
  }

  @Test func aSequenceThatEndedStartsAgainOnlyWithItsKey() {
    let rooms = Rooms()
    let stage = stage(rooms)
    stage.run()
    stage.set(\.room, 1)
    stage.perform { rooms[0].finish() }
    stage.set(\.other, 1)
    stage.set(\.room, 1)
    #expect(rooms.log.entries == ["open 1", "finished 1"])
    stage.set(\.room, nil)
    stage.set(\.room, 1)
    #expect(rooms.log.entries == ["open 1", "finished 1", "open 1"])
  }

  @Test func aStopCutsASequenceOffAndTheNextStartOpensItAgain() {
    let rooms = Rooms()
    let stage = stage(rooms)
    let loop = stage.run()
    stage.set(\.room, 1)
    stage.stop(loop)
    #expect(rooms.log.entries == ["open 1", "cancelled 1"])
    stage.run()
    #expect(rooms.log.entries == ["open 1", "cancelled 1", "open 1"])
  }

  @Test func valuesThatASequenceHasReadyAreAllReduced() {
    let stage = Stage(Fields()) { _ in
      Feedback.stream {
        AsyncStream<String> { continuation in
          for number in 0..<500 { continuation.yield("\(number)") }
          continuation.finish()
        }
      } event: { message in
        Change { $0.messages.append(message) }
      }
    }
    stage.run()
    #expect(stage.state.messages == (0..<500).map(String.init))
  }

  /// Stops when it goes, as a class that wraps a callback does.
  private final class Sensor: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      var numbers: AsyncStream<Int>.Iterator

      mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        await numbers.next(isolation: actor)
      }

      mutating func next() async -> Int? { await next(isolation: nil) }
    }

    let numbers: AsyncStream<Int>
    let continuation: AsyncStream<Int>.Continuation

    init() {
      (numbers, continuation) = AsyncStream.makeStream()
      continuation.yield(1)
    }

    deinit {
      continuation.finish()
    }

    func makeAsyncIterator() -> Iterator { Iterator(numbers: numbers.makeAsyncIterator()) }
  }

  @Test func aSequenceIsKeptAsLongAsItRuns() {
    let opened = Journal<AsyncStream<Int>.Continuation>()
    let stage = Stage(Fields()) { _ in
      Feedback.stream {
        let sensor = Sensor()
        opened.note(sensor.continuation)
        return sensor
      } event: { number in
        Change { $0.messages.append("\(number)") }
      }
    }
    stage.run()
    stage.perform { opened.entries[0].yield(2) }
    #expect(stage.state.messages == ["1", "2"])
  }
}
