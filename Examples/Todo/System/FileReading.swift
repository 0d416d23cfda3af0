#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What went wrong with a file, in words.
struct FileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The last system error, met while reading.
  static func reading(_ path: String) -> FileError {
    FileError("cannot read \(path): \(String(cString: strerror(errno)))")
  }

  /// The last system error, met while writing.
  static func writing(_ path: String) -> FileError {
    FileError("cannot write \(path): \(String(cString: strerror(errno)))")
  }
}

/// The bytes of a regular file, or nil where there is none.
func readFile(_ path: String) throws(FileError) -> [UInt8]? {
  // Not to wait for the writer of a pipe.
  let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard file >= 0 else {
    if errno == ENOENT { return nil }
    throw .reading(path)
  }
  defer { close(file) }
  var attributes = stat()
  guard fstat(file, &attributes) == 0 else { throw .reading(path) }
  let kind = attributes.st_mode & S_IFMT
  guard kind == S_IFREG || kind == S_IFDIR else {
    throw FileError("cannot read \(path): not a regular file")
  }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    if count == 0 { return bytes }
    if count > 0 {
      bytes += piece[..<count]
    } else if errno != EINTR {
      throw .reading(path)
    }
  }
}

/// The path that is left when symbolic links have been followed, whether something is there or not.
///
/// `realpath(3)` would say nothing of a link to a file that is yet to be written. Links to folders
/// on the way are left to the system.
func followingLinks(_ path: String) throws(FileError) -> String {
  var target = path
  // As many as the system follows.
  for _ in 0...40 {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(target, &bytes, bytes.count)
    // Not a link, or nothing at all.
    guard count >= 0 else { return target }
    guard let destination = String(validating: bytes[..<count], as: UTF8.self) else {
      errno = EILSEQ
      throw .reading(path)
    }
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    target = destination.hasPrefix("/") ? destination : folder + destination
  }
  errno = ELOOP
  throw .reading(path)
}

/// Whether there is nothing at the path, not even something unreadable.
func isAbsent(_ path: String) -> Bool {
  var attributes = stat()
  return lstat(path, &attributes) != 0 && errno == ENOENT
}

/// Renames a file to the first of `PATH.unreadable-1`, `-2` … that is free, and returns that.
///
/// An empty file reserves the name first: renaming alone would replace what has it.
func moveAside(_ path: String) throws(FileError) -> String {
  var number = 1
  while true {
    let aside = "\(path).unreadable-\(number)"
    let file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
      guard rename(path, aside) == 0 else {
        defer { unlink(aside) }
        throw .writing(aside)
      }
      return aside
    }
    guard errno == EEXIST else { throw .writing(aside) }
    number += 1
  }
}
