import AsyncFeedbackSwiftUI
import Observation
import SwiftUI
import Testing

// Every name and label that users of swiftui-async-feedback, of stream-ui and of the known task property write in
// their views. It compiles; that is the test.

private struct Paper: SystemProtocol {
  struct State {
    var count = 1
    var text = ""
    var isLoading = false
  }

  enum Event {
    case counted
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .counted: state.count += 1
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    [
      Feedback(.onChanged(\.count)) { state in
        if state.count.isMultiple(of: 3) {
          return .counted
        } else {
          return nil
        }
      }
    ]
  }
}

private struct PaperScreen: View {
  @ViewContext(state: Paper.State(), system: Paper())
  var context

  var body: some View {
    List {
      Text(context.count.description)
      Stepper("", value: $context.count)
      TextField("", text: $context.text)
      Button {
        _context.send(.counted)
      } label: {
        Text("Count")
      }
    }
    .refreshable {
      await _context.send(.counted, suspendingWhile: context.isLoading)
    }
    .task {
      await _context.runFeedbackLoop()
    }
  }
}

@Observable private final class Memberships: StreamValue<[Int]> {
  init(_ numbers: AsyncThrowingStream<[Int], any Error>) {
    super.init { numbers }
  }
}

private struct MembershipsScreen: View {
  @State private var memberships: Memberships
  @State private var later: Memberships?
  private let numbers: AsyncThrowingStream<[Int], any Error>

  init(_ numbers: AsyncThrowingStream<[Int], any Error>) {
    _memberships = State(initialValue: Memberships(numbers))
    self.numbers = numbers
  }

  var body: some View {
    StreamBuilder(memberships) { memberships in
      ForEach(memberships, id: \.self) { Text("\($0)") }
    } empty: {
      ProgressView()
    } error: { error in
      Button("\(error)") { memberships.refresh() }
    }
    StreamBuilder(id: 1, stream: { _ in numbers }) { numbers in
      Text("\(numbers.count)")
    } empty: {
      ProgressView()
    } error: { _ in
      EmptyView()
    }
    StreamBuilder(numbers) { numbers in
      Text("\(numbers.count)")
    } empty: {
      ProgressView()
    } error: { _ in
      EmptyView()
    }
    Text(memberships.state.data.map { "\($0)" } ?? "")
      .observing(memberships)
      .observing(later)
  }
}

private typealias Named = StreamBuilder<EmptyEquatable, Int, Text, Text, Text>

@MainActor
@propertyWrapper private struct DateProperty: @MainActor DynamicProperty {
  @MainActor @Observable final class Storage { var count = 0 }

  @State private var storage = Storage()
  @State var interval = 1
  private var once = TaskProperty()
  private var task = TaskProperty<Int>()

  var wrappedValue: Int { storage.count }

  func update() {
    self.once.update { @MainActor [weak storage = self.storage] in
      storage?.count += 1
    }
    self.task.update(id: self.interval) {
      @MainActor [weak storage = self.storage, interval = self.interval] in
      storage?.count += interval
    }
  }

  func onDisappear() {
    task.cancel()
  }
}

private struct DateScreen: View {
  @DateProperty private var count: Int

  var body: some View {
    VStack {
      Text("\(self.count)")
      Stepper("Interval", value: self._count.$interval, in: 1...3, step: 1)
    }
    .onDisappear(perform: self._count.onDisappear)
  }
}

@MainActor @Suite("The surface for views", .timeLimit(.minutes(10)))
struct ViewSurfaceTests {
  @Test func aPropertyWithTasksIsWrittenAsItIsKnown() throws {
    let host = Host { DateScreen() }
    #expect(host.lines.first == "2")
    try host.step("Interval", by: 1)
    #expect(host.lines.first == "4")
  }

  @Test func screensOfOtherPackagesAreShown() {
    let host = Host {
      PaperScreen()
      MembershipsScreen(AsyncThrowingStream { $0.finish() })
    }
    #expect(host.shows("[Count]"))
  }
}
