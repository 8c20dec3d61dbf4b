import Capture
import Encode
import EffectLab
import Frames
import Recorder

/// Pictures as files, through kfrec's own readers and writer.
enum PictureFile {
  /// The picture of a PNG that `write` made.
  static func read(_ path: String) throws -> RGBAPicture {
    let frame = try frame(path)
    let bytesPerPixel: Int
    switch frame.format.pixelFormat {
    case .rgba: bytesPerPixel = 4
    case .rgb24: bytesPerPixel = 3
    default:
      throw CommandLineError(
        "\(path) is no picture of 8-bit RGB; make it anew", isUsageError: false)
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
    throw CommandLineError("\(path) holds no picture", isUsageError: false)
  }

  /// Writes a PNG, over one that is there.
  static func write(_ picture: RGBAPicture, to path: String) throws {
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

extension PictureFiles {
  /// Pictures of any kind that FFmpeg decodes.
  static var media: PictureFiles {
    PictureFiles(
      images: ImageInputs().loader, frame: PictureFile.frame, read: PictureFile.read,
      write: { try PictureFile.write($0, to: $1) })
  }
}
