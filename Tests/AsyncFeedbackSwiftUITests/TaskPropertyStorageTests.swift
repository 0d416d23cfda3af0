import AsyncFeedbackTestSupport
import Testing

@testable import AsyncFeedbackSwiftUI

@MainActor @Suite("TaskPropertyStorage", .timeLimit(.minutes(10)))
struct TaskPropertyStorageTests {
  private let log = Log()
  private let ended = Signal()

  /// Notes when it begins, and when it is cancelled.
  private func endless(_ name: String) -> @MainActor () async -> Void {
    { [log, ended] in
      log.note(name)
      _ = await Signal().wait()
      log.note("\(name) cancelled")
      ended.give()
    }
  }

  private func update<ID>(
    _ storage: TaskPropertyStorage<ID>, _ id: ID,
    _ action: sending @escaping @isolated(any) () async -> Void
  ) {
    storage.update(id: id, name: nil, priority: nil, executorPreference: nil, action)
  }

  @Test("H10: an operation begins once for an id, and anew with what is captured for another")
  func h10() async {
    let storage = TaskPropertyStorage<Int>()
    for number in 0..<100 { update(storage, 1, endless("1.\(number)")) }
    #expect(log.entries == ["1.0"])
    for number in 0..<100 { update(storage, 2, endless("2.\(number)")) }
    _ = await ended.wait()
    #expect(log.entries == ["1.0", "2.0", "1.0 cancelled"])
    storage.cancel()
    _ = await ended.wait()
  }

  @Test func anIDThatIsNotEqualToItselfIsNoOtherIDEachTime() {
    let storage = TaskPropertyStorage<Double>()
    for _ in 0..<10 { update(storage, .nan) { @MainActor [log] in log.note("begun") } }
    #expect(log.entries == ["begun"])
  }

  @Test func anOperationBeginsBeforeTheUpdateReturnsAndHasWhatTheTaskIsGiven() async {
    let executor = DeterministicExecutor()
    let storage = TaskPropertyStorage<Int>()
    let (noted, done) = (Signal(), Signal())
    storage.update(
      id: 1, name: "mine", priority: .low, executorPreference: executor
    ) { @MainActor [log] in
      let hasPreference = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
      log.note("\(Task.name ?? "") \(Task.basePriority == .low) \(hasPreference)")
      noted.give()
      done.give()
    }
    _ = await noted.wait()
    #expect(log.entries == ["mine true true"])
    update(storage, 2) { @MainActor [log] in log.note("at once") }
    #expect(log.entries.last == "at once")
    _ = await done.wait()
  }

  @Test func whileItIsPausedNothingBegins() async {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1, endless("1"))
    storage.pause()
    _ = await ended.wait()
    update(storage, 1, endless("paused"))
    update(storage, 2, endless("paused"))
    #expect(storage.resume())
    update(storage, 1, endless("resumed"))
    update(storage, 1, endless("again"))
    #expect(!storage.resume())
    #expect(log.entries == ["1", "1 cancelled", "resumed"])
  }

  @Test func whatWasCancelledBeginsForAnotherIDOrWhenItIsResumed() async {
    let storage = TaskPropertyStorage<Int>()
    storage.cancel()
    update(storage, 1, endless("1"))
    storage.cancel()
    storage.cancel()
    _ = await ended.wait()
    update(storage, 1, endless("cancelled"))
    update(storage, 2, endless("2"))
    storage.cancel()
    _ = await ended.wait()
    #expect(storage.resume())
    update(storage, 2, endless("resumed"))
    #expect(log.entries == ["1", "1 cancelled", "2", "2 cancelled", "resumed"])
  }

  @Test(arguments: [false, true])
  func whatIsCancelledAfterItWasResumedDoesNotBegin(isPaused: Bool) async {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1, endless("1"))
    if isPaused { storage.pause() } else { storage.cancel() }
    _ = await ended.wait()
    #expect(storage.resume())
    storage.cancel()
    update(storage, 1, endless("cancelled"))
    #expect(log.entries == ["1", "1 cancelled"])
    #expect(storage.resume())
    update(storage, 1, endless("resumed"))
    update(storage, 2, endless("2"))
    #expect(log.entries.suffix(2) == ["resumed", "2"])
  }

  @Test func anIDThatCameDuringAPauseIsCancelledToo() async {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1, endless("1"))
    storage.pause()
    _ = await ended.wait()
    update(storage, 2, endless("paused"))
    #expect(storage.resume())
    storage.cancel()
    update(storage, 2, endless("cancelled"))
    #expect(log.entries == ["1", "1 cancelled"])
    update(storage, 1, endless("1"))
    #expect(log.entries.last == "1")
  }

  @Test func aCancelWhileItIsPausedLeavesItPaused() async {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1) { @MainActor [log] in log.note("first") }
    storage.pause()
    storage.cancel()
    update(storage, 1, endless("paused"))
    update(storage, 2, endless("paused"))
    #expect(log.entries == ["first"])
    #expect(storage.resume())
    update(storage, 1, endless("1"))
    #expect(log.entries == ["first", "1"])
  }

  @Test("O7: what has finished begins anew after a pause, with what is captured then")
  func finishedThenResumed() {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1) { @MainActor [log] in log.note("first") }
    update(storage, 1) { @MainActor [log] in log.note("not repeated") }
    storage.pause()
    #expect(storage.resume())
    update(storage, 1) { @MainActor [log] in log.note("second") }
    #expect(log.entries == ["first", "second"])
  }

  @Test func anOperationMayEndItselfAsItBegins() async {
    let storage = TaskPropertyStorage<Int>()
    update(storage, 1) { @MainActor [log, ended] in
      storage.pause()
      _ = await Signal().wait()
      log.note("cancelled \(Task.isCancelled)")
      ended.give()
    }
    _ = await ended.wait()
    #expect(log.entries == ["cancelled true"])
  }

  @Test func anOperationMayPauseTheOneThatReplacesIt() async {
    // Used on the main actor alone.
    nonisolated(unsafe) let storage = TaskPropertyStorage<Int>()
    let begun = Signal()
    update(storage, 1) { @MainActor in
      await withTaskCancellationHandler {
        begun.give()
        _ = await Signal().wait()
      } onCancel: {
        MainActor.assumeIsolated { storage.pause() }
      }
    }
    _ = await begun.wait()
    update(storage, 2, endless("2"))
    #expect(log.entries == [])
    #expect(storage.resume())
    update(storage, 2, endless("2"))
    #expect(log.entries == ["2"])
  }

  @Test("G6: an operation without an end is cancelled when its storage goes")
  func g6() async {
    var storage: TaskPropertyStorage<Int>? = TaskPropertyStorage()
    if let storage { update(storage, 1, endless("1")) }
    storage = nil
    _ = await ended.wait()
    #expect(log.entries == ["1", "1 cancelled"])
  }

  @MainActor private final class Owner {
    let storage = TaskPropertyStorage<Int>()
    let canary: Canary

    init(_ gone: Signal) {
      canary = Canary(gone)
    }

    func work() {}

    func update(_ action: sending @escaping @isolated(any) () async -> Void) {
      storage.update(id: 1, name: nil, priority: nil, executorPreference: nil, action)
    }
  }

  @Test("O7: an owner that the operation captures is kept only while that runs")
  func o7() async {
    for end in ["finish", "pause", "cancel"] {
      let (gone, go) = (Signal(), Signal())
      var owner: Owner? = Owner(gone)
      owner?.update { @MainActor [owner] in
        _ = await go.wait()
        owner?.work()
      }
      // Another operation for the same id is not kept either.
      owner?.update { @MainActor [owner] in owner?.work() }
      switch end {
      case "finish": go.give()
      case "pause": owner?.storage.pause()
      default: owner?.storage.cancel()
      }
      owner = nil
      _ = await gone.wait()
    }
  }
}
