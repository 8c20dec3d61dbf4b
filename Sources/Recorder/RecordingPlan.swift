import Capture
import Encode
import Frames
import GPU

/// What is decided once the first frame is known: what comes in, what goes out, and how the picture
/// lies in it.
struct RecordingPlan: Sendable {
  let source: FrameFormat
  let sink: FrameFormat
  let geometry: PictureGeometry
  /// Effect time and number of the first frame.
  let firstTime: Rational
  let firstFrameIndex: Int
  let frameRate: Rational
  let creationTime: Rational?

  init(
    _ recording: Recording, output: Output, first: FrameFormat, source: SourceDescription
  ) throws {
    self.source = first
    if let size = recording.size {
      geometry = PictureGeometry(source: first, size: size, scale: recording.scale)
    } else {
      geometry = PictureGeometry(source: first)
    }
    let color = ColorDescription(
      outputOf: first, range: recording.range, isCamera: source.isCamera,
      width: geometry.canvasWidth, height: geometry.canvasHeight)
    sink = output.frameFormat(
      width: geometry.canvasWidth, height: geometry.canvasHeight, color: color,
      sampleAspectRatio: geometry.sampleAspectRatio,
      hasAlpha: first.pixelFormat.layout.alpha != nil)
    firstTime = recording.firstTime
    firstFrameIndex = recording.firstFrameIndex
    frameRate = source.frameRate
    creationTime = source.creationTime
  }
}

extension RecordingPlan {
  /// What the user should know of what was decided.
  func warnings(output: String) -> [String] {
    var warnings: [String] = []
    if sink.width != geometry.canvasWidth || sink.height != geometry.canvasHeight {
      warnings.append(
        """
        \(sink.pixelFormat.rawValue) wants even sizes: the last column or row of \
        \(geometry.canvasWidth)x\(geometry.canvasHeight) is repeated in \(output) \
        (\(sink.width)x\(sink.height))
        """)
    }
    return warnings
  }
}
