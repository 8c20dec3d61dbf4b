package import Capture
import Encode
import FFmpegHandles
package import Frames
import Glibc
import ShaderEffects

/// Audio of a file for the whole timeline: `FILE~mix~loop~start=5~at=2~volume=50%`.
package struct AddedAudio: Sendable, Equatable {
  package var file: AudioFileRequest
  /// Whether it is mixed with the sources' own audio, instead of taking its place.
  package var isMixed = false
  /// The output time at which it begins, in seconds.
  package var offset = Rational.zero
  /// The factor of its samples.
  package var volume = 1.0

  /// Whether a part of the value says how the file is heard, right or wrong.
  private static func isWord(_ text: Substring) -> Bool {
    ["mix", "loop", "start", "at", "volume"].contains(text.prefix { $0 != "=" })
  }

  /// Reads the value of `--audio-in`.
  ///
  /// - Parameters:
  ///   - words: The file, and words with a `~` before each; the name of an existing file may contain any of them,
  ///     a folder and a URL any `~` that does not begin such a word.
  ///   - volume: Reads a volume as `--volume` takes it.
  /// - Throws: A usage error if a word is not known.
  package init(_ words: String, volume: (String) throws -> Double?) throws {
    var path = words
    var later: [Substring] = []
    while access(path, F_OK) != 0, let mark = path.lastIndex(of: "~") {
      let word = path[path.index(after: mark)...]
      guard Self.isWord(word) || !word.contains("/") && !path.contains("://") else { break }
      later.append(words[words.index(after: mark)...].prefix { $0 != "~" })
      path = String(path[..<mark])
    }
    guard !path.isEmpty else {
      throw RecorderError("--audio-in lacks the name of its file", isUsageError: true)
    }
    file = AudioFileRequest(path: path)
    for word in later {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? String(parts[1]) : nil
      switch (parts.first ?? "", value, value.flatMap { Rational(clockTime: $0) }) {
      case ("mix", nil, _): isMixed = true
      case ("loop", nil, _): file.loops = true
      case ("start", _, let time?): file.start = time
      case ("at", _, let time?): offset = time
      case ("volume", let value?, _):
        guard let factor = try volume(value) else { fallthrough }
        self.volume = factor
      default:
        throw RecorderError(
          "'~\(word)' does not say how \(path) is heard: write ~mix, ~loop, ~start=5, ~at=2 (in seconds) or "
            + "~volume=50%", isUsageError: true)
      }
    }
  }
}

/// A timeline with the audio of a file: it begins and ends with the frames.
///
/// Only one thread at a time uses it, except for `interrupt`.
final class AddedAudioSource: FrameSetSource, @unchecked Sendable {
  // @unchecked: only the reading thread uses the mutable state; `interrupt` does not.
  private let source: any FrameSetSource
  private let added: AddedAudio
  private let file: AudioFile
  private let interruption = Interruption()
  private let feedsEffects: Bool
  private let includesAudio: Bool
  private let format: AudioFormat
  /// Index of the track that it is mixed with; nil if there is none.
  private let track: Int?
  private let pool: AudioBlockPool
  private let planes: SamplePlanes
  /// Number of samples of the output so far.
  private var position: Int64 = 0
  private var shownUntil = Rational.zero
  private var ready: [TimelineItem] = []
  private var isOver = false

  private static let blockSize = 4096

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - source: The timeline; its own audio comes as samples, if at all.
  ///   - added: The audio.
  ///   - opening: What is heard by whom.
  /// - Throws: A sentence if the file cannot be used.
  init(_ source: any FrameSetSource, _ added: AddedAudio, _ opening: OpeningPlan) throws {
    (self.source, self.added) = (source, added)
    (feedsEffects, includesAudio) = (opening.feedsEffects, opening.outputs.takesAudio)
    let description = source.description
    let best = description.audio.count == 1 ? 0 : description.bestAudio ?? 0
    track = added.isMixed && description.audio.indices.contains(best) ? best : nil
    file = try AudioFile(
      added.file, as: track.map { description.audio[$0] }, interruption: interruption)
    format = file.format
    pool = AudioBlockPool(format, capacity: Self.blockSize)
    planes = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
  }

  var description: SourceDescription {
    var description = source.description
    description.audioOrigins =
      track.map {
        description.audioOrigins.indices.contains($0) ? [description.audioOrigins[$0]] : []
      }
      ?? []
    description.audio = includesAudio ? [format] : []
    (description.codedAudio, description.bestAudio) = ([], nil)
    return description
  }

  var formats: [FrameFormat] { source.formats }
  var audioForEffects: AudioForEffects? { feedsEffects ? .blocks(format) : nil }
  var firstTime: Rational { source.firstTime }
  var report: SourceReport { source.report }
  var reports: [(description: SourceDescription, report: SourceReport)] { source.reports }

  func interrupt() {
    interruption.interrupt()
    source.interrupt()
  }

  func finish() { source.finish() }

  func next() throws -> TimelineItem? {
    while ready.isEmpty, !isOver {
      guard let item = try source.next() else {
        isOver = true
        // The rest of a mix has no more audio of the source.
        try advance(to: shownUntil, inWholeBlocks: false)
        break
      }
      switch item {
      case .frames(let set):
        shownUntil =
          set.time + (set.primary.duration ?? source.description.frameRate.reciprocal)
        if track == nil { try advance(to: set.time, inWholeBlocks: !feedsEffects) }
        ready.append(item)
      case .audio(let block): if block.track == track { ready.append(.audio(try mixed(block))) }
      case .subtitle: ready.append(item)
      case .codedAudio, .audioForEffects: break
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Delivers the file's audio before an output time.
  private func advance(to time: Rational, inWholeBlocks: Bool) throws {
    let goal = time.ticks(timeBase: format.sampleDuration)
    while position < goal {
      let count = Int(min(goal - position, Int64(Self.blockSize)))
      guard !inWholeBlocks || count == Self.blockSize else { return }
      try fill(count)
      let block = pool.block(
        time: Rational(position) * format.sampleDuration, count: count
      ) { channel, samples in
        for number in 0..<count { samples[number] = planes[channel][number] }
      }
      position += Int64(count)
      ready.append(.audio(block))
    }
  }

  /// Adds the file's audio to a block of the source.
  private func mixed(_ block: AudioBlock) throws -> AudioBlock {
    precondition(block.format == format && block.count <= Self.blockSize)
    try fill(block.count)
    position += Int64(block.count)
    return pool.block(time: block.time, count: block.count) { channel, samples in
      let own = block.samples(ofChannel: channel)
      for number in 0..<block.count { samples[number] = own[number] + planes[channel][number] }
    }
  }

  /// Writes the file's next samples, with silence before its offset and after its end.
  private func fill(_ count: Int) throws {
    let offset = added.offset.ticks(timeBase: format.sampleDuration)
    let silent = Int(min(max(offset - position, 0), Int64(count)))
    let read = try file.read(count - silent, into: planes, at: silent)
    let factor = Float(added.volume)
    for channel in 0..<format.channels {
      let plane = planes[channel]
      for number in 0..<silent { plane[number] = 0 }
      for number in silent..<silent + read { plane[number] *= factor }
      for number in silent + read..<count { plane[number] = 0 }
    }
  }
}
