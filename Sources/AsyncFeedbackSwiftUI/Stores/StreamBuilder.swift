#if canImport(SwiftUI)
  public import SwiftUI

  /// A view of what a sequence brings, which runs the sequence while the view is on the screen.
  ///
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import SwiftUI
  ///
  /// struct TemperatureView: View {
  ///   let temperature: StreamValue<Double>
  ///
  ///   var body: some View {
  ///     StreamBuilder(temperature) { degrees in
  ///       Text(verbatim: "\(degrees)°")
  ///     } empty: {
  ///       ProgressView()
  ///     } error: { error in
  ///       Button("Try again") { temperature.refresh() }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// It has three forms: of a store, of an id and a function that makes a sequence for it, and of a sequence
  /// alone. A store is owned elsewhere, and is what the view needs where somebody refreshes or shares it.
  ///
  /// - The sequence is consumed on the main actor. It is cancelled when the view disappears or gets another
  ///   id or store, and a new one is begun when it appears again.
  /// - What stood is shown until the new sequence brings its first element; an error gives way to `empty`. A
  ///   value of another id or store never shows. What a cancelled sequence still brings does not either.
  /// - When the sequence ends, its last value stays. An error that it throws is shown, also a
  ///   `CancellationError` that nobody has asked for.
  public struct StreamBuilder<
    ID: Equatable, Data: Sendable, Empty: View, Value: View, Failure: View
  >: View {
    private enum Source {
      case store(StreamValue<Data>)
      case sequence(ID, make: (ID) -> any AsyncSequence<Data, any Error>)
    }

    private struct Shown {
      let key: StreamKey<ID>
      var state: StreamState<Data>
    }

    private let source: Source
    private let value: (Data) -> Value
    private let empty: () -> Empty
    private let error: (any Error) -> Failure
    private var shown = State(initialValue: Shown?.none)

    /// Shows a store, and runs it.
    ///
    /// - Parameters:
    ///   - stream: owned elsewhere; one that the parent makes anew with each evaluation starts anew each time.
    ///   - value: shows the newest value.
    ///   - empty: is there until a value has come.
    ///   - error: shows why there is none.
    public init(
      _ stream: StreamValue<Data>, @ViewBuilder value: @escaping (Data) -> Value,
      @ViewBuilder empty: @escaping () -> Empty,
      @ViewBuilder error: @escaping (any Error) -> Failure
    ) where ID == EmptyEquatable {
      source = .store(stream)
      self.value = value
      self.empty = empty
      self.error = error
    }

    /// Shows the sequence of an id.
    ///
    /// - Parameters:
    ///   - id: another one cancels the sequence, and begins the one made for it.
    ///   - stream: makes a fresh sequence, on the main actor.
    ///   - value: shows the newest value.
    ///   - empty: is there until a value of this id has come.
    ///   - error: shows why there is none.
    public init(
      id: ID, stream: @escaping (ID) -> any AsyncSequence<Data, any Error>,
      @ViewBuilder value: @escaping (Data) -> Value, @ViewBuilder empty: @escaping () -> Empty,
      @ViewBuilder error: @escaping (any Error) -> Failure
    ) {
      source = .sequence(id, make: stream)
      self.value = value
      self.empty = empty
      self.error = error
    }

    /// Shows the sequence of an id, which never fails, or fails with errors of one type.
    ///
    /// See `init(id:stream:value:empty:error:)`.
    public init<Problem: Error>(
      id: ID, stream: @escaping (ID) -> any AsyncSequence<Data, Problem>,
      @ViewBuilder value: @escaping (Data) -> Value, @ViewBuilder empty: @escaping () -> Empty,
      @ViewBuilder error: @escaping (any Error) -> Failure
    ) {
      self.init(
        id: id, stream: { erasingFailure(of: stream($0)) }, value: value, empty: empty, error: error
      )
    }

    /// What the sequence has brought.
    public var body: some View {
      switch source {
      case .store(let store):
        content(store.state).observing(store)
      case .sequence(let id, let make):
        let key = StreamKey(id: id)
        content(shown.wrappedValue.flatMap { $0.key == key ? $0.state : nil } ?? .empty)
          .task(id: key) { await consume(key, make) }
      }
    }

    @ViewBuilder private func content(_ state: StreamState<Data>) -> some View {
      // A group, so that what is done with the whole outlives the change from one case to another.
      Group {
        switch state {
        case .empty: empty()
        case .value(let data): value(data)
        case .error(let failure): error(failure)
        }
      }
    }

    private func consume(
      _ key: StreamKey<ID>, _ make: (ID) -> any AsyncSequence<Data, any Error>
    ) async {
      // The task of an id that was passed over may begin after it was cancelled.
      guard !Task.isCancelled else { return }
      // Nothing is written for what is shown already: the view would be evaluated once more.
      if let former = shown.wrappedValue, former.key != key || former.state.data == nil {
        shown.wrappedValue = nil
      }
      do {
        try await AsyncFeedback.consume(make(key.id)) { element in
          guard !Task.isCancelled else { return false }
          shown.wrappedValue = Shown(key: key, state: .value(element))
          return true
        }
      } catch {
        if !Task.isCancelled { shown.wrappedValue = Shown(key: key, state: .error(error)) }
      }
    }
  }

  extension StreamBuilder where ID == EmptyEquatable {
    /// Shows a sequence.
    ///
    /// - Parameters:
    ///   - stream: makes a fresh sequence; evaluated each time that the view appears.
    ///   - value: shows the newest value.
    ///   - empty: is there until a value has come.
    ///   - error: shows why there is none.
    public init(
      _ stream: @autoclosure @escaping () -> any AsyncSequence<Data, any Error>,
      @ViewBuilder value: @escaping (Data) -> Value, @ViewBuilder empty: @escaping () -> Empty,
      @ViewBuilder error: @escaping (any Error) -> Failure
    ) {
      self.init(
        id: EmptyEquatable(), stream: { _ in stream() }, value: value, empty: empty, error: error)
    }

    /// Shows a sequence that never fails, or fails with errors of one type.
    ///
    /// See `init(_:value:empty:error:)`.
    public init<Problem: Error>(
      _ stream: @autoclosure @escaping () -> any AsyncSequence<Data, Problem>,
      @ViewBuilder value: @escaping (Data) -> Value, @ViewBuilder empty: @escaping () -> Empty,
      @ViewBuilder error: @escaping (any Error) -> Failure
    ) {
      self.init(
        id: EmptyEquatable(), stream: { _ in erasingFailure(of: stream()) }, value: value,
        empty: empty, error: error)
    }
  }

  /// An id that is another one only if it has changed, also where it is not equal to itself.
  private nonisolated struct StreamKey<ID: Equatable>: Equatable {
    let id: ID

    static func == (one: Self, other: Self) -> Bool {
      isUnchanged(one.id, other.id)
    }
  }
#endif
