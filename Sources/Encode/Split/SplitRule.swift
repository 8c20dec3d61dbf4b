import CFFmpeg
import Frames

/// Says before which frames a movie is cut.
struct SplitRule {
  private let limit: SplitLimit
  /// Frames that the encoder may hold, whose packets do not count yet.
  ///
  /// How many it holds depends on the number of processors, and the cuts must not.
  private let heldFrames: Int
  /// For a limit of time: the time from which the next frame begins a new file, in seconds.
  private var border: Rational?
  /// For a limit of size: number and bytes of the packets that have been counted.
  private var counted = (packets: 0, bytes: 0)

  /// - Parameters:
  ///   - limit: The limit of each file.
  ///   - heldFrames: The most frames that the encoder usually holds.
  init(_ limit: SplitLimit, heldFrames: Int) {
    (self.limit, self.heldFrames) = (limit, heldFrames)
    if case .duration(let length) = limit { border = length }
  }

  /// The share by which held frames may be larger than those before them.
  private static let margin = 1.15
  /// Bytes of a container for itself, and for each packet in its tables.
  private static let (headBytes, packetBytes) = (4096.0, 32.0)

  /// Whether a frame begins a new file.
  ///
  /// Times of files are multiples of the limit, counted from the start of the recording, so that they do not
  /// drift.
  ///
  /// - Parameters:
  ///   - time: The frame's time in the recording, in seconds.
  ///   - frames: Number of frames that the current file has been given.
  ///   - packets: Bytes of the packets that have left its encoder, in their order.
  ///   - audio: Bytes of its audio.
  /// - Returns: Whether it does.
  mutating func cuts(
    before time: Rational, frames: Int, packets: [Int], audio: Int
  ) -> Bool {
    guard frames > 0 else { return false }
    switch limit {
    case .duration(let length):
      guard let border, time >= border else { return false }
      self.border = Rational((time / length).floor + 1) * length
      return true
    case .size(let bytes):
      let known = min(packets.count, max(frames - heldFrames, 0))
      guard known > 1 else { return false }
      if known < counted.packets { counted = (0, 0) }
      counted.bytes += packets[counted.packets..<known].reduce(0, +)
      counted.packets = known
      // With the frame that would come, and perhaps another key frame.
      let key = packets[0]
      let usual = Double(counted.bytes - key) / Double(known - 1)
      let rest = Double(frames + 1 - known) * usual * Self.margin + Double(key)
      let tables = Self.headBytes + Self.packetBytes * 2 * Double(frames)
      guard Double(counted.bytes + audio) + rest + tables > Double(bytes) else { return false }
      counted = (0, 0)
      return true
    }
  }
}

extension EncoderPlan {
  /// The most frames that the encoder usually holds.
  func heldFrames(isLive: Bool) -> Int {
    let delaying = AV_CODEC_CAP_DELAY | AV_CODEC_CAP_FRAME_THREADS | AV_CODEC_CAP_OTHER_THREADS
    guard codec.pointee.capabilities & delaying != 0 else { return 0 }
    return isLive ? Int((frameRate / Rational(2)).floor) + 1 : 64
  }
}
