import FFmpegHandles
import Frames

struct HardwareFailure: ExplainedError {
  let encoder: String
  let code: Int32
  /// Whether the encoder read the latest frame where another device has it: copies may still go.
  var isOfSharedFrame = false

  var description: String {
    "\(encoder) stopped working (\(FFmpegError.reason(code))): use --hw off, or another --codec"
  }
}

/// A call of an encoder, for tests that let it fail there.
enum EncoderCall: Hashable, Sendable {
  case open
  /// A frame is sent, by its number from 0.
  case send(Int)
  /// A packet is asked for, by the number of those before it.
  case receive(Int)
  case drain
}
