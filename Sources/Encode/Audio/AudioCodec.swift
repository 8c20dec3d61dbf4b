import CFFmpeg
package import FFmpegHandles
import Frames

/// A kind of encoded audio, and FFmpeg's encoder that makes it.
public struct AudioCodec: Sendable, Equatable {
  /// The name as typed after `--audio-codec`.
  public let name: String
  /// The name in messages.
  let title: String
  let encoder: String
  let id: AVCodecID
  /// Usual bits per second of each channel; nil for a codec that has no bit rate to choose.
  let bitsPerChannel: Int64?
  /// The speakers of each layout that a container stores with it; nil if that depends on the codec alone.
  private var storedLayouts: [UInt64]?

  /// All of them, in the order in which a container's usual one is looked for.
  public static let all = [
    // Enough that the loss is not audible.
    AudioCodec("aac", "AAC", "aac", AV_CODEC_ID_AAC, 96_000),
    AudioCodec("opus", "Opus", "libopus", AV_CODEC_ID_OPUS, 64_000),
    AudioCodec("vorbis", "Vorbis", "libvorbis", AV_CODEC_ID_VORBIS, 80_000),
    AudioCodec("mp3", "MP3", "libmp3lame", AV_CODEC_ID_MP3, 96_000),
    AudioCodec("ac3", "AC-3", "ac3", AV_CODEC_ID_AC3, 96_000),
    AudioCodec("flac", "FLAC", "flac", AV_CODEC_ID_FLAC, nil),
    AudioCodec("alac", "ALAC", "alac", AV_CODEC_ID_ALAC, nil),
    AudioCodec("pcm", "16-bit PCM", "pcm_s16le", AV_CODEC_ID_PCM_S16LE, nil),
    AudioCodec("pcm24", "24-bit PCM", "pcm_s24le", AV_CODEC_ID_PCM_S24LE, nil),
    AudioCodec("pcmfloat", "float PCM", "pcm_f32le", AV_CODEC_ID_PCM_F32LE, nil),
  ]

  private init(
    _ name: String, _ title: String, _ encoder: String, _ id: AVCodecID, _ bitsPerChannel: Int64?
  ) {
    (self.name, self.title, self.encoder, self.id) = (name, title, encoder, id)
    self.bitsPerChannel = bitsPerChannel
  }

  /// FFmpeg's encoder; nil if this FFmpeg was built without it.
  var codec: UnsafePointer<AVCodec>? {
    avcodec_find_encoder_by_name(encoder).map { UnsafePointer($0) }
  }

  /// The speakers of each layout that FFmpeg's encoder writes and its decoder reads, where FFmpeg does not list them; nil
  /// if any is.
  var layouts: [UInt64]? {
    if let storedLayouts { return storedLayouts }
    return switch id {
    case AV_CODEC_ID_AAC: Self.commonLayouts + [0xb, 0x107, 0x103, 0x603, 0x6c3]
    // FFmpeg's Opus of 6.1 comes back with its back and side exchanged.
    case AV_CODEC_ID_OPUS: Self.commonLayouts
    case AV_CODEC_ID_VORBIS: Self.commonLayouts + [0x70f]
    default: nil
    }
  }

  func stored(in container: Container) -> AudioCodec {
    var codec = self
    codec.storedLayouts = AudioCodec.layouts(of: id, in: container)
    return codec
  }

  /// The layouts of a codec where the container stores the number of channels alone, and readers take one layout for each
  /// number; nil where it stores the speakers.
  static func layouts(of id: AVCodecID, in container: Container) -> [UInt64]? {
    if container.has(.countedFLAC), id == AV_CODEC_ID_FLAC { return commonLayouts + [0x70f] }
    // Matroska has no element for speakers; FFmpeg takes its own default for each number.
    let isPCM = String(cString: avcodec_get_name(id)).hasPrefix("pcm_")
    guard isPCM, !container.has(.speakersOfPCM) else { return nil }
    return (1...8).map { AudioFormat(rate: 48_000, channels: $0).layout.u.mask }
  }

  /// Mono, stereo, 3.0, quad, 5.0, 5.1 and 7.1, with the speakers that surround at the back.
  private static let commonLayouts: [UInt64] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x63f]

  /// Whether a bit rate can be chosen.
  public var hasBitrate: Bool { bitsPerChannel != nil }

  /// Whether a container stores what its encoder makes with a bit rate (nil: the usual one), so that a reader finds it.
  fileprivate func isHeld(by container: Container, bitrate: Int? = nil) throws(EncodeError) -> Bool
  {
    let trial = try AudioEncoder(
      AudioFormat(rate: 48_000, channels: 2), self, bitrate: bitrate, streamIndex: 0)
    return AudioFit.holds(trial.stream, container)
  }

  /// What a container usually holds; nil if it holds no audio.
  ///
  /// Audio of a lossless `origin` stays lossless where the container can; without a `format` its samples are those of the
  /// stream.
  static func usual(
    in container: Container, keeping origin: CompressedStream? = nil, of format: AudioFormat? = nil
  ) -> AudioCodec? {
    guard container.holdsAudio else { return nil }
    let held = all.filter { $0.codec != nil && container.takes($0.id) }
      .map { $0.stored(in: container) }
    guard let origin, let depth = origin.losslessDepth else { return held.first }
    let plain = depth.isFloat ? "pcmfloat" : depth == .bits(16) ? "pcm" : "pcm24"
    let names = origin.isPCM || depth.isFloat ? [plain, "flac", "alac"] : ["flac", "alac", plain]
    let layout =
      format ?? AudioFormat(rate: 48_000, layout: origin.parameters.pointee.ch_layout)
    return names.lazy.compactMap { name in held.first { $0.name == name } }
      .first { $0.keeps(layout) } ?? held.first
  }

  /// Whether the encoder keeps each channel of a layout, so that none is mixed with another one; a speaker at the side may
  /// become one at the back.
  func keeps(_ format: AudioFormat) -> Bool {
    guard let codec else { return false }
    let nearest = format.nearest(of: codec, self)
    return nearest.channels == format.channels && format.isHeld(by: nearest)
  }
}

/// How audio is encoded.
public struct AudioSettings: Sendable, Equatable {
  /// The codec; nil for what the container usually holds, where the audio cannot be copied.
  public var codec: AudioCodec?
  /// Whether the audio must be copied.
  public var isCopied = false
  /// Bits per second; nil for the codec's usual number.
  public var bitrate: Int?

  public init() {}

  /// Whether the audio is encoded even if it could be copied.
  var forcesEncoding: Bool { codec != nil || bitrate != nil }

  /// Whether audio is encoded instead of copied, because it was asked for or because one of the streams cannot be copied.
  func encodes(_ streams: [CompressedStream], holds: (CompressedStream) -> Bool) -> Bool {
    !isCopied && (forcesEncoding || !streams.allSatisfy(holds))
  }

  /// The codec for a container; throws a usage error if the container does not hold it, or it has no bit rate.
  func codec(
    for container: Container, output: String, keeping origin: CompressedStream? = nil,
    of format: AudioFormat? = nil
  ) throws(EncodeError) -> AudioCodec {
    let kept = bitrate == nil ? origin : nil
    guard
      let chosen = codec?.stored(in: container)
        ?? .usual(in: container, keeping: kept, of: format)
    else {
      throw EncodeError("\(container.title) holds no audio; leave it out with --no-audio")
    }
    guard bitrate == nil || chosen.hasBitrate else {
      throw EncodeError(
        "--audio-bitrate has no meaning for \(chosen.title), which is lossless; leave it out",
        isUsageError: true)
    }
    return chosen
  }

  /// Throws a usage error if a container does not hold the requested codec, before anything is read.
  func check(for container: Container) throws(EncodeError) {
    guard container.holdsAudio, !isCopied, forcesEncoding else { return }
    let chosen = try codec(for: container, output: container.title)
    guard codec != nil else { return }
    guard chosen.codec != nil else {
      throw EncodeError("this FFmpeg has no encoder for \(chosen.title)", isUsageError: true)
    }
    guard try !chosen.isHeld(by: container, bitrate: bitrate) else { return }
    let others = AudioCodec.all.filter {
      $0.codec != nil && (try? $0.isHeld(by: container)) == true
    }.map(\.name)
    throw EncodeError(
      "\(container.title) does not hold \(chosen.title) audio; give --audio-codec "
        + (others.isEmpty ? "copy" : others.joined(separator: ", ")), isUsageError: true)
  }
}

extension CompressedStream {
  /// What the numbers of a lossless stream are.
  enum SampleDepth: Equatable {
    case bits(Int)
    /// Of this many bits.
    case float(Int)

    var isFloat: Bool { if case .float = self { true } else { false } }

    /// How much a codec must hold so that nothing is lost.
    fileprivate var rank: Int {
      switch self {
      case .bits(let bits): bits
      case .float(let bits): bits + 1
      }
    }

    /// Whether samples of this depth hold all of those of another one.
    func holds(_ other: SampleDepth) -> Bool {
      switch (self, other) {
      case (.bits(let own), .bits(let bits)), (.float(let own), .float(let bits)): bits <= own
      case (.float(let own), .bits(let bits)): bits <= (own == 32 ? 24 : 53)
      case (.bits, .float): false
      }
    }

    var title: String {
      switch self {
      case .bits(let bits): "\(bits) bits"
      case .float(let bits): "floating-point numbers of \(bits) bits"
      }
    }
  }

  /// The lossless stream with the most bits, which needs most of an output in which several are joined or mixed; nil if all
  /// have lost something already.
  package static func mostExact(of streams: [CompressedStream]) -> CompressedStream? {
    let ranked = streams.compactMap { stream in stream.losslessDepth.map { (stream, $0.rank) } }
    return ranked.max { $0.1 < $1.1 }?.0
  }

  /// The samples are stored as they are.
  var isPCM: Bool { codecName.hasPrefix("pcm_") }

  /// The bits of each sample, 16, 24 or 32, or floating point; nil for a codec that loses something.
  var losslessDepth: SampleDepth? {
    let id = parameters.pointee.codec_id
    let properties = avcodec_descriptor_get(id)?.pointee.props ?? 0
    guard properties & AV_CODEC_PROP_LOSSLESS != 0,
      properties & AV_CODEC_PROP_LOSSY == 0 || id == AV_CODEC_ID_WAVPACK
    else { return nil }
    let samples = av_get_packed_sample_fmt(AVSampleFormat(parameters.pointee.format))
    if samples == AV_SAMPLE_FMT_FLT { return .float(32) }
    if samples == AV_SAMPLE_FMT_DBL { return .float(64) }
    let stored = Int(av_get_bits_per_sample(id))
    let said = Int(parameters.pointee.bits_per_raw_sample)
    let bits = said > 0 ? said : stored > 0 ? stored : 24
    return .bits(bits <= 16 ? 16 : bits <= 24 ? 24 : 32)
  }
}
