import Glibc

/// Reads an open file or pipe to its end, or until it has more than `most` bytes; nil, with `errno`, if that fails.
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
