import FFmpegHandles
import Frames

/// The audio of a movie: streams that are copied, and encoders for what comes as samples; used by one thread at a time.
final class MovieAudio {
  /// All streams, those that are copied before those that are encoded, by the packets' stream index.
  let streams: [CompressedStream]
  let notices: [Notice]
  private let encoders: [AudioEncoder]

  /// Checks that the container takes the audio, and opens the encoders.
  init(
    _ request: SinkRequest, settings: AudioSettings, container: Container, output: String
  ) throws(EncodeError) {
    guard container.holdsAudio else {
      (streams, notices, encoders) = ([], [], [])
      return
    }
    let carried = request.codedAudio.count
    var encoders: [AudioEncoder] = []
    var notices: [Notice] = []
    func add(_ id: NoticeID, _ sentence: String) {
      // Several streams may have the same notice.
      guard !notices.contains(where: { $0.message == sentence }) else { return }
      notices.append(Notice(id, output, sentence))
    }
    for (track, format) in request.audio.enumerated() {
      let origin = request.audioOrigins.indices.contains(track) ? request.audioOrigins[track] : nil
      let codec = try settings.codec(
        for: container, output: output, keeping: origin, of: format)
      let depth: Int? = if case .bits(let bits) = origin?.losslessDepth { bits } else { nil }
      let encoder = try AudioEncoder(
        format, codec, bitrate: settings.bitrate, depth: settings.codec == nil ? depth : nil,
        tags: request.joinsAudio ? StreamTags() : origin?.tags ?? StreamTags(),
        streamIndex: carried + track)
      if let sentence = encoder.mixing(output: output, in: container) {
        add(.outputAudio, sentence)
      }
      encoders.append(encoder)
    }
    streams = request.codedAudio + encoders.map(\.stream)
    for stream in streams { try AudioFit.check(stream, fits: container, output: output) }
    for stream in streams {
      if let sentence = AudioFit.warning(stream, in: container, output: output) {
        add(.outputAudio, sentence)
      }
    }
    if !settings.forcesEncoding {
      for (origin, encoder) in zip(request.audioOrigins, encoders) {
        let isHeld = AudioFit.holds(origin, container)
        let (depth, stored) = (origin.losslessDepth, encoder.depth)
        let isKept = depth.map { stored?.holds($0) == true } ?? (stored != nil)
        guard !isHeld || depth != nil && !isKept else { continue }
        let reason =
          isHeld ? "" : "\(container.title) does not hold \(origin.codecName) audio, so "
        let loss =
          isKept
          ? "which loses nothing"
          : depth.flatMap { depth in stored.map { "which has \($0.title) of its \(depth.title)" } }
        add(
          .outputAudioEncoded,
          "\(output): \(reason)the audio is encoded as \(encoder.title)"
            + (loss.map { ", \($0)" } ?? ""))
      }
    }
    (self.encoders, self.notices) = (encoders, notices)
  }

  func encode(_ block: AudioBlock, each: (CompressedPacket) throws -> Void) throws {
    guard encoders.indices.contains(block.track) else { return }
    try encoders[block.track].encode(block, each: each)
  }

  func finish(each: (CompressedPacket) throws -> Void) throws {
    for encoder in encoders { try encoder.finish(each: each) }
  }
}
