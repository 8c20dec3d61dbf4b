import FFmpegHandles
import Frames

/// Takes a stretch out of what was rendered: the frames of its lead-in are left out, and times count from its
/// first frame, unless it keeps the times of the whole.
struct RangeCut: Sendable, Equatable {
  /// Number of frames to leave out.
  private var leadIn: Int
  /// Subtracted from every time, in seconds.
  private let shift: Rational

  /// `shift` is subtracted from every time, in seconds.
  init(leadIn: Int, shift: Rational) { (self.leadIn, self.shift) = (leadIn, shift) }

  /// Returns the item as outputs take it; nil if it is left out.
  mutating func pass(_ item: FinishedItem) throws(FFmpegError) -> FinishedItem? {
    switch item {
    case .frame(var frame):
      guard leadIn == 0 else {
        leadIn -= 1
        return nil
      }
      frame.time = frame.time - shift
      return .frame(frame)
    case .codedAudio(let packet): return .codedAudio(try packet.moved(to: packet.time - shift))
    case .subtitle(let packet): return try packet.shown(from: shift).map { .subtitle($0) }
    case .audio(let block): return .audio(block.moved(to: block.time - shift))
    }
  }
}

extension CompressedPacket {
  /// Returns a subtitle with its time counted from a first frame; it begins with that frame if it began before it.
  ///
  /// - Parameter zero: The time of that frame in seconds.
  /// - Returns: The subtitle; nil if it is over by then.
  /// - Throws: If there is no memory.
  func shown(from zero: Rational) throws(FFmpegError) -> CompressedPacket? {
    let moved = time - zero
    guard moved < .zero else { return try self.moved(to: moved) }
    let rest = moved + duration
    return rest > .zero ? try self.moved(to: .zero, lasting: rest) : nil
  }
}
