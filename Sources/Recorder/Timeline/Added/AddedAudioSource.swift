import Capture
import Encode
import FFmpegHandles
import Frames

/// A timeline with the audio of a file: it begins and ends with the frames.
final class AddedAudioSource: WrappingSource {
  let source: any FrameSetSource
  private let added: AddedAudio
  private let file: AudioFile
  private let interruption = Interruption()
  private let feedsEffects: Bool
  private let includesAudio: Bool
  private let format: AudioFormat
  /// Index of the track that it is mixed with; nil if there is none.
  private let track: Int?
  /// Delivers the samples; their number is counted from the first frame of the output.
  private let blocks: AudioBlockFeed
  /// The time of the first frame of the output, in seconds.
  private let base: Rational
  /// Finds the long gaps that a constant frame rate cuts: the audio goes on after them as if there were none.
  private var gaps: GapCut?
  /// Seconds of the gaps before the next sample.
  private var cut = Rational.zero
  /// The same after `goal`.
  private var nextCut = Rational.zero
  private var shownUntil = Rational.zero
  /// Samples before this place come next, and then an item; nil for none.
  private var goal: Int64?
  private var inWholeBlocks = true
  private var held: TimelineItem?
  private var isOver = false
  private let frameDuration: Rational
  private let notice: @Sendable (Notice) -> Void

  /// Most samples of a block, also of the sources.
  private static let blockSize = 4096

  /// Opens the file; the timeline's own audio comes as samples, if at all.
  init(
    _ source: any FrameSetSource, _ added: AddedAudio, _ opening: OpeningPlan,
    control: RecordingControl
  ) throws {
    (self.source, self.added) = (source, added)
    (feedsEffects, includesAudio) = (opening.feedsEffects, opening.outputs.takesAudio)
    let description = source.description
    base =
      description.range.map { $0.range.keepsTimes ? .zero : $0.shown - $0.origin } ?? .zero
    notice = opening.sources[0].notice
    switch opening.recording.pace {
    case .constant(let rate) where !description.isLive:
      gaps = GapCut()
      frameDuration = (rate ?? description.frameRate).reciprocal
    default: frameDuration = description.frameRate.reciprocal
    }
    let best = description.audio.count == 1 ? 0 : description.bestAudio ?? 0
    track = added.isMixed && description.audio.indices.contains(best) ? best : nil
    // A server may give nothing for long; the rest of a file is there at once, and belongs to the last frames.
    if added.file.isRemote { control.attach(interruption) }
    do {
      file = try AudioFile(
        added.file, as: track.map { description.audio[$0] }, interruption: interruption)
    } catch {
      throw control.isStopped ? OpenedSource.stopped : error
    }
    format = file.format
    blocks = try AudioBlockFeed(format, from: base, size: Self.blockSize)
  }

  var description: SourceDescription {
    var description = source.description
    let own = track.flatMap {
      description.audioOrigins.indices.contains($0) ? description.audioOrigins[$0] : nil
    }
    let origin = CompressedStream.mostExact(of: [own, file.origin].compactMap(\.self)) ?? own
    description.audioOrigins = origin.map { [$0] } ?? []
    description.joinsAudio = origin !== own
    description.audio = includesAudio ? [format] : []
    (description.codedAudio, description.bestAudio) = ([], nil)
    return description
  }

  var audioForEffects: AudioForEffects? { feedsEffects ? .blocks(format) : nil }
  var report: SourceReport {
    var report = source.report
    report.incomplete = report.incomplete ?? file.shortfall
    return report
  }
  var reports: [(description: SourceDescription, report: SourceReport)] {
    var reports = source.reports
    reports[0].report.damagedAudio =
      reports[0].report.damagedAudio ?? DamagedAudio(added.file.path, packets: file.damaged)
    return reports
  }

  var interruptions: [Interruption] { [interruption] + source.interruptions }

  func next() throws -> TimelineItem? {
    while true {
      if let block = blocks.next() { return .audio(block) }
      if let goal, blocks.position < goal {
        // One block at a time: it may be hours until the next frame.
        let count = Int(min(goal - blocks.position, Int64(Self.blockSize)))
        if !inWholeBlocks || count == Self.blockSize {
          try fill(count)
          try blocks.add(count, later: cut)
          continue
        }
      }
      (goal, cut) = (nil, nextCut)
      if let item = held {
        held = nil
        if case .audio(let block) = item { try mix(block) } else { return item }
        continue
      }
      guard !isOver else { return nil }
      try take(try source.next())
    }
  }

  /// Notes which samples come before an item of the timeline; at its end, the rest of them.
  private func take(_ item: TimelineItem?) throws {
    switch item {
    case .frame(let set):
      let moved = move(set.time, lasting: frameDuration)
      let shown = set.primary.duration ?? source.description.frameRate.reciprocal
      shownUntil = moved + shown
      held = item
      if track == nil { advance(to: moved) }
    case .audio(let block):
      guard block.track == track else { return }
      held = item
      advance(to: move(block.time, lasting: block.duration))
    case .subtitle: held = item
    case .codedAudio, .audioForEffects: break
    case nil:
      isOver = true
      if gaps != nil, shownUntil > .zero {
        // The frames of a constant rate end with a whole one.
        let grid = FrameGrid(rate: frameDuration.reciprocal)
        shownUntil = grid.nearest(to: shownUntil, own: frameDuration.reciprocal)
      }
      // The rest of a mix has no more audio of the source.
      advance(to: shownUntil)
      inWholeBlocks = false
      let begin = base + added.offset
      if begin >= shownUntil, shownUntil > .zero {
        notice(
          Notice(
            .sourceAudio, added.file.path,
            "\(added.file.path) is not heard: ~at lies after the last frame"))
      }
    }
  }

  /// Returns a time without the gaps before it.
  private func move(_ time: Rational, lasting length: Rational) -> Rational {
    gaps?.move(time, lasting: length) ?? time
  }

  /// Wants the samples before a time without gaps.
  private func advance(to time: Rational) {
    let place = (time - base).ticks(timeBase: format.sampleDuration)
    // A difference of one sample is a rounded time.
    goal = place - blocks.position > 1 || track == nil ? place : nil
    let removed = gaps?.removed ?? .zero
    inWholeBlocks = track == nil && !feedsEffects && removed == nextCut
    nextCut = removed
  }

  /// Adds the file's audio to a block of the source.
  private func mix(_ block: AudioBlock) throws {
    precondition(block.format == format && block.count <= Self.blockSize)
    try fill(block.count)
    for channel in 0..<format.channels {
      let (own, plane) = (block.samples(ofChannel: channel), blocks.planes[channel])
      for number in 0..<block.count { plane[number] += own[number] }
    }
    let time = base + Rational(blocks.position) * format.sampleDuration
    try blocks.add(block.count, later: block.time - time)
  }

  /// Writes the file's next samples, with silence before its offset and after its end.
  private func fill(_ count: Int) throws {
    let offset = added.offset.ticks(timeBase: format.sampleDuration)
    let silent = Int(min(max(offset - blocks.position, 0), Int64(count)))
    let read = try file.read(count - silent, into: blocks.planes, at: silent)
    let factor = Float(added.volume)
    for channel in 0..<format.channels {
      let plane = blocks.planes[channel]
      for number in 0..<silent { plane[number] = 0 }
      for number in silent..<silent + read { plane[number] *= factor }
      for number in silent + read..<count { plane[number] = 0 }
    }
  }
}
