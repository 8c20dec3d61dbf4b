import Capture
import EffectLab
import Encode
import Frames
import Recorder
import Settings

/// Reads and writes image files with kfrec's own readers and writer.
enum ImageFileReader {
  /// The image of a PNG that `write` made.
  static func read(_ path: String) throws -> RGBAImage {
    let frame = try frame(path)
    let bytesPerPixel: Int
    switch frame.format.pixelFormat {
    case .rgba: bytesPerPixel = 4
    case .rgb24: bytesPerPixel = 3
    default:
      throw CommandLineError(
        "\(path) is not an image of 8-bit RGB; make it again", isUsageError: false)
    }
    return RGBAImage(
      frame.pixels, width: frame.format.width, height: frame.format.height,
      bytesPerPixel: bytesPerPixel)
  }

  /// The first frame of any image or video file of an effect, which must not name other files.
  static func frame(_ path: String) throws -> Frame {
    var request = SourceRequest(input: path)
    request.isOneFile = true
    request.includesAudio = false
    request.frames = 1
    let source = try openSource(request)
    while let sample = try source.next() {
      if case .frame(let frame) = sample { return frame }
    }
    throw CommandLineError("\(path) holds no image", isUsageError: false)
  }

  /// Writes a PNG; replaces an existing file.
  static func write(_ picture: RGBAImage, to path: String) throws {
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

extension ImageFiles {
  /// Image files of any format that FFmpeg decodes.
  static var media: ImageFiles {
    ImageFiles(
      images: ImageInputs().loader, frame: ImageFileReader.frame, read: ImageFileReader.read,
      write: { try ImageFileReader.write($0, to: $1) })
  }
}
