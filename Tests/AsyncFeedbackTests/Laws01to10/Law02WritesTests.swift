import AsyncFeedback
import Testing

@MainActor @Suite("Law 2: writes that wait") struct Law02WritesTests {
  /// A field that counts how often it is written.
  struct Fields: Sendable {
    let writes: Tally
    private var stored = 0
    var text: Int {
      get { stored }
      set {
        writes.increment()
        stored = newValue
      }
    }

    init(_ writes: Tally) {
      self.writes = writes
    }
  }

  @Test func readersCostEachWriteOnceWhileItWaits() async {
    let writes = Tally()
    let context = Context(state: Fields(writes), system: ChangeSystem<Fields> {})
    for number in 1...500 {
      context.binding.text.wrappedValue = number
      context.send(Change { _ in })
      #expect(context.text == number)
    }
    #expect(writes.count == 500)
    let running = context.start()
    await context.quiet()
    #expect(context.text == 500)
    running.stop()
    await running.ended()
  }
}
