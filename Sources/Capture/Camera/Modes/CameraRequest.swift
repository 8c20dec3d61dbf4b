package import Frames
import V4L2Handles

/// A request to a camera; kfrec chooses all nil values.
package struct CameraRequest: Sendable {
  package var size: (width: Int, height: Int)?
  package var frameRate: Rational?
  /// A format as typed: V4L2's name or FFmpeg's.
  package var format: String?
  /// Names and values of controls as typed, in order.
  package var controls: [(name: String, value: String)] = []
  /// Longest time without a frame, in seconds.
  package var timeout = Rational(5)
  /// Longest wait for a camera that was unplugged, in seconds; nil ends the recording.
  package var wait: Rational?

  package init() {}

  /// Requests a mode that was granted before.
  mutating func ask(for mode: CameraMode) {
    size = (mode.width, mode.height)
    frameRate = mode.frameRate ?? frameRate
    format = mode.code.description
  }
}
