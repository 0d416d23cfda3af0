/// Returns the value, and hides from the optimiser that it does.
///
/// What comes out is unknown to the code that goes on with it: a constant cannot be folded into that
/// code, a function cannot be inlined or looked through.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value {
  value
}
