import Testing

/// Runs of the built programs.
///
/// One at a time: each is a process of its own and needs the machine.
@Suite("Example programs", .serialized, .timeLimit(.minutes(10)))
enum ExampleProgramTests {}
