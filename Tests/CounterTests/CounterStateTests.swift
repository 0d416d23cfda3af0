import AsyncFeedbackTestSupport
import CounterSystem
import Testing

@Suite struct CounterStateTests {
  @Test func beginsAtOneWithNothingToSay() async {
    let context = TestContext(state: .init(), system: Counter())
    await context
      .run()
      .check { state in
        #expect(state.count == 1)
        #expect(state.message == nil)
      }
      .finish()
  }

  @Test(
    arguments: [
      (-3, "multiple of 3!!"), (-1, nil), (0, "multiple of 3!!"), (4, nil), (.max, nil),
    ] as [(Int, String?)])
  func saysWhetherTheNumberEnteredIsAMultipleOfThree(number: Int, message: String?) async {
    let context = TestContext(state: .init(), system: Counter())
    await context
      .run()
      .send(.countEntered(number))
      .check { state in
        #expect(state.count == number)
        #expect(state.message == message)
      }
      .finish()
  }

  @Test func takesBackWhatItSaid() async {
    let context = TestContext(state: .init(), system: Counter())
    await context
      .run()
      .send(.countEntered(3))
      .check { state in #expect(state.message == "multiple of 3!!") }
      .send(.decremented)
      .check { state in #expect(state.message == nil) }
      .finish()
  }

  @Test func speaksOnceForEachChange() async {
    let context = TestContext(state: .init(), system: Counter())
    await context
      .run()
      .send(.countEntered(3))
      .settle()
      .send(.messageChanged("mine"))
      // The count is the same, so nobody looks at it again.
      .send(.countEntered(3))
      .check { state in #expect(state.message == "mine") }
      .finish()
  }

  @Test func hearsOfANumberThatABindingWrites() async {
    let context = TestContext(state: .init(), system: Counter())
    context.run()
    context.eventBinding.count.wrappedValue = 6
    await context
      .check { state in #expect(state.message == "multiple of 3!!") }
      .finish()
  }
}
