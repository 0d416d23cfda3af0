import LoopbackServer

/// Sends a text, and keeps the stream open until the client goes.
func held(_ text: String) -> @Sendable (Exchange) -> Void {
  { exchange in
    exchange.open()
    exchange.send(text)
    exchange.waitForDeparture()
  }
}

/// Does the same with another text, which a barrier holds up.
func held(
  _ text: String, behind barrier: Barrier, _ rest: String
) -> @Sendable (Exchange) -> Void {
  { exchange in
    exchange.open()
    exchange.send(text)
    barrier.pass()
    exchange.send(rest)
    exchange.waitForDeparture()
  }
}
