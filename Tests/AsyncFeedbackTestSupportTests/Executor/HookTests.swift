import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct HookTests {
  let executor = DeterministicExecutor()
  let log = Log<String>()

  @Test func theOrderOfReadyJobsCanBeReplaced() {
    executor.order = { count in count - 1 }
    for number in 0..<3 {
      Task(executorPreference: executor) { [executor, log] in
        log.append("\(number)")
        await executor.requeue()
        log.append("\(number) again")
      }
    }
    executor.runUntilIdle()
    #expect(log.entries == ["2", "2 again", "1", "1 again", "0", "0 again"])
  }

  @Test func theOrderSeesHowManyAreReady() {
    let counts = Log<Int>()
    executor.order = { count in
      counts.append(count)
      return count - 1
    }
    for _ in 0..<3 { Task(executorPreference: executor) {} }
    executor.runUntilIdle()
    // Last in, first out: a task's jobs follow each other, and there is one task less after them.
    #expect(counts.entries == counts.entries.sorted(by: >))
    #expect(Set(counts.entries) == [3, 2, 1])
  }

  @Test func anOrderThatPicksNothingEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let executor = DeterministicExecutor()
      executor.order = { count in count }
      Task(executorPreference: executor) {}
      executor.runUntilIdle()
    }
  }

  @Test func onlyJobsFromOutsideAreAnnounced() {
    executor.onEnqueueFromOutside = { [log] in log.append("announced") }
    Task(executorPreference: executor) { [executor, log] in
      Task(executorPreference: executor) { log.append("inner") }
      log.append("outer")
    }
    #expect(log.entries == ["announced"])
    executor.runUntilIdle()
    #expect(log.entries == ["announced", "outer", "inner"])
  }

  @Test func theAnnouncedJobIsInTheQueue() {
    let counts = Log<Int>()
    // Weak: the hook belongs to the executor.
    executor.onEnqueueFromOutside = { [weak executor] in
      counts.append(executor?.readyCount ?? -1)
    }
    Task(executorPreference: executor) {}
    Task(executorPreference: executor) {}
    executor.runUntilIdle()
    #expect(counts.entries == [1, 2])
  }
}
