import CFFmpeg
import Frames

/// What a muxer must know about its video stream: an open encoder, or parts that were encoded before.
protocol VideoTrack: ~Copyable {
  /// Unit of the packets' times, in seconds.
  var timeBase: Rational { get }
  var frameRate: Rational { get }

  func describe(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws
}
