#if canImport(SwiftUI)
  public import Foundation
  import Observation
  public import SwiftUI

  /// The date, kept up to date while a view has its identity.
  ///
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import Foundation
  /// import SwiftUI
  ///
  /// struct ClockView: View {
  ///   @TimerProperty private var date
  ///
  ///   var body: some View {
  ///     Text(date.formatted())
  ///     Stepper("Every \($date.interval.wrappedValue) s", value: $date.interval, in: 1...10)
  ///       .onAppear { $date.resume() }
  ///       .onDisappear { $date.pause() }
  ///   }
  /// }
  /// ```
  ///
  /// The view is evaluated at each tick. The ticks are the interval apart, whatever an evaluation takes, counted
  /// from the first evaluation, or from the one that follows a change of the interval or a resume; those that
  /// were missed, such as while the device slept, are not made up for.
  @MainActor
  @propertyWrapper
  public struct TimerProperty: DynamicProperty {
    private var storage: State<TimerStorage>
    private var interval: State<TimeInterval>
    private var task = TaskProperty<EmptyEquatable>()

    /// Makes a property that ticks once a second.
    public init() {
      self.init(every: 1)
    }

    /// Makes a property.
    ///
    /// As with `@State`, what the same view is given later changes nothing; `$date.interval` does.
    ///
    /// - Parameters:
    ///   - interval: the seconds between two ticks at first; without a tick where it is not above zero.
    ///   - clock: measures them.
    ///   - now: says what date it is.
    public init(
      every interval: TimeInterval, clock: any Clock<Duration> = ContinuousClock(),
      now: @escaping @MainActor () -> Date = { Date() }
    ) {
      storage = State(initialValue: TimerStorage(clock: clock, now: now))
      self.interval = State(initialValue: interval)
    }

    /// The date of the last tick; before the first, that of the first look at it.
    public var wrappedValue: Date { storage.wrappedValue.date }

    /// The interval of the ticks, and whether there are any.
    public var projectedValue: TimerControls {
      TimerControls(interval: interval.projectedValue, task: task) {
        [storage = storage.wrappedValue] in storage.tick()
      }
    }

    /// Begins to tick, or to tick at another interval.
    public nonisolated func update() {
      // It is called where the body is evaluated, and that is isolated to the main actor.
      MainActor.assumeIsolated { updateTask() }
    }

    private func updateTask() {
      let interval = interval.wrappedValue
      // Nothing is written before the first tick: this is within the evaluation of the view.
      task.update { [storage = storage.wrappedValue] in
        await tick(every: interval, on: storage.clock) { storage.tick() }
      }
    }
  }

  /// Changes how a ``TimerProperty`` ticks.
  @MainActor
  public struct TimerControls {
    /// The seconds between two ticks; without a tick where it is not above zero.
    ///
    /// A change starts anew, with a tick at once, unless the ticks are paused. The same once more is none.
    public let interval: Binding<TimeInterval>

    private let task: TaskProperty<EmptyEquatable>
    private let tick: @MainActor () -> Void

    init(
      interval: Binding<TimeInterval>, task: TaskProperty<EmptyEquatable>,
      tick: @escaping @MainActor () -> Void
    ) {
      self.interval = Binding(
        get: { @MainActor in interval.wrappedValue },
        set: { @MainActor value, transaction in
          guard !isUnchanged(interval.wrappedValue, value) else { return }
          withTransaction(transaction) {
            interval.wrappedValue = value
            if task.renew(), value > 0 { tick() }
          }
        })
      self.task = task
      self.tick = tick
    }

    /// Stops the ticks until they are resumed, such as while the view is not on the screen.
    public func pause() {
      task.pause()
    }

    /// Takes the ticks up again, with one at once, if they were stopped.
    public func resume() {
      if task.resumeIfEnded(), interval.wrappedValue > 0 { tick() }
    }

    /// Stops the ticks, until the interval is changed or they are resumed.
    public func cancel() {
      task.cancel()
    }
  }

  @MainActor
  @Observable
  private final class TimerStorage {
    private var ticked: Date?
    @ObservationIgnored private lazy var first = now()
    @ObservationIgnored let clock: any Clock<Duration>
    @ObservationIgnored private let now: @MainActor () -> Date

    // A view may be initialised anywhere that it can be.
    nonisolated init(clock: any Clock<Duration>, now: @escaping @MainActor () -> Date) {
      self.clock = clock
      self.now = now
    }

    var date: Date { ticked ?? first }

    func tick() {
      ticked = now()
    }
  }

  /// Ticks until the task is cancelled.
  private func tick(
    every interval: TimeInterval, on clock: any Clock<Duration>, _ body: () -> Void
  ) async {
    guard interval > 0 else { return }
    let timer = RunTimer(clock)
    // Less than a clock can tell apart, and more than a duration can hold, would not do.
    let interval = Duration.seconds(min(max(interval, 0.000_001), 31_556_952_000))
    var tick = interval
    while (try? await timer.sleep(until: tick)) != nil, !Task.isCancelled {
      let missed = ((timer.elapsed() - tick) / interval).rounded(.down)
      tick += interval * (1 + max(0, Int(missed)))
      body()
    }
  }
#endif
