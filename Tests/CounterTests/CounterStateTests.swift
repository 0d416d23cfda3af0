import AsyncFeedbackTestSupport
import CounterSystem
import Testing

@Suite struct CounterStateTests {
  private let context = TestContext(state: .init(), system: Counter(), checksPurity: true)

  @Test func beginsAtOneWithNothingToSay() async {
    await context
      .run()
      .receive(.messageChanged(nil)) { _ in }
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
    await context
      .run()
      .send(.countEntered(number)) { $0.count = number }
      .receive(.messageChanged(message)) { $0.message = message }
      .finish()
  }

  @Test func takesBackWhatItSaid() async {
    await context
      .run()
      .send(.countEntered(3)) { $0.count = 3 }
      .receive(.messageChanged("multiple of 3!!")) { $0.message = "multiple of 3!!" }
      .send(.decremented) { $0.count = 2 }
      .receive(.messageChanged(nil)) { $0.message = nil }
      .finish()
  }

  @Test func speaksOnceForEachChange() async {
    await context
      .run()
      .send(.countEntered(3))
      .settle()
      .send(.messageChanged("mine")) { $0.message = "mine" }
      // The count is the same, so nobody looks at it again.
      .send(.countEntered(3)) { _ in }
      .finish()
  }

  @Test func hearsOfANumberThatABindingWrites() async {
    context.run()
    context.eventBinding.count.wrappedValue = 6
    await context
      .receive(.messageChanged("multiple of 3!!")) { $0.message = "multiple of 3!!" }
      .check { state in #expect(state.count == 6) }
      .finish()
  }
}
