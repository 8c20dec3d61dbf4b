import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Whether copied audio can be played from a file of a container.
///
/// FFmpeg cannot tell this in advance: its tables (`avformat_query_codec`) list audio that its
/// muxers refuse and omit audio that they take, and a muxer may write what no reader understands,
/// such as ADPCM without its block size. So a header with only this stream is written to memory and
/// read back.
enum AudioFit {
  /// Throws a sentence with the remedy if the container cannot store the stream.
  static func check(
    _ stream: CompressedStream, fits container: Container, output: String
  ) throws(EncodeError) {
    guard stream.parameters.pointee.codec_id != AV_CODEC_ID_NONE else {
      throw EncodeError(
        "\(output): the audio of the input has a codec that this FFmpeg does not know"
          + "\(stream.tagName.map { " (\($0))" } ?? ""): leave out the audio with --no-audio")
    }
    if holds(stream, container) { return }
    let others = Container.all.filter { $0.holdsAudio && holds(stream, $0) }
    let remedy =
      others.isEmpty ? "" : "write .\(others.map(\.name).joined(separator: " or .")), or "
    throw EncodeError(
      "\(output): \(container.title) does not hold \(stream.codecName) audio: "
        + remedy + "leave out the audio with --no-audio")
  }

  /// Returns a warning about audio that the container can store, as a sentence.
  static func warning(
    _ stream: CompressedStream, in container: Container, output: String
  ) -> String? {
    if isUndecodable(stream.parameters) {
      return "\(output): FFmpeg cannot decode the \(stream.codecName) audio of the input, whose "
        + "header is damaged or missing: the audio is copied unchanged; leave out the audio with --no-audio"
    }
    if !keepsSpeakers(of: stream, container) {
      let format = AudioFormat(rate: 48_000, layout: stream.parameters.pointee.ch_layout)
      return
        "\(output): \(container.title) does not store which speakers \(stream.codecName) audio is for, and readers "
        + "take others than those of \(format.layoutName): write .mov"
    }
    guard container.has(.fourCharacterCodes), !container.names(stream.parameters.pointee.codec_id)
    else {
      return nil
    }
    return "\(output): \(container.title) has no name for \(stream.codecName) audio, so it is "
      + "stored under a name that only FFmpeg uses and other players do not play it: write .mkv for "
      + "other players"
  }

  /// Whether the linked FFmpeg has a decoder for the codec that does not take the stream.
  private static func isUndecodable(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
    avcodec_find_decoder(parameters.pointee.codec_id) != nil
      && !AudioCodecHeader.canDecode(parameters)
  }

  /// Whether the container can store the stream so that a reader finds the same audio.
  static func holds(_ stream: CompressedStream, _ container: Container) -> Bool {
    guard container.mayHold(audio: stream.parameters.pointee.codec_id),
      // No other codec keeps floating-point samples.
      stream.losslessDepth?.isFloat == true || keepsSpeakers(of: stream, container)
    else { return false }
    if let header = header(of: stream, container, movieFlags: "empty_moov") {
      return header.holds(stream)
    }
    // The muxer needs a packet of some codecs before it writes a header (AC-3); these are common
    // enough to accept without reading back.
    return container.has(.fragments) && header(of: stream, container, movieFlags: nil) != nil
  }

  /// Whether a reader finds which speakers the channels are for.
  private static func keepsSpeakers(of stream: CompressedStream, _ container: Container) -> Bool {
    let parameters = stream.parameters.pointee
    guard parameters.ch_layout.order == AV_CHANNEL_ORDER_NATIVE,
      let stored = AudioCodec.layouts(of: parameters.codec_id, in: container)
    else { return true }
    let format = AudioFormat(rate: 48_000, layout: parameters.ch_layout)
    return stored.contains {
      format.hasSameOrder(
        as: AudioFormat(rate: 48_000, channels: $0.nonzeroBitCount, speakers: $0))
    }
  }

  /// Returns what a muxer writes before the first packet; nil if it refuses the stream.
  private static func header(
    of stream: CompressedStream, _ container: Container, movieFlags: String?
  ) -> AudioCodecHeader? {
    var context: UnsafeMutablePointer<AVFormatContext>?
    guard let demuxer = container.demuxer,
      avformat_alloc_output_context2(&context, nil, container.muxer, nil) >= 0, let context
    else { return nil }
    defer { avformat_free_context(context) }
    guard avio_open_dyn_buf(&context.pointee.pb) >= 0 else { return nil }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if container.has(.fragments), let movieFlags {
      av_dict_set(&options, "movflags", movieFlags, 0)
    }
    context.pointee.allowFLAC(of: [stream])
    let added = avformat_new_stream(context, nil)
    let isWritten =
      added.map {
        AudioTrack.describe(
          stream, to: $0, in: context, container, timeBase: AudioTrack.timeBase(of: stream))
      } == true
      && avformat_write_header(context, &options) >= 0
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = avio_close_dyn_buf(context.pointee.pb, &bytes)
    context.pointee.pb = nil
    defer { av_free(bytes) }
    guard isWritten, let bytes else { return nil }
    let header = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    return AudioCodecHeader(
      container.has(.clusters) ? header + AudioCodecHeader.cluster : header, demuxer: demuxer)
  }
}

/// A container's header with one audio stream, in memory.
private final class AudioCodecHeader {
  private let bytes: [UInt8]
  private let demuxer: String
  private var position = 0

  /// The head of a cluster of unknown size, which Matroska's reader must find before it accepts a
  /// header.
  static let cluster: [UInt8] =
    [0x1f, 0x43, 0xb6, 0x75, 0x01] + [UInt8](repeating: 0xff, count: 7)

  init(_ bytes: [UInt8], demuxer: String) { (self.bytes, self.demuxer) = (bytes, demuxer) }

  /// Whether a reader finds the stream's codec here, and all that its decoder needs.
  func holds(_ stream: CompressedStream) -> Bool {
    guard
      let handle = try? AVIOContextHandle(
        bufferSize: 4096,
        read: { opaque, bytes, count in
          guard let opaque, let bytes else { return kf_averror(EINVAL) }
          return Unmanaged<AudioCodecHeader>.fromOpaque(opaque).takeUnretainedValue()
            .read(bytes, Int(count))
        },
        seek: { opaque, offset, whence in
          guard let opaque else { return Int64(kf_averror(EINVAL)) }
          return Unmanaged<AudioCodecHeader>.fromOpaque(opaque).takeUnretainedValue()
            .seek(Int(offset), whence)
        }, subject: "a header")
    else { return false }
    handle.pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    guard let context = avformat_alloc_context() else { return false }
    context.pointee.pb = handle.pointer
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    // On failure FFmpeg frees the context.
    guard avformat_open_input(&opened, nil, av_find_input_format(demuxer), nil) >= 0, let opened
    else { return false }
    let input = AVInputHandle(owning: opened)
    guard input.pointer.pointee.nb_streams == 1,
      let found = input.pointer.pointee.streams[0]?.pointee.codecpar
    else { return false }
    return AudioCodecHeader.isSame(found.pointee.codec_id, stream.parameters.pointee.codec_id)
      && (!AudioCodecHeader.canDecode(stream.parameters) || AudioCodecHeader.canDecode(found))
  }

  /// MP4 and the decoder treat the layers of MPEG audio as one codec.
  private static func isSame(_ a: AVCodecID, _ b: AVCodecID) -> Bool {
    let layers = [AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3]
    return a == b || layers.contains(a) && layers.contains(b)
  }

  static func canDecode(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id),
      let context = try? AVCodecContextHandle(codec: codec),
      avcodec_parameters_to_context(context.pointer, parameters) >= 0
    else { return false }
    context.pointer.pointee.thread_count = 1
    return avcodec_open2(context.pointer, codec, nil) >= 0
  }

  private func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    let part = bytes[position...].prefix(count)
    guard !part.isEmpty else { return kf_averror_eof() }
    for (index, byte) in part.enumerated() { target[index] = byte }
    position += part.count
    return Int32(part.count)
  }

  private func seek(_ offset: Int, _ whence: Int32) -> Int64 {
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(bytes.count)
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = bytes.count + offset
    default: return Int64(kf_averror(EINVAL))
    }
    position = min(max(position, 0), bytes.count)
    return Int64(position)
  }
}
