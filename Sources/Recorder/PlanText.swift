import Capture
import FFmpegHandles
import Frames
import GPU

extension RecordingPlan {
  /// The plan in sentences for people: what comes in, what each step does to it, what goes out, and
  /// who does it with how many threads.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - steps: The steps of the GPU's line; nil where pictures pass the GPU.
  ///   - device: The GPU, if one is used.
  ///   - output: As typed after `-o`.
  ///   - encoder: The encoder's name, if there is one.
  ///   - threads: Those that run now.
  /// - Returns: A sentence each, in the order of the line.
  func sentences(
    source: SourceDescription, steps: [String]?, device: Device?, output: String,
    encoder: String?, threads: [ThreadGroup]
  ) -> [String] {
    func crew(_ name: String, _ thread: ThreadName) -> String {
      let count = threads.first { $0.name == thread.rawValue }?.count ?? 0
      return count == 0
        ? "\(name), no thread of its own"
        : "\(name), \(count) \(count == 1 ? "thread" : "threads")"
    }
    var sentences = [
      "source: \(source.name), \(self.source.summary), \(source.frameRate) frames a second"
    ]
    if join != nil, let sound = source.sound.first {
      sentences.append("sound: \(sound.codecName), encoded anew because it crossfades")
    }
    if let decoder = source.decoder { sentences.append("decoder: " + crew(decoder, .decode)) }
    if let device {
      sentences.append("GPU: \(device.name), driver \(device.driver)")
    }
    sentences +=
      steps ?? ["past the GPU: nothing acts on the pictures, and the sink takes them as they are"]
    sentences.append("sink: \(output), \(sink.summary)")
    if let encoder { sentences.append("encoder: " + crew(encoder, .encode)) }
    return sentences
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
