import CFFmpeg
import FFmpegHandles
import Frames

/// Which streams of a container are used: the best pictures, and the sound that belongs to them.
///
/// Streams belong together by their program: a channel of a transport stream, or a variant of an HLS
/// master playlist. A container without programs is one.
struct StreamChoice {
  let video: UnsafeMutablePointer<AVStream>
  /// The numbers of the sound streams of the same program.
  let sound: [Int32]
  /// Streams of pictures, covers left out.
  let videoCount: Int
  /// There is sound that belongs to other programs.
  let leavesSoundOut: Bool
  /// What players call zero, in seconds of the source's own time: when the program's earliest stream
  /// starts; nil where the container does not say.
  let zero: Rational?

  private let isOtherProgram: [Bool]

  /// Chooses once the streams are known; nil where there are no pictures, but a cover perhaps.
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
    // The same pictures may be offered with poor sound and with good.
    let program = own.max { $0.bitRate < $1.bitRate }
    isOtherProgram = streams.indices.map { index in
      let number = Int32(index)
      return program.map { !$0.streams.contains(number) }
        ?? programs.contains { $0.streams.contains(number) }
    }
    let allSound = streams.indices.filter {
      streams[$0]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    sound = allSound.filter { [isOtherProgram] in !isOtherProgram[$0] }.map { Int32($0) }
    leavesSoundOut = sound.count < allSound.count
    zero = StreamChoice.zero(
      context, used: programs.count < 2 ? nil : [best.stream.pointee.index] + sound)
  }

  private static func zero(
    _ context: UnsafeMutablePointer<AVFormatContext>, used: [Int32]?
  ) -> Rational? {
    let none = kf_av_nopts_value()
    guard let used else {
      return context.pointee.start_time == none
        ? nil : Rational(context.pointee.start_time, 1_000_000)
    }
    // Programs have clocks of their own.
    return used.compactMap { context.pointee.streams[Int($0)] }
      .filter { $0.pointee.start_time != none }
      .map { Rational($0.pointee.start_time) * Rational($0.pointee.time_base) }.min()
  }

  /// Whether a stream belongs to another program alone, and so need not even be fetched.
  func isOfOtherProgram(_ index: Int32) -> Bool { isOtherProgram[Int(index)] }

  /// Lets the demuxer leave out the programs of which nothing is used.
  func discardOtherPrograms(of context: UnsafeMutablePointer<AVFormatContext>) {
    for number in 0..<Int(context.pointee.nb_programs) {
      guard let program = context.pointee.programs[number] else { continue }
      if Program(program).streams.allSatisfy(isOfOtherProgram) {
        program.pointee.discard = AVDISCARD_ALL
      }
    }
  }

  /// What was chosen where there was a choice, as a sentence for the user.
  func explanation(name: String) -> String? {
    guard let parameters = video.pointee.codecpar else { return nil }
    let sound = leavesSoundOut ? ", with the sound that belongs to it" : ""
    if videoCount > 1 {
      return "\(name) has \(videoCount) video streams; "
        + "\(parameters.pointee.width)x\(parameters.pointee.height) is used\(sound)"
    }
    return leavesSoundOut
      ? "\(name) has several programs; the one with pictures is used\(sound)" : nil
  }
}

/// Streams that belong together.
private struct Program {
  let streams: [Int32]
  /// An HLS variant's, as its master playlist says; else 0.
  let bitRate: Int64

  init(_ program: UnsafeMutablePointer<AVProgram>) {
    streams = (0..<Int(program.pointee.nb_stream_indexes)).map {
      Int32(program.pointee.stream_index[$0])
    }
    let entry = av_dict_get(program.pointee.metadata, "variant_bitrate", nil, 0)
    bitRate = entry?.pointee.value.flatMap { Int64(String(cString: $0)) } ?? 0
  }
}

/// How good the pictures of a stream are: those that can be decoded and move come first, then the
/// larger, then the higher bit rate, then the earlier stream.
private struct VideoRank: Comparable {
  let stream: UnsafeMutablePointer<AVStream>
  private let order: [Int64]

  /// Nil for what is no video stream, or a cover.
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
      // A track of one picture is a title or a poster, however large; 0 is a number not known.
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
