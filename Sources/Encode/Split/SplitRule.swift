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
  /// What the packets of the file before needed; nil in the first file.
  private var before: Needs?

  /// Bytes of a key frame, and of one of the other frames.
  private struct Needs {
    let key: Double
    let usual: Double

    /// Measures more than one packet, of which the first is a key frame.
    init(_ packets: ArraySlice<Int>, sum: Int) {
      let first = packets.first ?? 0
      key = Double(first)
      let mean = Double(sum - first) / Double(packets.count - 1)
      // The newest count too, so that a picture that turns from plain to busy is noticed at once; without the largest
      // of them, which may be a key frame.
      let newest = packets.dropFirst().suffix(SplitRule.newest)
      let rest = newest.reduce(0, +) - (newest.max() ?? 0)
      usual =
        newest.count < SplitRule.newest ? mean : max(mean, Double(rest) / Double(newest.count - 1))
    }
  }

  /// Number of packets that show what a frame needs now: some groups of B-frames.
  private static let newest = 16

  init(_ limit: SplitLimit, heldFrames: Int) {
    (self.limit, self.heldFrames) = (limit, heldFrames)
    if case .duration(let length) = limit { border = length }
  }

  /// The share by which held frames may be larger than those before them.
  private static let margin = 1.15
  /// Bytes of a container for itself, and for each packet in its tables.
  private static let (headBytes, packetBytes) = (4096.0, 32.0)

  /// Whether a frame begins a new file, by the time, the number of frames and the bytes that the current file has.
  ///
  /// Times of files are multiples of the limit, counted from the start of the recording, so that they do not drift. The
  /// packets are those that have left the encoder, in their order.
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
      if known < counted.packets { counted = (0, 0) }
      counted.bytes += packets[counted.packets..<known].reduce(0, +)
      counted.packets = known
      guard let needs = known > 1 ? Needs(packets[..<known], sum: counted.bytes) : before else {
        return false
      }
      // With the frame that would come, and perhaps another key frame.
      let rest = Double(frames + 1 - known) * needs.usual * Self.margin + needs.key
      let tables = Self.headBytes + Self.packetBytes * 2 * Double(frames)
      guard Double(counted.bytes + audio) + rest + tables > Double(bytes) else { return false }
      before = needs
      counted = (0, 0)
      return true
    }
  }

  /// Notes what all packets of a file needed that has just ended, because its encoder is empty.
  mutating func note(whole packets: [Int]) {
    guard packets.count > 1 else { return }
    before = Needs(packets[...], sum: packets.reduce(0, +))
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
