import CFFmpeg
import FFmpegHandles
import Frames

/// Chooses the used streams of a container: the wanted video, and the audio that belongs to it.
///
/// Streams of one program belong together: a channel of a transport stream, or a variant of an HLS
/// master playlist. A container without programs counts as one program.
struct StreamChoice {
  let video: UnsafeMutablePointer<AVStream>
  /// The indexes of the audio streams of the same program.
  let audio: [Int32]
  /// The sizes of all videos in order, without cover images.
  private let sizes: [String]
  /// The programs of a transport stream, as words, if one of several was chosen by its video.
  private let programs: [String]
  /// Whether the person has chosen the program.
  private let isProgramGiven: Bool
  /// Whether the sounds of one language differ in their bit rates alone.
  private let isDASH: Bool
  /// Whether other programs have audio that is left out.
  let leavesAudioOut: Bool
  /// The time that players show as zero, in seconds of the source's own time; nil if the container does
  /// not say.
  ///
  /// It is the start of the program's earliest stream.
  let zero: Rational?

  private let isOtherProgram: [Bool]

  /// Chooses after the streams are known; nil without video (a cover image does not count).
  init?(
    _ context: UnsafeMutablePointer<AVFormatContext>, wanted: VideoChoice = .best,
    program wantedProgram: String? = nil, name: String
  ) throws(CaptureError) {
    let streams = context.pointee.streamList
    let programs = (0..<Int(context.pointee.nb_programs)).compactMap {
      context.pointee.programs[$0].map(Program.init)
    }
    let chosen = try wantedProgram.map { text throws(CaptureError) in
      try programs.one(text, name: name)
    }
    let ranked = streams.compactMap { VideoRank($0, programs: programs) }.filter {
      chosen?.streams.contains($0.stream.pointee.index) ?? true
    }
    sizes = ranked.map(\.size)
    guard let best = try ranked.one(wanted, name: name) else {
      if let chosen {
        throw CaptureError(
          "the program \(chosen.words) of \(name) has no video", isUsageError: true)
      }
      return nil
    }
    video = best.stream
    let own = programs.filter { $0.streams.contains(best.stream.pointee.index) }
    // A playlist may offer the same video with low-quality and with high-quality audio.
    let program = chosen ?? own.max { $0.bitRate < $1.bitRate }
    isProgramGiven = chosen != nil
    self.programs = programs.contains { $0.isNamed } && chosen == nil ? programs.map(\.words) : []
    isOtherProgram = streams.indices.map { index in
      let number = Int32(index)
      return program.map { !$0.streams.contains(number) }
        ?? programs.contains { $0.streams.contains(number) }
    }
    let allAudio = streams.indices.filter {
      streams[$0].pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    let ownAudio = allAudio.filter { [isOtherProgram] in !isOtherProgram[$0] }
    // The sounds of a DASH stream belong to no video; those of one language are the same at several bit rates.
    isDASH = context.pointee.formatName == "dash"
    audio =
      isDASH
      ? StreamChoice.onePerLanguage(
        ownAudio.map { Int32($0) }, of: context, least: wanted == .worst)
      : ownAudio.map { Int32($0) }
    leavesAudioOut = audio.count < allAudio.count
    zero = StreamChoice.zero(
      context, used: programs.count < 2 ? nil : [best.stream.pointee.index] + audio)
  }

  /// The audio stream with the highest bit rate of each language, or with the lowest.
  private static func onePerLanguage(
    _ indexes: [Int32], of context: UnsafeMutablePointer<AVFormatContext>, least: Bool
  ) -> [Int32] {
    let audio = indexes.compactMap { index in
      context.pointee.streams[Int(index)].map { stream in
        (
          index: index, language: tag("language", in: stream.pointee.metadata) ?? "",
          rate: tag("variant_bitrate", in: stream.pointee.metadata).flatMap(Int64.init)
            ?? stream.pointee.codecpar.pointee.bit_rate
        )
      }
    }
    return Dictionary(grouping: audio, by: \.language).values.compactMap { same in
      least
        ? same.min { ($0.rate, $0.index) < ($1.rate, $1.index) }?.index
        : same.max { ($0.rate, -$0.index) < ($1.rate, -$1.index) }?.index
    }.sorted()
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
    if sizes.count > 1 {
      let all = zip(1..., sizes).map { "\($0) is \($1)" }.joined(separator: ", ")
      return "\(name) has \(sizes.count) video streams (\(all)); "
        + "\(parameters.pointee.width)x\(parameters.pointee.height) is used\(audio); "
        + (programs.count > 1
          ? "--program chooses another of its programs (\(programs.joined(separator: ", ")))"
          : "--variant chooses another")
    }
    guard leavesAudioOut, !isProgramGiven else { return nil }
    return isDASH
      ? "\(name) has its sound at several bit rates; one of each language is used"
      : "\(name) has several programs; the one with video is used\(audio)"
  }
}

/// The streams of one program.
private struct Program {
  let streams: [Int32]
  /// Its number in the stream, and its name if it has one.
  let number: Int
  let name: String?
  /// The bit rate of an HLS variant according to its master playlist; else 0.
  let bitRate: Int64

  init(_ program: UnsafeMutablePointer<AVProgram>) {
    streams = (0..<Int(program.pointee.nb_stream_indexes)).map {
      Int32(program.pointee.stream_index[$0])
    }
    bitRate =
      tag("variant_bitrate", in: program.pointee.metadata).flatMap(Int64.init) ?? 0
    number = Int(program.pointee.id)
    name = tag("service_name", in: program.pointee.metadata)
  }

  /// Whether it is one of a transport stream, and not a variant of a playlist.
  var isNamed: Bool { name != nil }

  /// Its number, and its name in quotes, on one line.
  var words: String {
    "\(number)"
      + (name.map { name in
        " \"\(name.split(whereSeparator: \.isNewline).joined(separator: "\\x0a"))\""
      } ?? "")
  }
}

extension [Program] {
  /// Finds the program with this number, or the one whose name contains the text; the error lists the programs.
  fileprivate func one(_ text: String, name: String) throws(CaptureError) -> Program {
    guard !isEmpty else {
      throw CaptureError("\(name) has no programs; leave out --program", isUsageError: true)
    }
    if let number = Int(text), let program = first(where: { $0.number == number }) {
      return program
    }
    let named = filter { $0.name?.lowercased().contains(text.lowercased()) ?? false }
    let exact = named.filter { $0.name == text }
    if let program = exact.count == 1 ? exact.first : named.count == 1 ? named.first : nil {
      return program
    }
    throw CaptureError(
      "\(text) is \(named.isEmpty ? "no program" : "part of the name of several programs") of \(name); "
        + "--program takes one of " + map(\.words).joined(separator: ", "), isUsageError: true)
  }
}

/// Ranks a video stream.
///
/// Streams that can be decoded and have more than one image come first, then the larger size, then the
/// higher bit rate, then the lower stream index.
private struct VideoRank: Comparable {
  let stream: UnsafeMutablePointer<AVStream>
  let width: Int
  /// "1280x720".
  let size: String
  /// Whether it can be decoded and is more than one image.
  let isFilm: Bool
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
    width = Int(parameters.pointee.width)
    size = "\(parameters.pointee.width)x\(parameters.pointee.height)"
    isFilm = isDecodable && stream.pointee.nb_frames != 1
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

extension [VideoRank] {
  /// The wanted one; nil if there is none at all.
  fileprivate func one(_ wanted: VideoChoice, name: String) throws(CaptureError) -> VideoRank? {
    let films = filter(\.isFilm)
    switch wanted {
    case .best: return self.max()
    case .worst: return films.min() ?? self.max()
    case .width(let width):
      return films.filter { $0.width <= width }.max() ?? films.min() ?? self.max()
    case .number(let number):
      guard isEmpty || indices.contains(number - 1) else {
        throw CaptureError(
          "\(name) has \(count == 1 ? "1 video stream" : "\(count) video streams"), and "
            + "--variant asks for number \(number)", isUsageError: true)
      }
      return isEmpty ? nil : self[number - 1]
    }
  }
}
