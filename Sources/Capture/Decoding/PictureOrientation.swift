import CFFmpeg
import Frames

extension Orientation {
  /// Reads the orientation from a JPEG's EXIF data, which the decoder puts into the frame's metadata;
  /// nil if there is none.
  ///
  /// The numbers are those of EXIF 2.32, 4.6.4 A, "Orientation".
  init?(metadataOf frame: UnsafePointer<AVFrame>) {
    guard let metadata = frame.pointee.metadata,
      let entry = av_dict_get(metadata, "Orientation", nil, 0), let text = entry.pointee.value
    else { return nil }
    let digits = String(cString: text).drop { $0 == " " }.prefix { $0.isNumber }
    switch Int(digits) {
    case 1: self = .upright
    case 2: self.init(quarterTurns: 0, mirrored: true)
    case 3: self.init(quarterTurns: 2, mirrored: false)
    case 4: self.init(quarterTurns: 2, mirrored: true)
    case 5: self.init(quarterTurns: 3, mirrored: true)
    case 6: self.init(quarterTurns: 1, mirrored: false)
    case 7: self.init(quarterTurns: 1, mirrored: true)
    case 8: self.init(quarterTurns: 3, mirrored: false)
    default: return nil
    }
  }
}
