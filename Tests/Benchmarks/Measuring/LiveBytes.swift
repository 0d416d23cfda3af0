#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// How many bytes the process has allocated and not freed, by the books of the allocator.
func liveBytes() -> Int {
  #if canImport(Darwin)
    Int(mstats().bytes_used)
  #else
    let books = allocatorBooks()
    return books.last("system type=\"current\"") + books.last("total type=\"mmap\"")
      - books.last("total type=\"fast\"") - books.last("total type=\"rest\"")
  #endif
}

#if !canImport(Darwin)
  /// What glibc's `malloc_info` writes: elements with sizes for each arena, then the same in total.
  private func allocatorBooks() -> Substring {
    // Swift's module of the C library leaves the header of this function out.
    guard let address = dlsym(nil, "malloc_info") else {
      preconditionFailure("the C library must have malloc_info (has not)")
    }
    typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    // The signature is the one in glibc's malloc.h.
    let mallocInfo = unsafeBitCast(address, to: MallocInfo.self)
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let stream = open_memstream(&text, &size) else {
      preconditionFailure("a stream in memory must open (was error \(errno))")
    }
    let status = mallocInfo(0, stream)
    fclose(stream)
    defer { free(text) }
    guard status == 0, let text else {
      preconditionFailure("malloc_info must succeed (was error \(status))")
    }
    return Substring(cString: text)
  }

  extension Substring {
    /// The size in the last element that begins so: the one for all arenas together.
    fileprivate func last(_ beginning: String) -> Int {
      let element = split(separator: "\n").last { $0.contains(beginning) }
      let size = element?.split(separator: "\"").dropLast().last.flatMap { Int($0) }
      guard let size else {
        preconditionFailure("the allocator's books must have an element \(beginning) (have not)")
      }
      return size
    }
  }
#endif

/// How much memory of the process is resident.
func residentBytes() -> Int {
  #if canImport(Darwin)
    var info = mach_task_basic_info()
    var size = mach_msg_type_number_t(
      MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
    let status = withUnsafeMutablePointer(to: &info) { info in
      info.withMemoryRebound(to: integer_t.self, capacity: Int(size)) {
        task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &size)
      }
    }
    precondition(status == KERN_SUCCESS, "task_info must succeed (was error \(status))")
    return Int(info.resident_size)
  #else
    guard let file = fopen("/proc/self/statm", "r") else {
      preconditionFailure("/proc/self/statm must open (was error \(errno))")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    _ = fgets(&line, Int32(line.count), file)
    let pages = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    guard let pages else { preconditionFailure("/proc/self/statm must have a second number") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  #endif
}
