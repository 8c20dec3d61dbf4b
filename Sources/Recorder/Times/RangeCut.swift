import Capture
import FFmpegHandles
import Frames

/// Takes a stretch out of what was rendered: the frames of its lead-in are left out, and times count from its
/// first frame, unless it keeps the times of the whole.
struct RangeCut: Sendable, Equatable {
  /// Number of frames to leave out.
  private var leadIn: Int
  /// Subtracted from every time, in seconds.
  private let shift: Rational
  /// Whether audio before the first frame that stays is left out too.
  private let cutsAudio: Bool

  init(leadIn: Int, shift: Rational, cutsAudio: Bool = false) {
    (self.leadIn, self.shift, self.cutsAudio) = (leadIn, shift, cutsAudio)
  }

  /// Returns the item as outputs take it; nil if it is left out.
  mutating func pass(_ item: MediaSample) throws(FFmpegError) -> MediaSample? {
    switch item {
    case .frame where leadIn > 0:
      leadIn -= 1
      return nil
    case .frame(var frame):
      frame.time = frame.time - shift
      return .frame(frame)
    case .codedAudio(let packet) where cutsAudio && packet.time + packet.duration <= shift:
      return nil
    case .audio(let block) where cutsAudio:
      return block.moved(to: block.time - shift).from(.zero).map { .audio($0) }
    case .subtitle(let packet): return try packet.shown(from: shift).map { .subtitle($0) }
    default: return try item.earlier(by: shift)
    }
  }
}

extension CompressedPacket {
  /// Returns a subtitle with its time counted from a first frame; it begins with that frame if it began before it; nil if
  /// it is over by then.
  func shown(from zero: Rational) throws(FFmpegError) -> CompressedPacket? {
    let moved = time - zero
    guard moved < .zero else { return try self.moved(to: moved) }
    let rest = moved + duration
    return rest > .zero ? try self.moved(to: .zero, lasting: rest) : nil
  }
}

extension AudioBlock {
  /// Returns the samples from a time on; nil if there are none.
  fileprivate func from(_ time: Rational) -> AudioBlock? {
    guard self.time < time else { return self }
    let early = Int(((time - self.time) * Rational(Int64(format.rate))).ceiling)
    return early < count ? part(early..<count) : nil
  }

  /// Returns the samples before a time, nil for no limit; nil if there are none.
  func until(_ time: Rational?) -> AudioBlock? {
    guard let time, self.time + duration > time else { return self }
    let early = Int(((time - self.time) * Rational(Int64(format.rate)) + Rational(1, 2)).floor)
    return early > 0 ? part(0..<min(early, count)) : nil
  }

  private func part(_ places: Range<Int>) -> AudioBlock {
    // Once in a recording: the block at the cut.
    let pool = AudioBlockPool(format, capacity: places.count, track: track)
    return pool.block(
      time: self.time + Rational(Int64(places.lowerBound)) * format.sampleDuration,
      count: places.count
    ) { channel, target in
      let own = samples(ofChannel: channel)
      for place in 0..<places.count { target[place] = own[places.lowerBound + place] }
    }
  }
}
