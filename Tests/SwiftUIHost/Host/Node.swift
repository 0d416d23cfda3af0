import Observation
import Synchronization

/// A view on the screen.
@MainActor
final class Node {
  let viewType: any View.Type
  let place: Place
  private(set) var outline = Outline()
  private(set) var children: [(key: AnyHashable, node: Node)] = []

  private var view: any View
  private let screen: Screen
  private var mark = DirtyMark()
  private var isShown = false
  private var request: TaskRequest?
  private var task: Task<Void, Never>?

  init(_ view: any View, environment: EnvironmentValues, screen: Screen) {
    self.view = view
    self.screen = screen
    viewType = type(of: view)
    place = Place(environment: environment)
    evaluate()
  }

  deinit {
    task?.cancel()
  }
}

// MARK: - Evaluating

extension Node {
  /// Takes another value of the view, and evaluates it.
  func update(_ view: any View, environment: EnvironmentValues) {
    self.view = view
    place.environment = environment
    evaluate()
  }

  /// Evaluates what has been invalidated.
  ///
  /// - Returns: whether anything has.
  func evaluateInvalidated() -> Bool {
    guard !mark.isDirty else {
      evaluate()
      return true
    }
    var hasEvaluated = false
    for child in children where child.node.evaluateInvalidated() { hasEvaluated = true }
    return hasEvaluated
  }

  func evaluate() {
    let mark = DirtyMark()
    self.mark = mark
    outline = track(view, mark)
    takeParts()
    screen.changed.append(self)
  }

  private func track(_ view: some View, _ mark: DirtyMark) -> Outline {
    var view = view
    return withObservationTracking {
      if let primitive = view as? any Primitive { return primitive.outline(at: place) }
      link(&view, to: place)
      return Outline(parts: [Part(key: 0, view: view.body)])
    } onChange: { [schedule = screen.schedule] in
      mark.set()
      schedule.request()
    }
  }

  private func takeParts() {
    let environment = outline.environment ?? place.environment
    var former = Dictionary(children.map { ($0.key, $0.node) }) { first, _ in first }
    children = outline.parts.map { part in
      if let node = former[part.key], node.viewType == type(of: part.view) {
        former[part.key] = nil
        node.update(part.view, environment: environment)
        return (part.key, node)
      }
      return (part.key, Node(part.view, environment: environment, screen: screen))
    }
    for node in former.values { screen.gone.append(node) }
  }
}

// MARK: - Coming and going

extension Node {
  /// Does what the view has to have done since it was last evaluated.
  func show() {
    let isNew = !isShown
    isShown = true
    switch outline.lifecycle {
    case .appear(let action): if isNew { action() }
    case .task(let request): run(request, isNew: isNew)
    case .disappear, nil: break
    }
  }

  /// Takes the view off the screen; what is kept for it stays.
  func hide() {
    for child in children { child.node.hide() }
    guard isShown else { return }
    isShown = false
    task.take()?.cancel()
    request = nil
    if case .disappear(let action) = outline.lifecycle { action() }
  }

  /// Puts the view back.
  func showAll() {
    for child in children { child.node.showAll() }
    show()
  }

  private func run(_ request: TaskRequest, isNew: Bool) {
    if !isNew, self.request?.hasSameID(as: request) == true { return }
    task?.cancel()
    self.request = request
    task = request.start()
  }
}

// MARK: - Reading

extension Node {
  /// All that is shown here, from the top.
  func forEach(_ body: (Node) -> Void) {
    body(self)
    for child in children { child.node.forEach(body) }
  }

  /// The texts within.
  var label: String {
    var texts: [String] = []
    forEach { if let text = $0.outline.text { texts.append(text) } }
    return texts.joined(separator: " ")
  }

  /// The title of a control.
  var title: String {
    guard case .picker = outline.control else { return label }
    return children.first?.node.label ?? ""
  }

  /// The choices within.
  var options: [(tag: AnyHashable, label: String)] {
    var options: [(tag: AnyHashable, label: String)] = []
    forEach { node in if let tag = node.outline.tag { options.append((tag, node.label)) } }
    return options
  }

  var lines: [String] {
    if let control = outline.control,
      let line = control.line(
        label: title, isEnabled: place.environment.isEnabled, options: options)
    {
      return [line]
    }
    return (outline.text.map { [$0] } ?? []) + children.flatMap { $0.node.lines }
  }
}

/// Whether something that an evaluation has read was changed since.
private final class DirtyMark: Sendable {
  private let flag = Atomic(false)

  var isDirty: Bool { flag.load(ordering: .acquiring) }

  func set() {
    flag.store(true, ordering: .releasing)
  }
}
