/// Where a view stands on the screen: what is kept for it from one evaluation to the next.
@MainActor
final class Place {
  var environment: EnvironmentValues
  /// What the dynamic properties of the view keep, by where they stand in it.
  var locations: [[Int]: AnyObject] = [:]
  /// How far a list is scrolled.
  var firstRow = 0

  init(environment: EnvironmentValues) {
    self.environment = environment
  }
}
