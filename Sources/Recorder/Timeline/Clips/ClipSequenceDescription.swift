import Capture
import Encode
import FFmpegHandles
import Frames

extension ClipSequence {
  /// The first clip's description, with the changes from the others.
  var description: SourceDescription {
    var description = clips[0].description
    description.name = name
    description.timeBase = Self.commonUnit(clips.map(\.description.timeBase) + starts)
    description.duration = duration
    description.frameCount = frameCount
    description.isDeinterlaced = clips.contains(where: \.description.isDeinterlaced)
    for clip in clips.dropFirst() {
      description.openingCalls += clip.description.openingCalls
      description.notices += clip.description.notices
    }
    for clip in clips where !clip.description.codedAudio.isEmpty {
      guard includesAudio, clip.audio == nil else { continue }
      description.notices.append(
        Notice(
          .sourceAudio, clip.name,
          "the audio of \(clip.name) is left out: FFmpeg cannot decode it, so it cannot be mixed"))
    }
    description.codedAudio = []
    description.audioOrigins =
      CompressedStream.mostExact(of: clips.compactMap(\.audioOrigin)).map { [$0] } ?? []
    description.joinsAudio = true
    description.photo = PhotoData()
    description.audio = includesAudio ? audio.map { [$0.format] } ?? [] : []
    return description
  }

  /// Names of the first three clips, and how many more there are.
  private var name: String {
    let names = clips.prefix(3).map(\.name).joined(separator: ", ")
    return clips.count > 3 ? "\(names) and \(clips.count - 3) more" : names
  }

  /// Output times at which later clips begin, in seconds, as far as the clips' lengths are known.
  private var starts: [Rational] {
    var starts = [Rational.zero]
    for (clip, overlap) in zip(clips, overlaps) {
      guard let length = clip.length else { break }
      starts.append(starts[starts.count - 1] + length - overlap)
    }
    return Array(starts.dropFirst())
  }

  /// Duration in seconds; nil if it is not known; a still image as the last clip ends with its transition.
  private var duration: Rational? {
    let last = clips[clips.count - 1]
    var whole: Rational?
    if starts.count == clips.count - 1, let start = starts.last {
      let overlap = overlaps[overlaps.count - 1]
      whole = last.length.map { start + $0 } ?? (last.description.isStill ? start + overlap : nil)
    }
    return [whole, limit.duration].compactMap(\.self).min()
  }

  /// Approximate number of frames: those of the first clip, and those of the others after their
  /// transitions.
  private var frameCount: Int? {
    guard var whole = clips[0].description.frameCount else { return limit.frames }
    for (clip, overlap) in zip(clips.dropFirst(), overlaps) {
      let after = clip.length.map { ($0 - overlap) * clip.description.frameRate }
      guard let after = after ?? (clip.description.isStill ? .zero : nil) else {
        return limit.frames
      }
      whole += Int(after.floor)
    }
    if let time = limit.duration {
      whole = min(whole, Int((time * clips[0].description.frameRate).floor) + 1)
    }
    return min(whole, limit.frames ?? whole)
  }

  /// Returns a time base of which all these times are multiples, or a microsecond if it would be even
  /// finer.
  private static func commonUnit(_ times: [Rational]) -> Rational {
    let finest: Int64 = 1_000_000
    var common: Int64 = 1
    for time in times {
      // The least common multiple: in lowest terms, the numerator is the missing factor.
      let factor = Rational(time.denominator, common).numerator
      guard factor <= finest / common else { return Rational(1, finest) }
      common *= factor
    }
    return Rational(1, common)
  }
}
