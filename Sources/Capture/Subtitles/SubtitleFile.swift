import CFFmpeg
public import FFmpegHandles
public import Frames
import Glibc

/// The texts of a file of subtitles: SubRip, ASS, SSA or WebVTT.
///
/// The whole file is read when it is opened.
public struct SubtitleFile: Sendable {
  /// What a muxer must know of the texts.
  public let stream: CompressedStream
  /// The texts in the order of their times, which count from zero.
  public let packets: [CompressedPacket]
  private let name: String

  /// FFmpeg's names of the formats that are read; none of them names another file.
  private static let formats = "srt,ass,webvtt"
  /// Largest size of a file in bytes.
  private static let largest = 8 << 20
  /// libass compares each line with every other one that is shown: 300,000 of them take minutes for a frame.
  private static let mostAtOnce = 10_000

  /// Reads a file; the language has three letters of ISO 639-2.
  public init(_ path: String, language: String? = nil) throws(CaptureError) {
    name = path
    try Self.check(path)
    do throws(FFmpegError) {
      let input = try Self.open(path)
      guard let found = input.pointer.pointee.streams?[0] else { throw Self.unknown }
      if let language { av_dict_set(&found.pointee.metadata, "language", language, 0) }
      stream = try CompressedStream(found)
      packets = try Self.read(input, timeBase: stream.timeBase)
    } catch {
      throw CaptureError(
        "\(path) is no file of subtitles that kfrec knows: it reads SubRip (.srt), ASS and SSA, and WebVTT (.vtt)"
      )
    }
    guard !packets.isEmpty else {
      throw CaptureError("\(path) has no subtitles in it; give another file")
    }
  }

  private static let unknown = FFmpegError(
    call: "avformat_open_input", subject: "subtitles", code: kf_averror_invaliddata())

  private static func open(_ path: String) throws(FFmpegError) -> AVInputHandle {
    var options: OpaquePointer?
    av_dict_set(&options, "format_whitelist", formats, 0)
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    defer { av_dict_free(&options) }
    var context: UnsafeMutablePointer<AVFormatContext>?
    try FFmpegHandles.check(
      avformat_open_input(&context, "file:" + path, nil, &options), "avformat_open_input", path)
    guard let context else { throw unknown }
    let input = AVInputHandle(owning: context)
    guard context.pointee.nb_streams == 1 else { throw unknown }
    return input
  }

  private static func read(
    _ input: borrowing AVInputHandle, timeBase: Rational
  ) throws(FFmpegError) -> [CompressedPacket] {
    var packets: [CompressedPacket] = []
    let packet = try AVPacketHandle()
    while av_read_frame(input.pointer, packet.pointer) >= 0 {
      let data = packet.pointer.pointee
      // Ten thousand days: a time behind it is a damaged one.
      let last = Rational(864_000_000)
      let time = Rational(data.pts) * timeBase
      guard data.pts != kf_av_nopts_value(), time < last, data.duration > 0 else {
        packet.clear()
        continue
      }
      packets.append(
        try CompressedPacket(
          moving: packet.pointer, streamIndex: 0, time: time,
          duration: min(Rational(data.duration) * timeBase, last)))
    }
    return packets
  }

  /// Throws if the bytes cannot be read, or are no text that FFmpeg takes as it is.
  private static func check(_ path: String) throws(CaptureError) {
    // The wait for the writer of a pipe could not be interrupted.
    if try FileProblems.check(path) == .pipe {
      throw CaptureError("\(path) is a pipe; give the subtitles as a file", isUsageError: true)
    }
    let bytes = try bytes(of: path)
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return try checkUTF16(bytes, path)
    }
    guard !bytes.contains(0) else {
      throw CaptureError("\(path) is no text; give a file of subtitles, such as words.srt")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CaptureError(
        "\(path) is not in UTF-8: convert it from the encoding that it has, such as with "
          + "'iconv -f WINDOWS-1252 -t UTF-8', and give that file")
    }
  }

  /// Throws if bytes with the mark of UTF-16 are none, where FFmpeg would end at the first mistake, or none that it reads.
  private static func checkUTF16(_ bytes: [UInt8], _ path: String) throws(CaptureError) {
    let isLittle = bytes[0] == 0xFF
    let codes = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[$0 + (isLittle ? 0 : 1)])
    }
    guard let text = String(validating: codes, as: UTF16.self), bytes.count % 2 == 0 else {
      throw CaptureError(
        "\(path) has the mark of UTF-16, and is not in UTF-16; give a file in UTF-8")
    }
    guard !text.hasPrefix("WEBVTT") else {
      throw CaptureError(
        "\(path) is in UTF-16, which FFmpeg does not read of WebVTT: convert it, such as with "
          + "'iconv -f UTF-16 -t UTF-8', and give that file")
    }
  }

  private static func bytes(of path: String) throws(CaptureError) -> [UInt8] {
    guard let file = fopen(path, "rbe") else {
      throw CaptureError("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
      bytes += part[..<count]
      guard bytes.count <= largest else {
        throw CaptureError("\(path) has more than 8 MiB, and no file of subtitles is as large")
      }
    }
    return bytes
  }
}

extension SubtitleFile {
  /// Decodes the texts to what libass draws.
  public func script() throws(CaptureError) -> SubtitleScript {
    let script: SubtitleScript
    do throws(FFmpegError) {
      script = try decoded()
    } catch {
      throw CaptureError("the subtitles of \(name) cannot be decoded: \(error)")
    }
    let most = script.mostAtOnce
    guard most <= Self.mostAtOnce else {
      throw CaptureError(
        "\(name) shows \(most) subtitles at the same time, and the limit is \(Self.mostAtOnce); check its times"
      )
    }
    return script
  }

  private func decoded() throws(FFmpegError) -> SubtitleScript {
    let codec = stream.parameters.pointee.codec_id
    guard let decoding = avcodec_find_decoder(codec) else { throw Self.unknown }
    let decoder = try AVCodecContextHandle(codec: decoding)
    try FFmpegHandles.check(
      avcodec_parameters_to_context(decoder.pointer, stream.parameters),
      "avcodec_parameters_to_context", name)
    decoder.pointer.pointee.pkt_timebase = AVRational(stream.timeBase)
    try FFmpegHandles.check(avcodec_open2(decoder.pointer, decoding, nil), "avcodec_open2", name)
    let packet = try AVPacketHandle()
    var lines: [SubtitleScript.Line] = []
    for coded in packets {
      packet.clear()
      try coded.reference(from: packet.pointer)
      var text = AVSubtitle()
      var isFound: Int32 = 0
      // A line that is damaged is left out, as players do it.
      guard avcodec_decode_subtitle2(decoder.pointer, &text, &isFound, packet.pointer) >= 0,
        isFound != 0
      else { continue }
      defer { avsubtitle_free(&text) }
      let milliseconds = { (time: Rational) in (time * Rational(1000)).floor }
      for number in 0..<Int(text.num_rects) {
        guard let line = text.rects[number]?.pointee.ass else { continue }
        lines.append(
          SubtitleScript.Line(
            text: String(cString: line), start: milliseconds(coded.time),
            duration: milliseconds(coded.duration)))
      }
    }
    let header = UnsafeBufferPointer(
      start: decoder.pointer.pointee.subtitle_header,
      count: max(Int(decoder.pointer.pointee.subtitle_header_size), 0))
    return SubtitleScript(
      header: String(decoding: header.prefix { $0 != 0 }, as: UTF8.self), lines: lines,
      hasStyles: codec == AV_CODEC_ID_ASS)
  }
}
