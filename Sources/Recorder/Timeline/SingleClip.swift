import Capture
import FFmpegHandles
import Frames

/// One source whose first frame was already read; its audio is copied unchanged.
final class SingleClip: FrameSetSource {
  private let source: OpenedSource
  private var isBegun = false
  private var ahead: [MediaSample] = []
  /// Source time of the timeline's start: the first recorded frame, or the first frame of a source of which a
  /// stretch is recorded.
  private var zero: Rational

  init(_ source: OpenedSource) {
    self.source = source
    zero = source.media.description.range?.origin ?? source.first.time
  }

  var description: SourceDescription { source.media.description }
  var formats: [FrameFormat] { [source.first.format] }
  var audioForEffects: AudioForEffects? {
    description.samplesForEffects.map { .blocks($0) }
      ?? description.audioForEffects.map { .packets($0) }
  }
  var firstTime: Rational { zero }
  var report: SourceReport { source.media.report }
  var descriptions: [SourceDescription] { [description] }
  var reports: [(description: SourceDescription, report: SourceReport)] { [(description, report)] }

  var interruptions: [Interruption] { [source.interruption] }

  func finish() {}

  func next() throws -> TimelineItem? {
    if !isBegun { try begin() }
    while true {
      let sample = ahead.isEmpty ? try source.media.next() : ahead.removeFirst()
      guard let sample else { return nil }
      if let item = try item(of: sample) { return item }
    }
  }

  /// Moves a sample to the timeline; nil for a subtitle that is over before the first frame.
  private func item(of sample: MediaSample) throws -> TimelineItem? {
    switch sample {
    case .frame(var frame):
      frame.time = frame.time - zero
      frame.captured = frame.captured ?? .now
      return .frame(FrameSet(frame))
    case .codedAudio(let packet): return .codedAudio(try packet.moved(to: packet.time - zero))
    case .audio(let block): return .audio(block.moved(to: block.time - zero))
    case .audioForEffects(let packet):
      return .audioForEffects(try packet.moved(to: packet.time - zero))
    case .subtitle(let packet):
      return try packet.shown(from: zero).map { .subtitle($0) }
    }
  }

  /// Chooses the first recorded frame.
  private func begin() throws {
    isBegun = true
    if source.media.description.firstFrameIsStale,
      case .frame(let frame)? = try source.media.next()
    {
      zero = frame.time
      ahead = [.frame(frame)]
      return
    }
    ahead = [.frame(source.first)]
    guard audioForEffects != nil else { return }
    // A source delivers its first frame first; the audio for that frame is put before it.
    while let sample = try source.media.next() {
      guard case .audioForEffects = sample else { return ahead.append(sample) }
      ahead.insert(sample, at: ahead.count - 1)
    }
  }
}
