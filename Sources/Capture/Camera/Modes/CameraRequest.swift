public import Frames
import V4L2Handles

/// A request to a camera; kfrec chooses all nil values.
public struct CameraRequest: Sendable {
  public var size: (width: Int, height: Int)?
  public var frameRate: Rational?
  /// A format as typed: V4L2's name or FFmpeg's.
  public var format: String?
  /// Names and values of controls as typed, in order.
  public var controls: [(name: String, value: String)] = []
  /// Longest time without a frame, in seconds.
  public var timeout = Rational(5)
  /// Longest wait for a camera that was unplugged, in seconds; nil ends the recording.
  public var wait: Rational?

  public init() {}

  /// Requests a mode that was granted before.
  mutating func ask(for mode: CameraMode) {
    size = (mode.width, mode.height)
    frameRate = mode.frameRate ?? frameRate
    format = mode.code.description
  }
}
