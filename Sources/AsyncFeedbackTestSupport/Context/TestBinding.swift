/// A binding to the state of a test context, usable in the test's own isolation.
///
/// A write changes the part that the binding is to, and nothing else of the state.
@dynamicMemberLookup
public struct TestBinding<Value> {
  private let get: () -> Value
  private let change: (@escaping (inout Value) -> Void) -> Void

  init(
    get: @escaping () -> Value, change: @escaping (@escaping (inout Value) -> Void) -> Void
  ) {
    self.get = get
    self.change = change
  }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { change { $0 = newValue } }
  }

  /// A binding to a part of the value.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> TestBinding<Member> {
    // The change is applied when its turn has come. A value read here would be an old one by then, and
    // writing it back would undo what came in between.
    TestBinding<Member>(
      get: { get()[keyPath: keyPath] },
      change: { changeMember in change { changeMember(&$0[keyPath: keyPath]) } })
  }
}
