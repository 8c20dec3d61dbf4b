import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import Render

extension RecordingPlan {
  /// Returns the plan in lines for the user: the input, each step, the output, and who does each step with how many
  /// threads.
  func lines(
    steps: [String]?, device: Device?, outputs: [OpenOutput], threads: [ThreadGroup]
  ) -> [String] {
    func crew(_ name: String, _ count: Int) -> String {
      count == 0
        ? "\(name), no separate thread"
        : "\(name), \(count) \(count == 1 ? "thread" : "threads")"
    }
    var lines = [
      "source: \(input), \(source.summary), \(frameRate) frames per second"
    ]
    if audio.count > (microphone == nil ? 0 : 1) {
      lines.append("audio: aac, encoded again because inputs follow each other")
    }
    for movingInput in movingInputs {
      lines.append(
        "image input \(movingInput.inputs.joined(separator: ", ")): \(movingInput.name), "
          + "\(movingInput.format.summary), \(movingInput.frameRate) frames per second")
    }
    if let decoder {
      let count = threads.first { $0.name == ThreadName.decode.rawValue }?.count ?? 0
      lines.append("decoder: " + crew(decoder, count))
    }
    if let device {
      lines.append("GPU: \(device.name), driver \(device.driver)")
    }
    lines +=
      steps ?? ["GPU not used: nothing changes the frames, and the output takes them as they are"]
    for output in outputs {
      lines.append("output: \(output.name), \(sink.summary)")
      if let encoder = output.encoderName {
        lines.append("encoder: " + crew(encoder, output.encoderThreads))
        lines += output.encoderRefusals.map { "hardware not used: \($0)" }
      }
    }
    return lines
  }
}

extension FrameFormat {
  /// Pixel format, size and colours in a few words.
  fileprivate var summary: String {
    var parts = ["\(pixelFormat.rawValue) \(width)x\(height)", "\(color.matrix)"]
    parts.append(color.range == .full ? "full range" : "limited range")
    let (x, y) = pixelFormat.layout.chromaSubsampling
    if x * y > 1 { parts.append("chroma \(color.chromaSiting)") }
    if sampleAspectRatio != .one { parts.append("pixels \(sampleAspectRatio)") }
    if let crop { parts.append("part \(crop.width)x\(crop.height) at \(crop.x),\(crop.y)") }
    if orientation != .upright {
      parts.append(
        "\(orientation.quarterTurns) quarter turns\(orientation.mirrored ? ", mirrored" : "")")
    }
    return parts.joined(separator: ", ")
  }
}
