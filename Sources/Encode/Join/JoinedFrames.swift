import CFFmpeg
import FFmpegHandles
import Frames

/// The encoded frames of all parts, in decoding order and with the times that one encoder would give them.
///
/// Every part begins with a keyframe and refers to no frame outside of itself.
struct JoinedFrames: ~Copyable {
  private let paths: [String]
  private let name: String
  /// Presentation times of all frames, in the order in which they are shown, in ticks of the output.
  private let shown: [Int64]
  /// Decoding times before the first presentation time.
  private let early: [Int64]
  /// The places of the parts' first frames.
  private let starts: [Int]
  /// Presentation ticks of a part by its own times.
  private var places: [Rational: Int] = [:]
  private let end: Int64
  private let times: [[Rational]]
  private var part = 0
  private var reader: PartReader?
  private var given = 0

  /// Reads the packets of all parts; throws a sentence if one begins before the one before it ends.
  init(_ parts: MovieParts, timeBase: Rational, name: String) throws {
    paths = parts.paths
    self.name = name
    var clock = TickClock(timeBase: timeBase)
    var shown: [Int64] = []
    var starts: [Int] = []
    var times: [[Rational]] = []
    var early: [Int64] = []
    for (number, path) in parts.paths.enumerated() {
      let part = try MoviePart(path)
      guard times.last?.last.map({ $0 < part.first }) ?? true else {
        throw EncodeError("\(name): part \(number + 1) begins before the one before it ends")
      }
      starts.append(shown.count)
      shown += part.times.map { clock.ticks(of: $0) }
      times.append(part.times)
      if number == 0 { early = part.early.map { $0.ticks(timeBase: timeBase) } }
    }
    (self.shown, self.starts, self.times, self.early) = (shown, starts, times, early)
    end = parts.end.ticks(timeBase: timeBase)
  }

  /// Number of frames that are decoded before one that is shown earlier.
  var delay: Int { early.count }

  /// The next frame's decoding time in ticks; nil at the end.
  var next: Int64? { given < shown.count ? decodingTime(given) : nil }

  private func decodingTime(_ number: Int) -> Int64 {
    number < early.count ? early[number] : shown[number - early.count]
  }

  /// Passes on the next packet and the time for which its frame is shown, in ticks; does nothing at the end.
  mutating func pass(
    _ video: borrowing JoinedVideo,
    to write: (UnsafeMutablePointer<AVPacket>, _ duration: Int64) throws -> Void
  ) throws {
    guard given < shown.count else { return }
    if reader == nil {
      let opened = try PartReader(paths[part])
      try video.check(opened, name: name)
      places = Dictionary(
        uniqueKeysWithValues: zip(times[part], starts[part]...))
      reader = consume opened
    }
    let isRead = try reader?.next() ?? false
    guard isRead, let packet = reader?.packet.pointer,
      let place = reader?.shown.flatMap({ places[$0] })
    else { throw EncodeError("\(paths[part]) changed while it was joined; start again") }
    packet.pointee.pts = shown[place]
    packet.pointee.dts = decodingTime(given)
    guard packet.pointee.dts <= packet.pointee.pts else {
      throw EncodeError(
        "the parts of \(name) cannot be joined, because frames are reordered too far; leave out --chunks"
      )
    }
    packet.pointee.pos = -1
    let until = place + 1 < shown.count ? shown[place + 1] : max(end, shown[place] + 1)
    given += 1
    let isLast = given == (part + 1 < starts.count ? starts[part + 1] : shown.count)
    defer {
      // The packet stays valid until it is written.
      if isLast {
        reader = nil
        part += 1
      }
    }
    try write(packet, until - shown[place])
  }
}
