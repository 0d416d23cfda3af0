import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Which runs are alive, and what becomes of an answer.
@Suite struct HeldRunTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  @Test func aRequestIsAliveWithItsPayloadUntilItIsAnswered() async {
    await context(.search()).run()
      .alive()
      .send(.asked("a"))
      .alive(.run("search", "a"))
      .alive("search")
      .answer("search", with: .logged("found"))
      .alive()
      .check { #expect($0.log == ["found"]) }
      .finish()
    expectNoFailure()
  }

  @Test @MainActor func aTestOfTheMainActorHoldsTheSameWay() async {
    await context(.search()).run()
      .send(.asked("a"))
      .alive(.run("search", "a"))
      .answer("search", with: .logged("found"))
      .check { #expect($0.log == ["found"]) }
      .finish()
    expectNoFailure()
  }

  @Test func anAnswerWithAClaimIsReceivedAtOnce() async {
    let context = context(.search())
    await context.run().send(.asked("a"))
      .answer("search", with: .logged("found")) { $0.log = ["found"] }
      .receiveNothing()
      .finish()
    expectNoFailure()
  }

  @Test func aRunIsFoundByAPartOfItsPayload() async {
    let context = context(.search(), .watch)
    await context.run().send(.asked("abc"))
      .alive(.run("search", where: { (query: String) in query.hasPrefix("a") }))
      .end(.run("search", where: { (query: String) in query.hasPrefix("a") }))
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func anAnswerWaitsForTheNextStep() async {
    let context = context(.search())
    await context.run().send(.asked("a")).answer("search", with: .logged("found"))
    #expect(context.state.log == [])
    #expect(context.context.driver.waiting.count == 1)
    await context.settle()
    #expect(context.state.log == ["found"])
    context.finish()
    expectNoFailure()
  }

  @Test func whatWaitsGoesBeforeAnAnswer() async {
    let context = context(.note, .search())
    await context.run().send(.asked("a")).send(.counted(1)).answer("search", with: .logged("found"))
    #expect(context.state.log == ["count 1"])
    await context.settle()
    #expect(context.state.log == ["count 1", "found"])
    context.finish()
    expectNoFailure()
  }

  @Test func theStateThatReplacesARequestEndsTheRunOfTheOldOne() async {
    await context(.search()).run()
      .send(.asked("a")).alive(.run("search", "a"))
      .send(.asked("b")).alive(.run("search", "b"))
      .send(.asked(nil)).alive()
      .finish()
    expectNoFailure()
  }

  @Test func anAnswerThatLosesItsLeaseWhileItWaitsIsDropped() async {
    await context(.watch).run()
      .send(.opened(true))
      .answer("watch", with: .opened(false), .logged("late"))
      .check { #expect($0 == .init()) }
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func theBodyOfATriggerHasTheStateForItsPayload() async {
    await context(.watch).run()
      .send(.counted(3)).send(.opened(true)).send(.counted(4))
      .alive(.run("watch", Shop.State(isOpen: true, count: 3)))
      .end("watch")
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func aBodyThatSendsIsAliveUntilItIsEnded() async {
    await context(.watch).run()
      .send(.opened(true))
      .answer("watch", with: .logged("a"), .logged("b"))
      .answer("watch", with: .logged("c"))
      .alive("watch")
      .end("watch")
      .alive()
      .check { #expect($0.log == ["a", "b", "c"]) }
      .finish()
    expectNoFailure()
  }

  @Test func eachElementHasARunThatItsIDFinds() async {
    let pen = Shop.Item(id: 1, name: "pen")
    let ink = Shop.Item(id: 2, name: "ink")
    let quill = Shop.Item(id: 1, name: "quill")
    await context(.upload()).run()
      .send(.stocked([pen, ink]))
      .alive(.run("upload", ink), .run("upload", id: 1))
      .send(.stocked([quill, ink]))
      .alive(.run("upload", id: 1, quill), .run("upload", id: 2, ink))
      .answer(.run("upload", id: 2), with: .logged("ink"))
      .alive(.run("upload", quill))
      .send(.stocked([]))
      .alive()
      .check { #expect($0.log == ["ink"]) }
      .finish()
    expectNoFailure()
  }

  @Test func anElementThatIsHandedOnIsThePayloadAsItIsNow() async {
    let updating = Feedback<Shop>.eachUpdating(\.items, name: "upload") { values, send in
      for await value in values { send(.logged(value.name)) }
    }
    await context(updating).run()
      .send(.stocked([.init(id: 1, name: "pen")]))
      .send(.stocked([.init(id: 1, name: "quill")]))
      .alive(.run("upload", Shop.Item(id: 1, name: "quill")))
      .end("upload")
      .finish()
    expectNoFailure()
  }

  @Test func aQueuedRunKeepsThePayloadOfItsTrigger() async {
    let changes = Feedback<Shop>(.onChanged(\.count), policy: .queued, name: "store") { _ async in
      .logged("body")
    }
    let context = context(changes)
    await context.run().send(.counted(1)).send(.counted(2))
    #expect(context.heldRuns.map { ($0.payload as? Shop.State)?.count } == [0])
    await context.end("store")
    #expect(context.heldRuns.map { ($0.payload as? Shop.State)?.count } == [1])
    await context.send(.counted(3)).answer("store", with: .logged("one")).settle()
    #expect(context.heldRuns.map { ($0.payload as? Shop.State)?.count } == [2])
    await context.end("store").end("store").alive()
    #expect(context.state.log == ["one"])
    context.finish()
    expectNoFailure()
  }

  @Test func runsBesideEachOtherAreAliveTogether() async {
    await context(.save()).run()
      .send(.saved(1)).send(.saved(2)).send(.saved(1))
      .alive("save", .run("save", 1), .run("save", 1))
      .answer(.run("save", 2), with: .logged("two"))
      .answer(.run("save", 1).oldest, with: .logged("one"))
      .alive(.run("save", 1))
      .answer("save", with: .logged("one again"))
      .check { #expect($0.log == ["two", "one", "one again"]) }
      .finish()
    expectNoFailure()
  }

  @Test func theOldestIsTheOneThatBeganFirst() async {
    let context = context(.save())
    await context.run().send(.saved(1)).send(.saved(1))
    let runs = context.heldRuns
    await context.end(.run("save", 1).oldest)
    #expect(context.heldRuns.map(\.info) == runs.dropFirst().map(\.info))
    await context.end("save")
    context.finish()
    expectNoFailure()
  }

  @Test func aLimitOfRunsBesideEachOtherHolds() async {
    await context(.save(.overlapping(limit: 2, waiting: 1))).run()
      .send(.saved(1)).send(.saved(2)).send(.saved(3)).send(.saved(4))
      .alive(.run("save", 1), .run("save", 2))
      .end(.run("save", 1))
      .alive(.run("save", 2), .run("save", 3))
      .end(.run("save", 2)).end(.run("save", 3))
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func aTriggerIsIgnoredWhileARunOfADroppingFeedbackIsHeld() async {
    await context(.save(.dropping)).run()
      .send(.saved(1)).send(.saved(2))
      .alive(.run("save", 1))
      .end("save")
      .send(.saved(3))
      .alive(.run("save", 3))
      .end("save")
      .finish()
    expectNoFailure()
  }

  @Test func aRunThatWaitsForTheEndOfTheOldOneIsAliveAtOnceSinceAHeldOneEndsAtOnce() async {
    await context(.search(.latest(.afterCleanup))).run()
      .send(.asked("a")).send(.asked("b"))
      .alive(.run("search", "b"))
      .send(.asked(nil))
      .finish()
    expectNoFailure()
  }

  @Test func aStopEndsWhatIsHeldAndTheNextLoopHasItAnew() async {
    let context = context(.watch)
    await context.run().send(.opened(true)).alive("watch")
    context.finish()
    #expect(context.heldRuns.isEmpty)
    #expect(failures.heads.count == 1)
    await context.run().alive("watch").end("watch")
    context.finish()
    #expect(failures.heads.count == 1)
  }

  @Test func aContextThatGoesTakesWhatIsHeldWithIt() async {
    func abandon() async -> WeakBox<Driver<Shop>> {
      let context = context(.search().retrying(limit: 2, backoff: .constant(.seconds(1))))
      await context.run().send(.asked("a"))
      return WeakBox(context.context.driver)
    }
    #expect(await abandon().object == nil)
    expectNoFailure()
  }

  @Test func heldRunsTellAllThatIsKnownOfThem() async throws {
    let context = context(.upload(), .watch)
    await context.run().send(.stocked([.init(id: 7, name: "pen")])).send(.opened(true))
    let runs = context.heldRuns
    try #require(runs.count == 2)
    #expect(runs.map(\.name) == ["upload", "watch"])
    #expect(
      "\(runs[0])" == #"upload[7] (Shop.swift:40), payload Item(id: 7, name: "pen")"#)
    #expect(runs.map(\.info.startedBy) == [1, 2])
    #expect(runs.map(\.elementID) == [AnyHashable(7), nil])
    #expect(runs[0].payload as? Shop.Item == .init(id: 7, name: "pen"))
    #expect((runs[1].payload as? Shop.State)?.isOpen == true)
    await context.send(.opened(false)).send(.stocked([]))
    context.finish()
    expectNoFailure()
  }

  @Test func claimsThatFitSeveralRunsFindOneForEach() async {
    await context(
      .upload(), state: .init(items: [.init(id: 1, name: "a"), .init(id: 2, name: "b")])
    )
    .run()
    .alive("upload", .run("upload", id: 1))
    .alive(.run("upload", id: 1), "upload")
    .end(.run("upload", id: 1)).end("upload")
    .finish()
    expectNoFailure()
  }

  @Test func contextsBesideEachOtherHoldEachTheirOwn() async {
    await withTaskGroup(of: [String].self) { group in
      for number in 0..<20 {
        group.addTask {
          let context = TestContext(state: .init(), system: Shop(.search()), held: .all)
          await context.run().send(.asked("\(number)"))
            .alive(.run("search", "\(number)"))
            .answer("search", with: .logged("found \(number)"))
            .settle()
          context.finish()
          return context.state.log == ["found \(number)"] ? [] : context.state.log
        }
      }
      for await wrong in group { #expect(wrong == []) }
    }
  }
}
