import Capture
import Frames
import Recorder

/// The chunks into which an input is cut.
struct ChunkPlan: Sendable {
  struct Chunk: Sendable {
    let range: FrameRange
    /// Number of frames of its movie.
    let frames: Int
    /// Time of its first frame in the output, in seconds.
    let start: Rational

    /// The name in the journal, and of its file.
    var name: String { "\(range.first)-\(range.first + frames - 1)" }
  }

  let chunks: [Chunk]
  /// The format of the input's first frame, which decides what the output is like.
  let format: FrameFormat
  /// The length of the input in seconds, to the end of its last frame.
  let seconds: Rational
  var frames: Int { chunks.reduce(0) { $0 + $1.frames } }

  /// Why an input stays whole.
  enum Whole: Error {
    case short
    /// With a reason for the user, as words after "it".
    case because(String)
  }

  /// Finds the cuts of a whole recording's input; without `leadIn` the effects say how much is rendered before each chunk.
  ///
  /// - Throws: `Whole`, or an error of the input or the effects.
  init(
    _ recording: Recording, length: ChunkLength, leadIn: Int?, interruption: Interruption
  ) throws {
    var request = recording.source
    request.interruption = interruption
    guard !request.kind.isGenerated else { throw Whole.short }
    guard request.deinterlacing.mode != .bob else {
      throw Whole.because(
        "stays whole, because --deinterlace bob makes frames that its index does not have")
    }
    let search = try FrameSearch(request)
    if let duration = search.duration, length.number(for: duration) < 2 { throw Whole.short }
    let lead = try ChunkPlan.leadIn(recording, search.format, asked: leadIn)
    guard let times = try search.times(readsPackets: true) else {
      if search.isStill { throw Whole.short }
      throw Whole.because("cannot be cut exactly: a MOV, an MP4 or a Matroska file can")
    }
    func time(_ number: Int) throws -> Rational {
      guard let time = try times.time(of: number) else {
        throw Whole.because("cannot be cut exactly: its frames have no times of their own")
      }
      return time
    }
    let seconds = try time(times.count - 1) - search.origin + search.frameRate.reciprocal
    let wanted = min(length.number(for: seconds), times.count)
    guard wanted > 1 else { throw Whole.short }
    var cuts = [0]
    for number in 1..<wanted {
      guard let key = try times.keyFrame(nearest: times.count * number / wanted),
        let last = cuts.last, key > last, key < times.count
      else { continue }
      cuts.append(key)
    }
    guard cuts.count > 1 else { throw Whole.because("has no keyframe at which it could be cut") }
    (format, self.seconds) = (search.format, seconds)
    chunks = try cuts.indices.map { place in
      let end = place + 1 < cuts.count ? cuts[place + 1] : times.count
      // The last chunk ends with the input, so that a frame too many is noticed.
      var range = FrameRange(
        first: cuts[place], last: place + 1 < cuts.count ? end - 1 : nil, leadIn: lead)
      range.keepsTimes = true
      range.place = FramePlace(origin: search.origin, start: try time(range.begin))
      return Chunk(
        range: range, frames: end - cuts[place], start: try time(cuts[place]) - search.origin)
    }
  }

  /// Returns the number of frames that effects need before a chunk.
  private static func leadIn(
    _ recording: Recording, _ format: FrameFormat, asked: Int?
  ) throws -> Int {
    let memory = try EffectMemory(recording, width: format.width, height: format.height)
    if asked == nil, let reason = memory.endless.first {
      throw Whole.because(
        "stays whole, because \(reason); --chunk-lead-in N renders N frames before each chunk "
          + "instead")
    }
    return max(memory.frames, asked ?? 0)
  }
}
