import CFFmpeg
import FFmpegHandles

/// Keeps drawings (SVG) from being decoded.
///
/// FFmpeg gives them to librsvg, if it was built with it. A file of a hundred bytes makes that compute without end
/// (`feTurbulence`), in a call that nobody can interrupt, and FFmpeg makes this call when it looks at a file.
enum Drawings {
  /// Options of a demuxer, which it hands on to those that it opens itself: all decoders but those of drawings.
  static let options = [("codec_whitelist", decoders.joined(separator: ","))]

  private static let decoders: [String] = {
    var names: [String] = []
    var place: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&place) {
      guard av_codec_is_decoder(codec) != 0, codec.pointee.id != AV_CODEC_ID_SVG else { continue }
      names.append(String(cString: codec.pointee.name))
    }
    return names
  }()

  /// Whether a file has a drawing where others have a picture.
  static func areIn(_ context: UnsafePointer<AVFormatContext>) -> Bool {
    context.pointee.streamList.contains {
      $0.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_SVG
    }
  }

  static func refusal(_ name: String) -> CaptureError {
    CaptureError(
      """
      \(name) is an SVG, a drawing, and kfrec reads pictures; make a PNG of it, such as with rsvg-convert -o \
      drawing.png drawing.svg
      """)
  }
}
