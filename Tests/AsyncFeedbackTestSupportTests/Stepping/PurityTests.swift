import AsyncFeedback
import AsyncFeedbackTestSupport
import Synchronization
import Testing

@Suite struct PurityTests {
  private let failures = Failures()

  /// Counts with a counter that is not part of the state.
  private final class Impure: SystemProtocol {
    struct State { var number = 0 }
    enum Event { case numbered, kept }

    private let source = Atomic(0)

    func reducer() -> Reducer {
      { [self] state, event in
        if event == .numbered {
          state.number = source.wrappingAdd(1, ordering: .relaxed).newValue
        }
      }
    }

    func feedbacks() -> [Feedback<Impure>] { [] }
  }

  @Test func aReducerThatMakesTwoStatesOfOneIsAFailure() async {
    let context = failures.context(.init(), Impure(), checksPurity: true)
    let line: UInt = #line + 1
    await context.run().send(.numbered)
    await context.send(.kept)
    context.finish()
    #expect(
      failures.heads == [
        """
        the reducer made two states of one on .numbered (first → second):
          number: 1 → 2
        A reducer must depend on the state and the event alone: on no clock, no random number, no \
        identifier made on the spot, and on no object that two states share. Let a feedback make such a \
        value and answer with it.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test func withoutTheCheckEachEventIsReducedOnce() async {
    let context = failures.context(.init(), Impure())
    await context.run().send(.numbered).finish()
    #expect(context.state.number == 1)
    #expect(failures.messages == [])
  }

  @Test func aPureReducerPasses() async {
    let context = failures.context(.init(), Sample(), checksPurity: true)
    await context.run().send(.go(3)) { $0.n = 3 }.finish()
    #expect(failures.messages == [])
  }
}
