/// What a person can do with a view.
enum Control {
  case button(() -> Void)
  case field(Binding<String>)
  case toggle(Binding<Bool>)
  case stepper(step: (Int) -> Void)
  case picker(selection: Binding<AnyHashable>)
  case list

  /// The control as a line.
  @MainActor
  func line(label: String, isEnabled: Bool, options: [(tag: AnyHashable, label: String)]) -> String?
  {
    let line: String
    switch self {
    case .button: line = "[\(label)]"
    case .field(let text): line = "\(label): \(text.wrappedValue)_"
    case .toggle(let isOn): line = "\(isOn.wrappedValue ? "[x]" : "[ ]") \(label)"
    case .stepper: line = "\(label) -/+"
    case .picker(let selection):
      let chosen = options.first { $0.tag == selection.wrappedValue }
      line = "\(label): \(chosen?.label ?? "")"
    case .list: return nil
    }
    return isEnabled ? line : "\(line) (disabled)"
  }

  var kind: String {
    switch self {
    case .button: "button"
    case .field: "text field"
    case .toggle: "toggle"
    case .stepper: "stepper"
    case .picker: "picker"
    case .list: "list"
    }
  }
}
