import CPosix
import Frames
import Glibc
import Synchronization

extension SourceRequest {
  /// Replaces a crop that is to be found by the one that was found.
  ///
  /// - Returns: What was found, for the user; nil if nothing was to be found.
  /// - Throws: A sentence if the source cannot be looked through first.
  mutating func findCrop() throws(CaptureError) -> Notice? {
    guard arrangement.crop == .withoutBars else { return nil }
    guard let fileInput = kind.input, canSeek else {
      let name = kind.name ?? (input.isEmpty ? "a camera" : input)
      throw CaptureError(
        """
        --crop auto looks through a file before it is recorded, and \(name) is no file that can be read twice: give the \
        part to show, such as --crop 0,140,1920,800
        """, isUsageError: true)
    }
    let version = FileVersion(input)
    let known = version.flatMap { version in Self.found.withLock { $0[version] } }
    let search: FoundCrop
    if let known {
      search = known
    } else {
      search = FoundCrop(
        picture: try BlackBars.picture(in: self, input: fileInput(self)))
      if let version, !interruption.isInterrupted {
        Self.found.withLock { $0[version] = search }
      }
    }
    arrangement.crop = search.picture.map { .area($0) }
    guard let area = search.picture else {
      return Notice(.sourceCrop, input, "\(input) has no black bars, so nothing of it is cropped")
    }
    return Notice(
      .sourceCrop, input,
      """
      the black bars of \(input) are left out, as by --crop \(area.x),\(area.y),\(area.width),\(area.height)
      """)
  }

  /// What was found in files: a player opens its file again for each seek.
  private static let found = Mutex<[FileVersion: FoundCrop]>([:])
}

/// What a search for bars found; no picture if there are no bars.
private struct FoundCrop: Sendable {
  let picture: PixelArea?
}

/// A file as it was when it was looked through.
private struct FileVersion: Hashable, Sendable {
  private let path: String
  private let size: Int
  /// The bytes of the time of its last change.
  private let time: [UInt8]

  /// Nil if the path leads to no regular file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    size = Int(status.st_size)
    time = withUnsafeBytes(of: status.st_mtim) { Array($0) }
  }
}
