import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import Render

extension RecordingPlan {
  /// The plan in lines for people: what comes in, what each step does to it, what goes out, and
  /// who does it with how many threads.
  ///
  /// - Parameters:
  ///   - steps: The steps of the GPU's line; nil where pictures pass the GPU.
  ///   - device: The GPU, if one is used.
  ///   - outputs: What the frames go to.
  ///   - threads: Those that run now.
  /// - Returns: A sentence each, in the order of the line.
  func lines(
    steps: [String]?, device: Device?, outputs: [OpenOutput], threads: [ThreadGroup]
  ) -> [String] {
    func crew(_ name: String, _ count: Int) -> String {
      count == 0
        ? "\(name), no thread of its own"
        : "\(name), \(count) \(count == 1 ? "thread" : "threads")"
    }
    var lines = [
      "source: \(input), \(source.summary), \(frameRate) frames a second"
    ]
    if audio.count > (microphone == nil ? 0 : 1) {
      lines.append("sound: aac, encoded anew because inputs follow each other")
    }
    for film in films {
      lines.append(
        "behind \(film.inputs.joined(separator: ", ")): \(film.name), \(film.format.summary), "
          + "\(film.frameRate) frames a second")
    }
    if let decoder {
      let count = threads.first { $0.name == ThreadName.decode.rawValue }?.count ?? 0
      lines.append("decoder: " + crew(decoder, count))
    }
    if let device {
      lines.append("GPU: \(device.name), driver \(device.driver)")
    }
    lines +=
      steps ?? ["past the GPU: nothing acts on the pictures, and the sink takes them as they are"]
    for output in outputs {
      lines.append("sink: \(output.name), \(sink.summary)")
      if let encoder = output.sink.encoderName {
        lines.append("encoder: " + crew(encoder, output.encoderThreads))
      }
    }
    return lines
  }
}

extension FrameFormat {
  /// Layout, size and colours in a few words.
  fileprivate var summary: String {
    var parts = ["\(pixelFormat.rawValue) \(width)x\(height)", "\(color.matrix)"]
    parts.append(color.range == .full ? "full range" : "limited range")
    let (x, y) = pixelFormat.layout.chromaSubsampling
    if x * y > 1 { parts.append("chroma \(color.chromaSiting)") }
    if sampleAspectRatio != .one { parts.append("pixels \(sampleAspectRatio)") }
    if orientation != .upright {
      parts.append(
        "\(orientation.quarterTurns) quarter turns\(orientation.mirrored ? ", mirrored" : "")")
    }
    return parts.joined(separator: ", ")
  }
}
