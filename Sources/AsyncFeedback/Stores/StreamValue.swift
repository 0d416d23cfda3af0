public import Observation

/// An observable holder of the newest element of a sequence.
///
/// ```swift
/// import AsyncFeedback
/// import Observation
///
/// @Observable final class Temperature: StreamValue<Double> {
///   init(sensor: AsyncStream<Double>) {
///     super.init { sensor.map { $0 + 273.15 } }
///   }
/// }
/// ```
///
/// Its state is written by the sequence alone; `patch` overrides it until the next element. What has to
/// survive an element belongs into properties beside the state. Whoever tracks `state` through Observation
/// is told of each element, also of one that equals the last, and can read it in the callback already.
///
/// It lives on the main actor and consumes its sequence there, while somebody runs it: a view in
/// `.task(id: store.runID) { await store.run() }`, or a feedback with `Feedback.stream(_:store:event:)`.
/// All runs of a store at one time share one consumption of one sequence. It goes on while any of them does,
/// with the task-local values and the priority of the run that began it.
///
/// A store that goes while its sequence is consumed cancels that; nothing it has started keeps it alive.
@MainActor
open class StreamValue<T: Sendable> {
  /// What a store consumes.
  public typealias S = any AsyncSequence<T, any Error> & Sendable

  private let factory: (@MainActor () -> S)?
  private let stateCell = FieldCell()
  private let generationCell = FieldCell()
  private let number = StreamRunID.nextStore()
  private var moment = StoreMoment<T>()
  /// The moments for those who follow the store, once somebody has.
  private var moments: LatestValue<StoreMoment<T>>?
  private var consumption: Consumption?

  /// Makes a store whose sequences a factory builds; without one a subclass overrides `makeStream()`.
  ///
  /// The factory is called for each consumption, so it has to build a fresh sequence each time.
  public init(_ factory: (@MainActor () -> S)? = nil) {
    self.factory = factory
  }

  /// Makes a store of sequences that never fail, or fail with errors of one type.
  public init<Failure: Error>(
    _ factory: @escaping @MainActor () -> any AsyncSequence<T, Failure> & Sendable
  ) {
    self.factory = { factory().erasingFailure() }
  }

  deinit {
    consumption?.close()
  }

  /// Builds the sequence of the next consumption; by default the factory does.
  ///
  /// An override reads the properties as they are now, and the property calls `refresh()` when it changes.
  /// A sequence with another type of failure enters by `erasingFailure()`.
  open func makeStream() -> S {
    guard let factory else {
      preconditionFailure(
        "a store must have a factory or override makeStream() (\(type(of: self)) has neither)")
    }
    return factory()
  }
}

// MARK: - Reading

extension StreamValue {
  /// What the store shows.
  public var state: StreamState<T> {
    stateCell.access()
    return moment.state
  }

  /// The identity of the present run, another one after each refresh.
  ///
  /// It is observed: a view that reads it starts its task anew.
  public var runID: StreamRunID {
    generationCell.access()
    return StreamRunID(store: number, generation: moment.generation)
  }
}

extension StreamValue: nonisolated Observable {}

// MARK: - Running

extension StreamValue {
  /// Keeps the store running until its sequence ends or fails, the store is refreshed, or the task is
  /// cancelled.
  ///
  /// - The first run of several begins the consumption, and starts from `.empty` after an error; any other
  ///   state is kept until the first element comes. The others join. The last to go closes it.
  /// - When the sequence ends, the last value stays. An error becomes the state; also a `CancellationError`
  ///   that nobody has asked for.
  /// - A run that is cancelled returns at once. If it was the last, the sequence has been cancelled by then,
  ///   but is not waited for, and nothing of it is written any more. A task that is cancelled already runs
  ///   nothing.
  /// - The task that awaits it holds the store.
  public func run() async {
    guard !Task.isCancelled else { return }
    await takeShare().hold()
  }

  /// Takes part in the consumption that goes on, or begins one.
  package func takeShare() -> Share {
    if let share = consumption?.takeShare() { return share }
    if case .error = moment.state { show(.empty) }
    let (consumption, share) = Consumption.open()
    self.consumption = consumption
    let stream = makeStream()
    consumption.begin(
      Task { [weak self] in
        // Nothing is asked of a sequence that nobody wants any more.
        guard consumption.isOpen else { return }
        var failure: (any Error)?
        do {
          try await consume(stream) { self?.receive($0, from: consumption) ?? false }
        } catch {
          failure = error
        }
        self?.end(consumption, failure)
        consumption.close()
      })
    return share
  }

  /// - Returns: whether more is wanted.
  private func receive(_ element: T, from consumption: Consumption) -> Bool {
    guard consumption === self.consumption, consumption.isOpen else { return false }
    show(.value(element))
    return true
  }

  private func end(_ consumption: Consumption, _ failure: (any Error)?) {
    guard consumption === self.consumption, consumption.isOpen else { return }
    self.consumption = nil
    if let failure { return show(.error(failure)) }
    moment.end()
    moments?.put(moment)
  }

  private func show(_ state: StreamState<T>) {
    moment.show(state)
    moments?.put(moment)
    stateCell.notify()
  }
}

/// Hands over each element of a sequence until there are no more or none is wanted.
@MainActor
package func consume<Elements: AsyncSequence>(
  _ elements: Elements, _ receive: (Elements.Element) -> Bool
) async throws {
  // Kept for the whole time: an iterator need not keep its sequence alive.
  defer { withExtendedLifetime(elements) {} }
  var iterator = elements.makeAsyncIterator()
  var count = 0
  while let element = try await iterator.next(isolation: MainActor.shared), receive(element) {
    count += 1
    // A sequence that never suspends would hold the main actor for ever.
    if count.isMultiple(of: 128) { await Task.yield() }
  }
}

// MARK: - Refreshing and patching

extension StreamValue {
  /// Empties the store and ends what runs it, so that those who run it start anew.
  public func refresh() {
    refresh(keepingValue: false)
  }

  /// Ends what runs the store, so that those who run it start anew.
  ///
  /// The present runs return, and nothing of their sequence is written any more. A view starts its task again
  /// by the new `runID`, a feedback by itself; while nobody runs the store, the next run is the fresh one.
  ///
  /// - Parameter isKept: keeps the value that stands until the first element of the new sequence comes; an
  ///   error is not kept.
  public func refresh(keepingValue isKept: Bool) {
    let keepsState = isKept && moment.state.data != nil || moment.isEmpty
    if !keepsState { moment.show(.empty) }
    moment.generation += 1
    let consumption = self.consumption.take()
    moments?.put(moment)
    consumption?.close()
    if !keepsState { stateCell.notify() }
    generationCell.notify()
  }

  /// Overrides the value until the next element.
  ///
  /// It does nothing while there is no value. What the closure throws becomes the state. For an edit that is
  /// to be seen at once, while a durable write is on its way that the sequence will echo.
  public func patch(_ transform: (T) throws -> T) {
    guard case .value(let value) = moment.state else { return }
    let generation = moment.generation
    let patched: StreamState<T>
    do { patched = .value(try transform(value)) } catch { patched = .error(error) }
    // The closure may have asked for another sequence, under which this must not stand.
    if generation == moment.generation { show(patched) }
  }
}

// MARK: - Following

extension StreamValue {
  /// Takes part in the consumption, with all that is to be seen of it.
  ///
  /// - Returns: the share, the moment at which it was taken, and the moments from that one on.
  package func follow() -> (
    share: Share, moment: StoreMoment<T>, moments: LatestValue<StoreMoment<T>>
  ) {
    let share = takeShare()
    let moments = self.moments ?? LatestValue(moment)
    self.moments = moments
    return (share, moment, moments)
  }
}
