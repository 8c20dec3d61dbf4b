import Capture
import Encode
import Frames
import TestSupport

/// Pictures as PNG files, through kfrec's own reader and writer.
enum PictureFile {
  static func read(_ path: String) throws -> RGBAPicture {
    let source = try openSource(SourceRequest(input: path))
    guard case .frame(let frame) = try source.next() else {
      throw TestSupportError("\(path) holds no picture")
    }
    return RGBAPicture(
      frame.pixels, width: frame.format.width, height: frame.format.height)
  }

  static func write(_ picture: RGBAPicture, to path: String) throws {
    let format = FrameFormat(
      width: picture.width, height: picture.height, pixelFormat: .rgba, color: .sRGB)
    var request = SinkRequest(
      format: format, frameRate: Rational(25), timeBase: Rational(1, 25))
    request.replacesExisting = true
    let sink = try Output(path).open(request)
    try sink.write(Frame(format: format, pixels: picture.pixelBuffer(), time: .zero))
    _ = try sink.finish()
  }
}
