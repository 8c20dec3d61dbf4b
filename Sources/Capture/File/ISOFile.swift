import Glibc

/// Reads the top-level boxes of a MOV or MP4 file without a demuxer.
enum ISOFile {
  /// Whether the file has media data but no `moov` box, like a recording that was cut off.
  static func hasMediaButNoIndex(_ path: String) -> Bool {
    // Opening a FIFO a second time would wait for another writer.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = fopen(path, "rb")
    else { return false }
    defer { fclose(file) }
    var header = [UInt8](repeating: 0, count: 16)
    var offset = 0
    var hasMedia = false
    // A real file has few top-level boxes, a fragmented one two per fragment.
    for _ in 0..<10_000 {
      guard fseek(file, offset, SEEK_SET) == 0, fread(&header, 1, 16, file) >= 8 else { break }
      let type = String(decoding: header[4..<8], as: UTF8.self)
      if type == "moov" { return false }
      if type == "mdat" { hasMedia = true }
      var size = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
      if size == 1 { size = header[8..<16].reduce(0) { ($0 & 0xFF_FFFF_FFFF_FFFF) << 8 | Int($1) } }
      let (end, isPastAll) = offset.addingReportingOverflow(size)
      guard size >= 8, !isPastAll else { break }
      offset = end
    }
    return hasMedia
  }
}
