import Glibc

/// Reads an open file to its end.
///
/// - Parameters:
///   - file: A descriptor, of a pipe too.
///   - fromStart: Whether to go to the file's start first; a pipe has none.
/// - Returns: The bytes; nil if reading fails, and then `errno` says why.
public func bytes(of file: Int32, fromStart: Bool = true) -> [UInt8]? {
  if fromStart { lseek(file, 0, SEEK_SET) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(file, &buffer, buffer.count)
    if count == 0 { return bytes }
    if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
  }
}
