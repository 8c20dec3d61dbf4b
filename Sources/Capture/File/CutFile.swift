import Glibc

/// Says what is wrong with a file that cannot be opened because its end is missing.
enum CutFile {
  /// Says that a MOV or MP4 has lost its index, or is only a part of something; nil if it is another file, or has one.
  static func lostIndex(_ name: String) -> CaptureError? {
    guard let file = ISOFile(name) else { return nil }
    if file.isImage {
      return CaptureError(
        "\(name) is a HEIF or AVIF image of a kind that this FFmpeg cannot read; convert it to PNG first"
      )
    }
    if file.isSegment {
      return CaptureError(
        """
        \(name) is a segment of a stream and cannot be read alone: give its playlist (.m3u8, .mpd), or \
        join it behind the init segment (cat)
        """)
    }
    let what: String
    switch file.index {
    case nil, .whole: return nil
    case .missing: what = "no moov atom"
    case .cut: what = "its moov atom is cut off"
    }
    return CaptureError(
      """
      \(name) has lost its index (\(what)): it was cut off before its end; copy it again, or try a tool that \
      rebuilds indexes, such as untrunc
      """)
  }

  static func endsInHeaders(_ name: String) -> CaptureError {
    CaptureError(
      "\(name) ends within its headers: it was cut off, and no frame of it can be found; copy it again"
    )
  }

  /// Whether a file begins as a Matroska, AVI or FLV file does.
  static func hasKnownStart(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 12)
    guard pread(file, &head, 12, 0) == 12 else { return false }
    return head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) || head.starts(with: "FLV".utf8)
      || head.starts(with: "RIFF".utf8) && head[8...].starts(with: "AVI ".utf8)
  }
}
