import FFmpegHandles
import Frames

/// A file with a hash of each frame that an encoder was given, in the format of FFmpeg's framehash muxer.
///
/// Used by one thread at a time.
final class FrameHashFile {
  let file: LineFile
  private var hash: HashHandle
  /// How long a frame is shown at the nominal rate, as FFmpeg gives decoded frames.
  private let duration: Int64
  private let bytesOfFrame: Int

  /// Makes the file and writes its head; a name that ends in .framemd5 gets MD5, another one SHA256.
  init(_ path: String, format: FrameFormat, timeBase: Rational, frameRate: Rational) throws {
    hash = try HashHandle(path.hasSuffix(".framemd5") ? "MD5" : "SHA256")
    duration = max(frameRate.reciprocal.ticks(timeBase: timeBase), 1)
    bytesOfFrame = WrittenSamples.bytes(ofFrame: format)
    let shape = format.sampleAspectRatio
    file = try LineFile(
      path, of: "the hashes of the frames",
      head: """
        #format: frame checksums
        #version: 2
        #hash: \(hash.name)
        #software: kfrec
        #tb 0: \(timeBase.numerator)/\(timeBase.denominator)
        #media_type 0: video
        #codec_id 0: rawvideo
        #dimensions 0: \(format.width)x\(format.height)
        #sar 0: \(shape.numerator)/\(shape.denominator)
        #stream#, dts,        pts, duration,     size, hash

        """)
  }

  /// Adds a frame of the format, shown at `ticks` of the time base.
  func add(_ frame: Frame, ticks: Int64) {
    hash.begin()
    for (index, plane) in frame.format.pixelFormat.layout.planes.enumerated() {
      let row = plane.width(frame.format.width) * plane.bytesPerTexel
      let stride = frame.pixels.planes[index].stride
      frame.pixels.bytes(ofPlane: index).withUnsafeBytes { bytes in
        for line in 0..<plane.height(frame.format.height) {
          hash.add(UnsafeRawBufferPointer(rebasing: bytes[line * stride..<line * stride + row]))
        }
      }
    }
    let time = FrameHashFile.padded(ticks, to: 10)
    file.write(
      "0, \(time), \(time), \(FrameHashFile.padded(duration, to: 8)), "
        + "\(FrameHashFile.padded(Int64(bytesOfFrame), to: 8)), \(hash.end())\n")
  }

  private static func padded(_ number: Int64, to width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension OutputSet {
  /// Index of the output whose frames `--framehash` is about: the first movie; nil if there is none.
  public var hashedOutput: Int? { outputs.firstIndex(where: \.target.hashesFrames) }

  /// Throws a usage error if the hashes of frames cannot be written to a file.
  public func checkFrameHashes(
    _ path: String, inputs: [String], mayReplace: Bool
  ) throws(EncodeError) {
    guard hashedOutput != nil else {
      throw EncodeError(
        "--framehash writes the hashes of a movie's frames, and \(name) is none; write a movie such as out.mkv",
        isUsageError: true)
    }
    try checkPlace(
      of: SideFile(path, option: "--framehash", content: "the hashes"), inputs: inputs,
      mayReplace: mayReplace)
  }
}
