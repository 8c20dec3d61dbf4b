import FFmpegHandles
import Frames
import TestSupport
import Testing

@testable import Capture

/// Everything that a source delivers.
struct Reading {
  var frames: [Frame] = []
  var sound: [CompressedPacket] = []
  let description: SourceDescription
  let report: SourceReport

  init(_ input: String, _ change: (inout SourceRequest) -> Void = { _ in }) throws {
    var request = SourceRequest(input: input)
    change(&request)
    let source = try openSource(request)
    while let sample = try source.next() {
      switch sample {
      case .frame(let frame): frames.append(frame)
      case .sound(let packet): sound.append(packet)
      }
    }
    description = source.description
    report = source.report
  }
}

extension Frame {
  /// The bytes of a plane without padding.
  func packed(_ plane: Int) -> [UInt8] {
    let layout = format.pixelFormat.layout.planes[plane]
    let row = layout.width(format.width) * layout.bytesPerTexel
    let stride = pixels.planes[plane].stride
    let span = pixels.bytes(ofPlane: plane)
    return (0..<layout.height(format.height)).flatMap { y in
      (0..<row).map { span.unsafeLoad(fromByteOffset: y * stride + $0, as: UInt8.self) }
    }
  }

  /// All planes, one after the other.
  var packed: [UInt8] { pixels.planes.indices.flatMap { packed($0) } }
}

/// Runs `ffmpeg` quietly.
func ffmpeg(_ words: String..., output: String) throws {
  try runTool(
    "ffmpeg",
    ["-v", "error", "-y"] + words.flatMap { $0.split(separator: " ").map(String.init) } + [output])
}
