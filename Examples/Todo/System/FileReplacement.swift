#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Replaces a file as a whole: the new bytes go into a file beside it, which then takes its name.
///
/// The order is what makes it durable: write, flush the file, rename, flush the folder. The file
/// beside it is locked by its writer, which tells a killed writer's leftover from one in use.
struct FileReplacement: Sendable {
  /// The path with symbolic links followed, so that a link stays one.
  let target: String
  /// The path in messages.
  private let name: String
  private let folder: String
  /// What the names of the files beside it begin with.
  private let prefix: String

  /// Refuses a path whose links lead nowhere but to each other.
  ///
  /// - Parameter path: The file, which need not exist, or a link to it.
  init(path: String) throws(FileError) {
    target = try followingLinks(path)
    name = target == path ? path : "\(path) (a link to \(target))"
    let parts = target.split(separator: "/", omittingEmptySubsequences: false)
    folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/") + "/"
    prefix = ".\(parts.last ?? "").saving-"
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    let (file, beside) = try createBeside()
    defer { close(file) }
    do throws(FileError) {
      try write(bytes, to: file)
      guard fsync(file) == 0, rename(beside, target) == 0 else { throw .writing(name) }
    } catch {
      unlink(beside)
      throw error
    }
    try flushFolder()
  }

  /// Removes what writers left that were killed.
  ///
  /// Failing to is no reason not to go on.
  func removeLeftovers() {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix) else { continue }
      let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink("\(folder)/\(name)") }
      close(file)
    }
  }

  /// Creates a locked file with the permissions of the one it is to replace.
  private func createBeside() throws(FileError) -> (file: Int32, path: String) {
    var attributes = stat()
    let exists = stat(target, &attributes) == 0
    var number = 0
    while true {
      let beside = "\(folder)/\(prefix)\(getpid())-\(number)"
      let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file >= 0 {
        flock(file, LOCK_EX | LOCK_NB)
        if exists { fchmod(file, attributes.st_mode & 0o777) }
        return (file, beside)
      }
      guard errno == EEXIST else { throw .writing(name) }
      number += 1
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .writing(name)
      }
    }
  }

  /// Makes the new name durable, which is in the folder's own bytes.
  ///
  /// File systems that cannot flush those say EINVAL.
  private func flushFolder() throws(FileError) {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .writing(name) }
    defer { close(file) }
    guard fsync(file) == 0 || errno == EINVAL else { throw .writing(name) }
  }
}

/// `write(2)`, which the methods of that name would hide.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
