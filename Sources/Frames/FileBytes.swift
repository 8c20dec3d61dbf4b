import Glibc

/// Reads an open file to its end, or until it is too long.
///
/// - Parameters:
///   - file: A descriptor, of a pipe too.
///   - fromStart: Whether to go to the file's start first; a pipe has none.
///   - most: The most bytes that the caller takes: a device may have no end. Of a longer file more than these are
///     returned.
/// - Returns: The bytes; nil if reading fails, and then `errno` says why.
public func bytes(of file: Int32, fromStart: Bool = true, most: Int = .max) -> [UInt8]? {
  if fromStart { lseek(file, 0, SEEK_SET) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while bytes.count <= most {
    let count = read(file, &buffer, buffer.count)
    if count == 0 { break }
    if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
  }
  return bytes
}
