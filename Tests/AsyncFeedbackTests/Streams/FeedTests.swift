import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feed: its producer starts and stops") struct FeedTests {
  private let stage = FeedStage()
  private let producer = Producer<Int, any Error>()

  private func feed() -> Feed<Int, any Error> {
    Feed(.newest(100), start: producer.start)
  }

  @Test func theProducerStartsWithTheFirstRequest() {
    let feed = feed()
    let iterator = feed.makeAsyncIterator()
    #expect(producer.log.entries == [])
    withExtendedLifetime(iterator) {}
    let follower = stage.follow(feed)
    #expect(producer.log.entries == ["start"])
    producer.input.send(1)
    producer.input.send(2)
    #expect(follower.entries == ["1", "2"])
    follower.cancel()
  }

  @Test func aCancelledConsumerStopsItOnce() {
    let follower = stage.follow(feed())
    follower.cancel()
    #expect(producer.log.entries == ["start", "stop"])
    #expect(follower.entries == ["end"])
    #expect(!producer.input.send(1))
    producer.input.finish()
    producer.input.finish(throwing: Failure())
    #expect(producer.log.entries == ["start", "stop"])
    #expect(follower.entries == ["end"])
  }

  @Test func aConsumerThatLeavesItsLoopStopsIt() {
    let feed = feed()
    let producer = producer
    let left = Journal<[String]>()
    stage.perform {
      do {
        for try await number in feed where number == 2 { break }
      } catch {}
      left.note(producer.log.entries)
    }
    producer.input.send(1)
    stage.settle()
    #expect(producer.log.entries == ["start"])
    producer.input.send(2)
    stage.settle()
    #expect(left.entries == [["start", "stop"]], "it is stopped where the loop is left")
    #expect(!producer.input.send(3))
  }

  @Test func aProducerThatFinishesIsStoppedAndWhatWaitsIsDelivered() {
    let follower = stage.follow(feed())
    producer.input.send(1)
    producer.input.send(2)
    producer.input.finish()
    #expect(producer.log.entries == ["start", "stop"], "before finish returns")
    #expect(!producer.input.send(3))
    #expect(producer.input.isOver)
    #expect(follower.entries == ["1", "2", "end"])
    #expect(producer.log.entries == ["start", "stop"])
  }

  @Test func anErrorComesAfterWhatWaits() {
    let follower = stage.follow(feed())
    producer.input.send(1)
    producer.input.finish(throwing: Failure(code: 7))
    producer.input.finish()
    #expect(follower.entries == ["1", "Failure(code: 7)"])
  }

  @Test func eachIterationStartsItAnew() {
    let feed = feed()
    stage.follow(feed).cancel()
    let second = stage.follow(feed)
    #expect(producer.log.entries == ["start", "stop", "start"])
    #expect(!producer[0].send(1))
    #expect(producer[1].send(2))
    #expect(second.entries == ["2"])
    #expect(feed.counters.counts.restarts == 1)
    second.cancel()
  }

  @Test func whatTheProducerSendsWhileItStartsIsDelivered() {
    let log = Journal<String>()
    let feed = Feed<Int, Never>(.newest(10)) { input in
      input.send(1)
      input.send(2)
      input.finish()
      log.note("started")
      return { log.note("stopped") }
    }
    #expect(stage.follow(feed).entries == ["1", "2", "end"])
    #expect(log.entries == ["started", "stopped"], "stopped as soon as it can be told")
  }

  @Test func aFeedWhoseInputIsGoneEnds() {
    let follower = stage.follow(feed())
    producer.input.send(1)
    producer.forget()
    #expect(follower.entries == ["1", "end"])
    #expect(producer.log.entries == ["start", "stop"])
  }

  @Test func aTaskThatIsCancelledBeforeItAsksStartsNothing() {
    let feed = feed()
    let ended = Journal<Bool>()
    let task = Task(executorPreference: stage.executor) {
      for try await _ in feed {}
      ended.note(true)
    }
    task.cancel()
    stage.settle()
    #expect(ended.entries == [true])
    #expect(producer.log.entries == [])
  }

  @Test func aConsumerThatIsCancelledWhileItIsBusyGetsNothingMore() {
    let feed = feed()
    let got = Journal<Int>()
    let gate = Gate()
    let task = stage.perform {
      do {
        for try await number in feed {
          got.note(number)
          await gate.passUncancelled()
        }
      } catch {}
    }
    for number in 1...5 { producer.input.send(number) }
    stage.settle()
    task.cancel()
    gate.open()
    stage.settle()
    #expect(got.entries == [1])
    #expect(producer.log.entries == ["start", "stop"])
    #expect(feed.counters.counts.abandoned == 4)
    #expect(feed.counters.counts.sum == 5)
  }

  @Test func aFeedThatNeverFailsIsIteratedWithoutTry() async {
    let feed = Feed<Int, Never>(.oldest(3)) { input in
      for number in 1...3 { input.send(number) }
      return {}
    }
    var numbers: [Int] = []
    for await number in feed { numbers.append(number) }
    #expect(numbers == [1, 2, 3])
  }

  @Test func nothingOfARunIsLeftBehind() {
    final class Mark: Sendable {}
    var mark: Mark? = Mark()
    let gone = mark.map { WeakReference($0) }
    var feed: Feed<Mark, Never>? = Feed(.newest(10)) { [mark] input in
      if let mark { for _ in 0..<5 { input.send(mark) } }
      return { withExtendedLifetime((mark, input)) {} }
    }
    mark = nil
    let running = feed
    let task = stage.perform {
      guard var iterator = running?.makeAsyncIterator() else { return }
      _ = await iterator.next()
      _ = await iterator.next()
    }
    feed = nil
    stage.settle()
    withExtendedLifetime(task) {}
    _ = consume running
    #expect(gone?.object == nil)
  }

  @Test func aDelegateIsKeptByWhatStopsIt() {
    final class Manager: Sendable {
      let delegate = Handover<WeakReference<Delegate>>()
      func report(_ number: Int) { delegate.value?.object?.managerHas(number) }
    }
    final class Delegate: Sendable {
      let input: FeedInput<Int, Never>
      init(_ input: FeedInput<Int, Never>) { self.input = input }
      func managerHas(_ number: Int) { input.send(number) }
    }
    let manager = Manager()
    let feed = Feed<Int, Never>(.newest(10)) { input in
      let delegate = Delegate(input)
      manager.delegate.value = WeakReference(delegate)
      return { [delegate] in withExtendedLifetime(delegate) { manager.delegate.value = nil } }
    }
    let follower = stage.follow(feed)
    manager.report(1)
    #expect(follower.entries == ["1"])
    follower.cancel()
    #expect(manager.delegate.value == nil)
  }
}
