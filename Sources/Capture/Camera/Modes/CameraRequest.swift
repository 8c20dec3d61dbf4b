package import Frames
import V4L2Handles

/// What is asked of a camera; nil leaves it to kfrec.
package struct CameraRequest: Sendable {
  package var size: (width: Int, height: Int)?
  package var frameRate: Rational?
  /// A format as typed: V4L2's name for it or FFmpeg's.
  package var format: String?
  /// Names and values as typed, in order.
  package var controls: [(name: String, value: String)] = []
  /// How long a camera may give no frame, in seconds.
  package var timeout = Rational(5)
  /// How long to wait for a camera that was unplugged, in seconds; nil ends the recording.
  package var wait: Rational?

  package init() {}

  /// Asks for a mode that was granted before.
  mutating func ask(for mode: CameraMode) {
    size = (mode.width, mode.height)
    frameRate = mode.frameRate ?? frameRate
    format = mode.code.description
  }
}
