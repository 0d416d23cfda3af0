/// A picture of the state: a few fixed lines above and below a list that may be longer than the
/// terminal is high.
package struct Frame: Equatable, Sendable {
  package var header: [StyledText]
  package var list: [StyledText]
  /// The line of the list that has to be in sight.
  package var focus: Int
  package var footer: [StyledText]

  package init(
    header: [StyledText], list: [StyledText] = [], focus: Int = 0, footer: [StyledText] = []
  ) {
    self.header = header
    self.list = list
    self.focus = focus
    self.footer = footer
  }

  /// The lines that fit into `rows`, the list cut to a window around its focus.
  func lines(rows: Int) -> [StyledText] {
    let room = max(rows - header.count - footer.count, 1)
    let start = min(max(focus - room / 2, 0), max(list.count - room, 0))
    return Array((header + list[start...].prefix(room) + footer).prefix(max(rows, 1)))
  }
}
