import Glibc

/// A file that another program has moved or removed while it was open.
enum StrayFile {
  /// Returns where the file's bytes are, as a clause of a sentence; a file without a name is first
  /// copied to a new one beside `place`.
  static func whereItIs(_ descriptor: Int32, links: Int, place: String) -> String {
    guard links == 0 else {
      return name(of: descriptor).map { "the recorded part is now \($0)" }
        ?? "the recorded part is where that program moved it"
    }
    let (path, code) = copy(descriptor, beside: place)
    guard code != 0 else { return "the recorded part is saved as \(path)" }
    return "the recorded part cannot be saved (\(EncodeError.reason(code))) and is lost"
  }

  /// Returns the current name of an open file, which Linux reports.
  private static func name(of descriptor: Int32) -> String? {
    guard let resolved = realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Copies a file without a name, because it cannot get one again (`linkat` refuses it); the code is 0, or errno.
  private static func copy(
    _ descriptor: Int32, beside place: String
  ) -> (path: String, code: Int32) {
    for number in 1...InterruptedOutput.names {
      let path = InterruptedOutput.recoveredName(of: place, number)
      let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if target < 0, errno == EEXIST { continue }
      guard target >= 0 else { return (path, errno) }
      defer { close(target) }
      let code = copy(descriptor, to: target)
      if code != 0 { unlink(path) }
      return (path, code)
    }
    return (place, EEXIST)
  }

  /// Returns 0, or the error as an errno value.
  private static func copy(_ source: Int32, to target: Int32) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var position: off_t = 0
    while true {
      let count = pread(source, &buffer, buffer.count, position)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      if count == 0 { return fsync(target) == 0 || errno == EINVAL ? 0 : errno }
      let code = ByteWriter.write(buffer, count, to: target)
      if code != 0 { return code }
      position += off_t(count)
    }
  }
}
