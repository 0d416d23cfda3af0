#if canImport(SwiftUI)
  public import Foundation
  import Observation
  public import SwiftUI

  /// The date, kept up to date while a view has its identity.
  ///
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import SwiftUI
  ///
  /// struct ClockView: View {
  ///   @TimerProperty private var date
  ///
  ///   var body: some View {
  ///     Text("\(date)")
  ///     Stepper("Every \($date.interval.wrappedValue) s", value: $date.interval, in: 1...10)
  ///       .onAppear { $date.resume() }
  ///       .onDisappear { $date.pause() }
  ///   }
  /// }
  /// ```
  ///
  /// The view is evaluated at each tick. The ticks are the interval apart, counted from the first evaluation or
  /// the last change of the interval, whatever an evaluation takes; those that were missed, such as while the
  /// device slept, are not made up for.
  @MainActor
  @propertyWrapper
  public struct TimerProperty: DynamicProperty {
    private let storage: State<TimerStorage>
    private let interval: State<TimeInterval>
    private let task = TaskProperty<TimeInterval>()
    private let clock: any Clock<Duration>
    private let now: @MainActor () -> Date

    /// Makes a property that ticks once a second.
    public init() {
      self.init(every: 1)
    }

    /// Makes a property.
    ///
    /// - Parameters:
    ///   - interval: the seconds between two ticks at first; without a tick where it is not above zero.
    ///   - clock: measures them.
    ///   - now: says what date it is.
    public init(
      every interval: TimeInterval, clock: any Clock<Duration> = ContinuousClock(),
      now: @escaping @MainActor () -> Date = { Date() }
    ) {
      storage = State(initialValue: TimerStorage(now()))
      self.interval = State(initialValue: interval)
      self.clock = clock
      self.now = now
    }

    /// The date of the last tick.
    public var wrappedValue: Date { storage.wrappedValue.date }

    /// The interval of the ticks, and whether there are any.
    public var projectedValue: TimerControls {
      TimerControls(interval: interval.projectedValue, task: task)
    }

    /// Begins to tick, or to tick at another interval.
    public nonisolated func update() {
      // It is called where the body is evaluated, and that is isolated to the main actor.
      MainActor.assumeIsolated { updateTask() }
    }

    private func updateTask() {
      let interval = interval.wrappedValue
      task.update(id: interval) { @MainActor [weak storage = storage.wrappedValue, clock, now] in
        storage?.date = now()
        await tick(every: interval, on: clock) {
          storage?.date = now()
          return storage != nil
        }
      }
    }
  }

  /// Changes how a ``TimerProperty`` ticks.
  @MainActor
  public struct TimerControls {
    /// The seconds between two ticks; without a tick where it is not above zero.
    ///
    /// A change starts anew.
    public let interval: Binding<TimeInterval>

    private let task: TaskProperty<TimeInterval>

    init(interval: Binding<TimeInterval>, task: TaskProperty<TimeInterval>) {
      self.interval = interval
      self.task = task
    }

    /// Stops the ticks, such as while the view is not on the screen.
    public func pause() {
      task.pause()
    }

    /// Takes the ticks up again, with one at once.
    public func resume() {
      task.resume()
    }

    /// Stops the ticks, until the interval is changed.
    public func cancel() {
      task.cancel()
    }
  }

  @MainActor
  @Observable
  private final class TimerStorage {
    var date: Date

    init(_ date: Date) {
      self.date = date
    }
  }

  /// Ticks until the task is cancelled, or nobody wants more.
  private func tick(
    every interval: TimeInterval, on clock: any Clock<Duration>, _ body: () -> Bool
  ) async {
    guard interval > 0 else { return }
    let timer = RunTimer(clock)
    // Less than a clock can tell apart, and more than a duration can hold, would not do.
    let interval = Duration.seconds(min(max(interval, 0.000_001), 31_556_952_000))
    var tick = interval
    repeat {
      guard (try? await timer.sleep(until: tick)) != nil else { return }
      let missed = ((timer.elapsed() - tick) / interval).rounded(.down)
      tick += interval * (1 + max(0, Int(missed)))
    } while body()
  }
#endif
