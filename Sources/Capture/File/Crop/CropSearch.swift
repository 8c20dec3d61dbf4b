import Frames
import Synchronization

extension SourceRequest {
  /// Replaces a crop that is to be found by the one that was found; returns what the user is told of it.
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
    let stamp = FileStamp.ofFile(input)
    let known = Self.found.withLock { $0.first { $0.stamp == stamp } }
    let picture =
      if let known { known.picture } else {
        try BlackBars.picture(in: self, input: fileInput(self))
      }
    if known == nil, let stamp, !interruption.isInterrupted {
      Self.found.withLock { $0.append((stamp, picture)) }
    }
    arrangement.crop = picture.map { .area($0) }
    guard let area = picture else {
      return Notice(.sourceCrop, input, "\(input) has no black bars, so nothing of it is cropped")
    }
    return Notice(
      .sourceCrop, input,
      """
      the black bars of \(input) are left out, as by --crop \(area.x),\(area.y),\(area.width),\(area.height)
      """)
  }

  /// What was found in versions of files, nil without bars: a player opens its file again for each seek.
  private static let found = Mutex<[(stamp: FileStamp, picture: PixelArea?)]>([])
}
