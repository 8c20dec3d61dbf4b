import Capture
import Encode
import Frames

/// Pictures as files, through kfrec's own readers and writer.
package enum PictureFile {
  /// The picture of a PNG that `write` made.
  package static func read(_ path: String) throws -> RGBAPicture {
    let frame = try frame(path)
    let bytesPerPixel: Int
    switch frame.format.pixelFormat {
    case .rgba: bytesPerPixel = 4
    case .rgb24: bytesPerPixel = 3
    default: throw RecorderError("\(path) is no picture of 8-bit RGB; make it anew")
    }
    return RGBAPicture(
      frame.pixels, width: frame.format.width, height: frame.format.height,
      bytesPerPixel: bytesPerPixel)
  }

  /// The first frame of any picture or film.
  static func frame(_ path: String) throws -> Frame {
    var request = SourceRequest(input: path)
    request.includesSound = false
    request.frames = 1
    let source = try openSource(request)
    while let sample = try source.next() {
      if case .frame(let frame) = sample { return frame }
    }
    throw RecorderError("\(path) holds no picture")
  }

  /// Writes a PNG, over one that is there.
  package static func write(_ picture: RGBAPicture, to path: String) throws {
    var request = SinkRequest(
      format: picture.format, frameRate: Rational(25), timeBase: Rational(1, 25))
    request.replacesExisting = true
    let sink = try Output(path).open(request)
    do {
      try sink.write(Frame(format: picture.format, pixels: picture.pixelBuffer(), time: .zero))
    } catch {
      sink.abandon()
      throw error
    }
    _ = try sink.finish()
  }
}
