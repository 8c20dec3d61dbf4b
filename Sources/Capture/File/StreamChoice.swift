import CFFmpeg
import FFmpegHandles
import Frames

/// Chooses the used streams of a container: the best video, and the audio that belongs to it.
///
/// Streams of one program belong together: a channel of a transport stream, or a variant of an HLS
/// master playlist. A container without programs counts as one program.
struct StreamChoice {
  let video: UnsafeMutablePointer<AVStream>
  /// The indexes of the audio streams of the same program.
  let audio: [Int32]
  /// Number of video streams, without cover images.
  let videoCount: Int
  /// Whether other programs have audio that is left out.
  let leavesAudioOut: Bool
  /// The time that players show as zero, in seconds of the source's own time; nil if the container does
  /// not say.
  ///
  /// It is the start of the program's earliest stream.
  let zero: Rational?

  private let isOtherProgram: [Bool]

  /// Chooses after the streams are known; nil without video (a cover image does not count).
  init?(_ context: UnsafeMutablePointer<AVFormatContext>) {
    let streams = (0..<Int(context.pointee.nb_streams)).map { context.pointee.streams[$0] }
    let programs = (0..<Int(context.pointee.nb_programs)).compactMap {
      context.pointee.programs[$0].map(Program.init)
    }
    let ranked = streams.compactMap { stream in
      stream.flatMap { VideoRank($0, programs: programs) }
    }
    guard let best = ranked.max() else { return nil }
    video = best.stream
    videoCount = ranked.count
    let own = programs.filter { $0.streams.contains(best.stream.pointee.index) }
    // A playlist may offer the same video with low-quality and with high-quality audio.
    let program = own.max { $0.bitRate < $1.bitRate }
    isOtherProgram = streams.indices.map { index in
      let number = Int32(index)
      return program.map { !$0.streams.contains(number) }
        ?? programs.contains { $0.streams.contains(number) }
    }
    let allAudio = streams.indices.filter {
      streams[$0]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    audio = allAudio.filter { [isOtherProgram] in !isOtherProgram[$0] }.map { Int32($0) }
    leavesAudioOut = audio.count < allAudio.count
    zero = StreamChoice.zero(
      context, used: programs.count < 2 ? nil : [best.stream.pointee.index] + audio)
  }

  private static func zero(
    _ context: UnsafeMutablePointer<AVFormatContext>, used: [Int32]?
  ) -> Rational? {
    let none = kf_av_nopts_value()
    guard let used else {
      return context.pointee.start_time == none
        ? nil : Rational(context.pointee.start_time, 1_000_000)
    }
    // Each program has its own clock.
    return used.compactMap { context.pointee.streams[Int($0)] }
      .filter { $0.pointee.start_time != none }
      .map { Rational($0.pointee.start_time) * Rational($0.pointee.time_base) }.min()
  }

  /// Returns whether a stream belongs only to other programs, so that it need not be downloaded.
  func isOfOtherProgram(_ index: Int32) -> Bool { isOtherProgram[Int(index)] }

  /// Makes the demuxer skip the programs that have no used stream.
  func discardOtherPrograms(of context: UnsafeMutablePointer<AVFormatContext>) {
    for number in 0..<Int(context.pointee.nb_programs) {
      guard let program = context.pointee.programs[number] else { continue }
      if Program(program).streams.allSatisfy(isOfOtherProgram) {
        program.pointee.discard = AVDISCARD_ALL
      }
    }
  }

  /// Describes the choice as a sentence for the user; nil if there was none.
  func explanation(name: String) -> String? {
    guard let parameters = video.pointee.codecpar else { return nil }
    let audio = leavesAudioOut ? ", with the audio that belongs to it" : ""
    if videoCount > 1 {
      return "\(name) has \(videoCount) video streams; "
        + "\(parameters.pointee.width)x\(parameters.pointee.height) is used\(audio)"
    }
    return leavesAudioOut
      ? "\(name) has several programs; the one with video is used\(audio)" : nil
  }
}

/// The streams of one program.
private struct Program {
  let streams: [Int32]
  /// The bit rate of an HLS variant according to its master playlist; else 0.
  let bitRate: Int64

  init(_ program: UnsafeMutablePointer<AVProgram>) {
    streams = (0..<Int(program.pointee.nb_stream_indexes)).map {
      Int32(program.pointee.stream_index[$0])
    }
    let entry = av_dict_get(program.pointee.metadata, "variant_bitrate", nil, 0)
    bitRate = entry?.pointee.value.flatMap { Int64(String(cString: $0)) } ?? 0
  }
}

/// Ranks a video stream.
///
/// Streams that can be decoded and have more than one image come first, then the larger size, then the
/// higher bit rate, then the lower stream index.
private struct VideoRank: Comparable {
  let stream: UnsafeMutablePointer<AVStream>
  private let order: [Int64]

  /// nil for a stream that is not video, or is a cover image.
  init?(_ stream: UnsafeMutablePointer<AVStream>, programs: [Program]) {
    guard let parameters = stream.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else { return nil }
    self.stream = stream
    let index = stream.pointee.index
    let isDecodable = avcodec_find_decoder(parameters.pointee.codec_id) != nil
    let variants = programs.filter { $0.streams.contains(index) }.map(\.bitRate)
    order = [
      isDecodable ? 1 : 0,
      // A track with one image is a title or a poster, whatever its size; 0 means an unknown number.
      stream.pointee.nb_frames == 1 ? 0 : 1,
      Int64(parameters.pointee.width) * Int64(parameters.pointee.height),
      max(variants.max() ?? 0, parameters.pointee.bit_rate),
      -Int64(index),
    ]
  }

  static func < (one: VideoRank, other: VideoRank) -> Bool {
    one.order.lexicographicallyPrecedes(other.order)
  }

  static func == (one: VideoRank, other: VideoRank) -> Bool { one.order == other.order }
}
