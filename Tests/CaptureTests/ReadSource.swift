import Capture
import FFmpegHandles
import Frames
import TestSupport

/// Everything that a source delivered.
struct ReadSource {
  let description: SourceDescription
  var frames: [Frame] = []
  var audio: [CompressedPacket] = []
  var blocks: [AudioBlock] = []
  /// The order of the samples: `F` for a frame and `S` for audio.
  var order = ""
  let report: SourceReport

  /// Opens a source and reads it to its end.
  init(_ input: String, _ change: (inout SourceRequest) -> Void = { _ in }) throws {
    var request = SourceRequest(input: input)
    change(&request)
    let source = try openSource(request)
    while let sample = try source.next() {
      switch sample {
      case .frame(let frame):
        frames.append(frame)
        order += "F"
      case .codedAudio(let packet):
        audio.append(packet)
        order += "S"
      case .audio(let block):
        blocks.append(block)
        order += "S"
      case .subtitle, .audioForEffects: order += "H"
      }
    }
    description = source.description
    report = source.report
  }

  var times: [Rational] { frames.map { $0.time } }
}

extension Frame {
  /// Returns the rows of a plane one after the other without padding.
  func packed(plane index: Int) -> [UInt8] {
    let plane = format.pixelFormat.layout.planes[index]
    let row = plane.width(format.width) * plane.bytesPerTexel
    let bytes = pixels.bytes(ofPlane: index)
    var packed: [UInt8] = []
    for y in 0..<plane.height(format.height) {
      let start = y * pixels.planes[index].stride
      for x in start..<start + row {
        packed.append(bytes.unsafeLoad(fromByteOffset: x, as: UInt8.self))
      }
    }
    return packed
  }

  /// The bytes of all planes without padding, as in FFmpeg's `rawvideo`.
  var rawVideo: [UInt8] {
    format.pixelFormat.layout.planes.indices.flatMap { packed(plane: $0) }
  }
}

/// Runs ffmpeg quietly.
func ffmpeg(_ words: String...) throws { try ffmpeg(words) }

func ffmpeg(_ words: [String]) throws {
  try runTool("ffmpeg", ["-v", "error", "-nostdin", "-y"] + words)
}

/// Returns the error text of an attempt to open and read a source, or nil if it succeeds.
func complaint(_ input: String, _ change: (inout SourceRequest) -> Void = { _ in }) -> String? {
  do {
    _ = try ReadSource(input, change)
    return nil
  } catch { return "\(error)" }
}
