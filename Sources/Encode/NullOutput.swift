import FFmpegHandles
import Frames

extension OutputKind {
  static let null = OutputKind(
    words: "null", summary: "nothing: all stages run except the encoder"
  ) { word throws(EncodeError) in
    let isDevice = word.text == "/dev/null" && word.container == nil
    return word.text == "null" || isDevice ? NullOutput() : nil
  }
}

struct NullOutput: OutputTarget {
  private var pixelFormat = PixelFormat.yuv420p

  var place: OutputPlace { .nowhere }
  var preference: PixelPreference { .anything }
  var holdsAlpha: Bool { true }

  mutating func settle(_ settings: EncodeSettings) {
    pixelFormat = settings.pixelFormat ?? pixelFormat
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat { picture.video(pixelFormat) }

  func open(_ request: SinkRequest, name: String) -> sending any MediaSink {
    NullSink(name: name, frameRate: request.frameRate)
  }
}

/// Discards frames: for measuring the rest of the pipeline, and for trying an effect.
final class NullSink: MediaSink {
  private let name: String
  private var end: FrameExtent
  private var latency = LatencyMeter()

  init(name: String, frameRate: Rational) {
    self.name = name
    end = FrameExtent(frameRate: frameRate)
  }

  func write(_ frame: Frame) {
    latency.enter(0, captured: frame.captured)
    latency.leave(0)
    end.note(frame)
  }

  var encoderName: String? { nil }

  func abandon() {}

  func finish() -> SinkReport {
    var report = SinkReport(
      output: name, frames: end.frames, bytes: nil, duration: end.time, latency: latency.latency)
    report.isKept = false
    return report
  }
}
