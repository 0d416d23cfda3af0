extension Feedback {
  /// Keeps a store running while its key stands in the state; each change of it becomes an event.
  ///
  /// The first event is about the state that stands, whatever it is. A feedback that is slower than the
  /// store gets the newest state only. Another key runs another store in place of this one, nil stops it;
  /// its other runs go on. The feedback goes on when the sequence of the store has ended or failed, and
  /// follows a refresh. The run holds the store.
  ///
  /// ```swift
  /// struct Chat: SystemProtocol {
  ///   struct State { var roomID: Int?; var messages = StreamState<[String]>.empty }
  ///   enum Event { case messagesChanged(StreamState<[String]>) }
  ///   let rooms: @MainActor @Sendable (Int) -> StreamValue<[String]>
  ///
  ///   func reducer() -> Reducer {
  ///     { state, event in
  ///       switch event {
  ///       case .messagesChanged(let messages): state.messages = messages
  ///       }
  ///     }
  ///   }
  ///
  ///   func feedbacks() -> [Feedback<Self>] {
  ///     Feedback.stream(\.roomID, store: rooms) { messages in .messagesChanged(messages) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: what the store belongs to; `\.roomID` is the usual spelling.
  ///   - store: makes or finds the store, on the main actor.
  ///   - end: makes an event of the end of the store's sequence. A failure is a change of the state.
  ///   - event: turns a state into an event; nil for one that does not matter.
  public static func stream<Key: Sendable & Equatable, Value: Sendable>(
    _ key: @escaping @Sendable (System.State) -> Key?,
    name: String? = nil, function: String = #function, fileID: String = #fileID, line: Int = #line,
    store: @escaping @MainActor @Sendable (Key) -> StreamValue<Value>,
    end: (@Sendable () -> System.Event?)? = nil,
    event: @escaping @Sendable (StreamState<Value>) -> System.Event?
  ) -> Self {
    stream(
      Source.request(word: "stream", key), payload: { $0 },
      declaration: Declaration(
        name: name, word: "stream", function: function, fileID: fileID, line: line),
      store: store, end: end, event: event)
  }

  /// Keeps a store running while the loop runs; each change of it becomes an event.
  public static func stream<Value: Sendable>(
    name: String? = nil, function: String = #function, fileID: String = #fileID, line: Int = #line,
    store: @escaping @MainActor @Sendable () -> StreamValue<Value>,
    end: (@Sendable () -> System.Event?)? = nil,
    event: @escaping @Sendable (StreamState<Value>) -> System.Event?
  ) -> Self {
    stream(
      .always(word: "stream"), payload: { _ in nil },
      declaration: Declaration(
        name: name, word: "stream", function: function, fileID: fileID, line: line),
      store: store, end: end, event: event)
  }

  private static func stream<Key: Sendable, Value: Sendable>(
    _ source: Source<System, Key>, payload: @escaping @Sendable (Key) -> (any Sendable)?,
    declaration: Declaration, store: @escaping @MainActor @Sendable (Key) -> StreamValue<Value>,
    end: (@Sendable () -> System.Event?)?,
    event: @escaping @Sendable (StreamState<Value>) -> System.Event?
  ) -> Self {
    stream(
      source, payload: payload, declaration: declaration, throwsErrors: false,
      sequence: { key in StoreChanges { store(key) } }, catch: nil, end: end, isEnd: \.isEnd,
      event: { change in
        switch change {
        case .state(let state): event(state)
        case .ended: end?()
        }
      })
  }

  /// Executes a future's operation while its parameters stand in the state; the result becomes an event.
  ///
  /// Other parameters execute it anew in place of the one that is going on. Nil cancels it and resets the
  /// future, as does a stop of the loop; a result that has come stays. Somebody else who executes or resets
  /// the future meanwhile takes the operation away, which is a `CancellationError` for `catch`.
  ///
  /// - Parameters:
  ///   - params: what the operation is executed with; `\.query` is the usual spelling.
  ///   - future: shows views how far the operation is.
  ///   - catch: turns an error of the operation into an event.
  ///   - event: turns the result into an event.
  public static func request<Params: Sendable & Equatable, Result: Sendable>(
    _ params: @escaping @Sendable (System.State) -> Params?,
    executing future: FutureValue<Params, Result>, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    event: @escaping @Sendable (Result) -> System.Event?
  ) -> Self {
    request(
      params, name: name, function: function, fileID: fileID, line: line, catch: `catch`
    ) { params in
      try await event(future.result(of: params))
    }
  }

  /// Runs a side effect while its input stands in the state; the output becomes an event.
  ///
  /// - Parameters:
  ///   - input: what the side effect is run with; `\.order` is the usual spelling.
  ///   - catch: turns an error of the side effect into an event.
  ///   - event: turns the output into an event.
  public static func request<Input: Sendable & Equatable, Output>(
    _ input: @escaping @Sendable (System.State) -> Input?,
    running sideEffect: SideEffect<Input, Output>, policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    event: @escaping @Sendable (Output) -> System.Event?
  ) -> Self {
    request(
      input, policy: policy, name: name, function: function, fileID: fileID, line: line,
      catch: `catch`
    ) { input in
      try await event(sideEffect.run(input))
    }
  }
}
