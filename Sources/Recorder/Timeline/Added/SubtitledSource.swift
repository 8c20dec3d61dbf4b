import Capture
import FFmpegHandles
import Frames

/// A timeline with the subtitles of files as more tracks.
final class SubtitledSource: WrappingSource {
  let source: any FrameSetSource
  /// The texts by their times in the files.
  private let packets: [CompressedPacket]
  let streams: [CompressedStream]
  private var place = 0
  private let speed: Rational
  /// The time of the files at the first frame; nil until it is known.
  private var zero: Rational?
  private var held: TimelineItem?
  private var isOver = false
  /// The times at which the latest frame begins and ends.
  private var reached = Rational.zero
  private var shownUntil = Rational.zero

  init(_ source: any FrameSetSource, _ recording: Recording) throws {
    self.source = source
    let files = try recording.subtitleTracks.map { try $0.read() }
    let first = source.description.subtitles.count
    streams = files.map(\.stream)
    packets = try files.enumerated().flatMap { number, file in
      try file.packets.map { try $0.moved(to: $0.time, streamIndex: first + number) }
    }.sorted { $0.time < $1.time }
    speed = recording.source.retiming.speed
    let isPlain = recording.source.retiming.isPlain
    if !recording.hasInputTime {
      zero = .zero
    } else if isPlain {
      zero = source.firstTime - source.description.zero
    }
  }

  var description: SourceDescription {
    var description = source.description
    description.subtitles += streams
    return description
  }

  func next() throws -> TimelineItem? {
    while true {
      if let shown = try due() { return .subtitle(shown) }
      if let item = held.take() { return item }
      guard !isOver else { return nil }
      held = try source.next()
      switch held {
      case .frame(let set)?:
        // A source whose time runs otherwise says what its first frame shows.
        zero = zero ?? set.primary.sourceTime ?? .zero
        reached = set.time
        shownUntil = set.time + (set.primary.duration ?? source.description.frameRate.reciprocal)
      case nil: isOver = true
      default: break
      }
    }
  }

  /// Returns the next text that begins before the frame that comes next; the outputs end it with their last frame.
  private func due() throws -> CompressedPacket? {
    guard let zero else { return nil }
    while place < packets.count {
      let packet = packets[place]
      let (time, length) = ((packet.time - zero) / speed, packet.duration / speed)
      guard isOver ? time < shownUntil : time <= reached else { return nil }
      place += 1
      if let shown = try packet.moved(to: time, lasting: length).shown(from: .zero) { return shown }
    }
    return nil
  }
}
