import AsyncFeedbackTestSupport
import CounterSystem
import Testing

@Test func cheersAtMultiplesOfThree() async {
  let context = TestContext(state: .init(), system: Counter())
  await context
    .run()
    .send(.incremented)
    .check { state in #expect(state.message == nil) }
    .send(.incremented)
    .check { state in #expect(state.message == "multiple of 3!!") }
    .finish()
}
