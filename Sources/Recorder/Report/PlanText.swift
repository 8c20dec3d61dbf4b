import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import Render

extension RecordingPlan {
  /// The plan in sentences for people: what comes in, what each step does to it, what goes out, and
  /// who does it with how many threads.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - films: What plays behind image inputs.
  ///   - steps: The steps of the GPU's line; nil where pictures pass the GPU.
  ///   - device: The GPU, if one is used.
  ///   - outputs: What the frames go to.
  ///   - threads: Those that run now.
  /// - Returns: A sentence each, in the order of the line.
  func sentences(
    source: SourceDescription, films: [Film], steps: [String]?, device: Device?,
    outputs: [OpenOutput], threads: [ThreadGroup]
  ) -> [String] {
    func crew(_ name: String, _ count: Int) -> String {
      count == 0
        ? "\(name), no thread of its own"
        : "\(name), \(count) \(count == 1 ? "thread" : "threads")"
    }
    var sentences = [
      "source: \(source.name), \(self.source.summary), \(source.frameRate) frames a second"
    ]
    if !source.audio.isEmpty {
      sentences.append("sound: aac, encoded anew because inputs follow each other")
    }
    for film in films {
      let inputs = film.uses.map(\.input).joined(separator: ", ")
      sentences.append(
        "behind \(inputs): \(film.clip.name), \(film.clip.firstFormat.summary), "
          + "\(film.clip.description.frameRate) frames a second")
    }
    if let decoder = source.decoder {
      let count = threads.first { $0.name == ThreadName.decode.rawValue }?.count ?? 0
      sentences.append("decoder: " + crew(decoder, count))
    }
    if let device {
      sentences.append("GPU: \(device.name), driver \(device.driver)")
    }
    sentences +=
      steps ?? ["past the GPU: nothing acts on the pictures, and the sink takes them as they are"]
    for output in outputs {
      sentences.append("sink: \(output.name), \(sink.summary)")
      if let encoder = output.sink.encoderName {
        sentences.append("encoder: " + crew(encoder, output.encoderThreads))
      }
    }
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
