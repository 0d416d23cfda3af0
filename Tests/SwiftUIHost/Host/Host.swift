/// Runs views without a screen, for tests.
///
/// It keeps state by identity, evaluates a body when something that it has read was changed, starts tasks
/// after views have appeared and cancels them when these go. What is invalidated is evaluated in a later turn
/// of the main actor, and after each thing that the person does.
@MainActor
package final class Host {
  private let screen = Screen()
  private let root: Node
  private var isUpdating = false
  private var waiters:
    [Int: (condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)] =
      [:]
  private var waiterCount = 0
  private var follower: Task<Void, Never>?

  /// Shows a view.
  ///
  /// - Parameter visibleRows: how many rows of a list fit on the screen.
  package init(visibleRows: Int = 20, @ViewBuilder _ content: @escaping () -> some View) {
    var environment = EnvironmentValues()
    environment.visibleRows = visibleRows
    root = Node(Root(content: content), environment: environment, screen: screen)
    update()
    follower = Task { [weak self, requests = screen.schedule.requests] in
      for await _ in requests { self?.update() }
    }
  }

  deinit {
    follower?.cancel()
  }
}

// MARK: - Evaluating

extension Host {
  /// Evaluates what has been invalidated.
  package func update() {
    guard !isUpdating else { return }
    isUpdating = true
    screen.schedule.begin()
    var passes = 0
    repeat {
      screen.settle()
      passes += 1
      precondition(passes < 1_000, "views must come to rest (were evaluated \(passes) times)")
    } while root.evaluateInvalidated()
    isUpdating = false
    for (number, waiter) in waiters where waiter.condition() {
      waiters[number] = nil
      waiter.continuation.resume()
    }
  }

  /// Waits until something holds, which is looked at now and after each evaluation.
  package func wait(until condition: @escaping () -> Bool) async {
    update()
    guard !condition() else { return }
    waiterCount += 1
    let number = waiterCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume() }
        waiters[number] = (condition, continuation)
      }
    } onCancel: {
      Task { @MainActor in self.waiters.removeValue(forKey: number)?.continuation.resume() }
    }
  }

  /// Waits until a line is shown.
  package func wait(for line: String) async {
    await wait { [unowned self] in shows(line) }
  }

  /// Evaluates the whole screen, as if the system had changed something.
  package func updateAll() {
    root.evaluate()
    update()
  }
}

// MARK: - Looking

extension Host {
  /// What is shown: a line for each text and each control.
  package var lines: [String] { root.lines }

  /// Whether a line is shown.
  package func shows(_ line: String) -> Bool {
    lines.contains(line)
  }
}

// MARK: - Covering

extension Host {
  /// Covers everything with another screen: it disappears, and its state is kept.
  package func cover() {
    update()
    screen.isCovered = true
    root.hide()
  }

  /// Takes the other screen away: everything appears again.
  package func uncover() {
    screen.isCovered = false
    root.showAll()
    update()
  }
}

// MARK: - Doing

/// Why a person cannot do something.
package struct NotPossible: Error, CustomStringConvertible {
  package let description: String
}

extension Host {
  /// Taps a button.
  ///
  /// - Parameter index: which one of those with the title, counted from 0.
  package func tap(_ title: String, at index: Int = 0) throws {
    guard case .button(let action) = try control("button", title, at: index) else { return }
    action()
    update()
  }

  /// Types a text at the end of a field, a character at a time.
  package func type(_ text: String, into title: String) throws {
    guard case .field(let binding) = try control("text field", title) else { return }
    for character in text {
      binding.wrappedValue += String(character)
      update()
    }
  }

  /// Deletes characters at the end of a field.
  package func delete(_ count: Int = 1, from title: String) throws {
    guard case .field(let binding) = try control("text field", title) else { return }
    for _ in 0..<count where !binding.wrappedValue.isEmpty {
      binding.wrappedValue.removeLast()
      update()
    }
  }

  /// Switches a toggle.
  package func toggle(_ title: String) throws {
    guard case .toggle(let binding) = try control("toggle", title) else { return }
    binding.wrappedValue.toggle()
    update()
  }

  /// Taps one of the sides of a stepper.
  package func step(_ title: String, by direction: Int) throws {
    guard case .stepper(let step) = try control("stepper", title) else { return }
    step(direction)
    update()
  }

  /// Chooses in a picker.
  package func choose(_ choice: String, in title: String) throws {
    let node = try node("picker", title)
    guard case .picker(let selection) = node.outline.control else { return }
    guard let option = node.options.first(where: { $0.label == choice }) else {
      throw NotPossible(
        description: "there is no choice “\(choice)” (only \(node.options.map(\.label)))")
    }
    selection.wrappedValue = option.tag
    update()
  }

  /// Scrolls the list by so many rows.
  package func scroll(by count: Int) throws {
    let list = try node("list", nil)
    list.place.firstRow = max(list.place.firstRow + count, 0)
    list.evaluate()
    update()
  }

  /// Pulls at the top of the list, and waits until the refresh has ended.
  package func pullToRefresh() async throws {
    let list = try node("list", nil)
    guard let refresh = list.place.environment.refresh else {
      throw NotPossible(description: "the list cannot be refreshed")
    }
    await refresh()
    update()
  }

  private func control(_ kind: String, _ title: String, at index: Int = 0) throws -> Control? {
    let node = try node(kind, title, at: index)
    guard node.place.environment.isEnabled else {
      throw NotPossible(description: "the \(kind) “\(title)” is disabled")
    }
    return node.outline.control
  }

  private func node(_ kind: String, _ title: String?, at index: Int = 0) throws -> Node {
    update()
    guard !screen.isCovered else { throw NotPossible(description: "the screen is covered") }
    var titles: [String] = []
    var found: [Node] = []
    root.forEach { node in
      guard node.outline.control?.kind == kind else { return }
      titles.append(node.title)
      if title == nil || node.title == title { found.append(node) }
    }
    guard found.indices.contains(index) else {
      throw NotPossible(
        description: "there is no \(kind)\(title.map { " “\($0)”" } ?? "") (only \(titles))")
    }
    return found[index]
  }
}

/// All that a host shows.
private struct Root<Content: View>: View {
  let content: () -> Content

  var body: Content { content() }
}
