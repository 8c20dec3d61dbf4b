import CFFmpeg

/// A file format for video, and the FFmpeg muxer that writes it.
public struct Container: Sendable {
  /// How a file is built, which decides its time base and how its frames are counted.
  enum Structure: Sendable {
    /// MOV and related formats: sample tables at the end, and a time scale that the file chooses.
    case movie
    /// Matroska and WebM.
    case matroska
    /// Frames as they are, one after the other; with `header`, each after a line of text.
    case plain(header: Bool)
    /// Packets of a live stream, which nobody counts afterwards.
    case packets
    /// An image format with several images.
    case animation(AnimationFormat)
  }

  /// The name as typed after `--container`.
  public let name: String
  /// File extensions without the dot; the first is the usual one.
  let extensions: [String]
  /// FFmpeg's short name of the muxer.
  let muxer: String
  let structure: Structure
  /// The container can store audio beside the video.
  public let holdsAudio: Bool
  /// FFmpeg's name of the encoder for it if none is asked for.
  let usualEncoder: String
  /// Codecs that the muxer's tables list, but that its code refuses or writes unreadably.
  private let refused: [AVCodecID]
  /// Codecs that the muxer's tables do not list, but that can be read back.
  private let unlisted: [AVCodecID]

  public static let mov = Container(
    name: "mov", muxer: "mov", structure: .movie, holdsAudio: true,
    // movenc.c, `mov_init`: "only supported in MP4", and nothing for VP8. Raw frames have no name
    // that shows their layout.
    refused: [
      AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_OPUS,
      AV_CODEC_ID_FLAC,
    ],
    unlisted: [AV_CODEC_ID_VORBIS])
  public static let mp4 = Container(
    name: "mp4", extensions: ["mp4", "m4v"], muxer: "mp4", structure: .movie, holdsAudio: true,
    // What not every version of FFmpeg writes: PCM, which it reads from 6.1 on alone, and FFV1.
    refused: [
      AV_CODEC_ID_TRUEHD, AV_CODEC_ID_FFV1, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE,
      AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE, AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE,
      AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE, AV_CODEC_ID_PCM_F64LE, AV_CODEC_ID_PCM_F64BE,
    ])
  public static let mkv = Container(
    name: "mkv", muxer: "matroska", structure: .matroska, holdsAudio: true,
    // RealVideo can only be read. TTA's number of samples, which its last packet depends on, is
    // computed from the file's duration (matroskadec.c), which the video determines.
    refused: [AV_CODEC_ID_RV10, AV_CODEC_ID_RV20, AV_CODEC_ID_TTA])
  /// Matroska for browsers: VP8, VP9 or AV1, with Opus or Vorbis.
  public static let webm = Container(
    name: "webm", muxer: "webm", structure: .matroska, holdsAudio: true,
    usualEncoder: "libvpx-vp9")
  /// Uncompressed frames after a line of text, as mjpegtools and most encoders read them.
  public static let y4m = Container(
    name: "y4m", muxer: "yuv4mpegpipe", structure: .plain(header: true))
  /// Uncompressed frames and nothing else: whoever reads them must know their size and layout.
  public static let rawVideo = Container(
    name: "rawvideo", extensions: ["yuv"], muxer: "rawvideo", structure: .plain(header: false))

  /// Animations have outputs of their own, which use libavformat's muxers.
  static let gif = Container(animation: .gif)
  static let apng = Container(animation: .apng)

  /// Stands for an output that holds nothing but one video stream and its audio.
  static let none = Container(name: "none", extensions: [], muxer: "none", structure: .packets)

  /// All containers, in the order in which messages list them.
  public static let all = [mov, mp4, mkv, webm, y4m, rawVideo]

  public init?(named name: String) {
    let name = name.lowercased()
    guard
      let found = Container.all.first(where: { $0.name == name || $0.extensions.contains(name) })
    else { return nil }
    self = found
  }

  init(
    name: String, extensions: [String]? = nil, muxer: String, structure: Structure,
    holdsAudio: Bool = false, usualEncoder: String = "libx264", refused: [AVCodecID] = [],
    unlisted: [AVCodecID] = []
  ) {
    self.name = name
    self.extensions = extensions ?? [name]
    self.muxer = muxer
    self.structure = structure
    self.holdsAudio = holdsAudio
    self.usualEncoder = usualEncoder
    self.refused = refused
    self.unlisted = unlisted
  }

  private init(animation: AnimationFormat) {
    self.init(
      name: animation.rawValue, muxer: animation.rawValue, structure: .animation(animation),
      usualEncoder: animation.encoder)
  }

  var isMovieFamily: Bool { if case .movie = structure { true } else { false } }

  var isMatroska: Bool { if case .matroska = structure { true } else { false } }

  /// The frames are stored uncompressed.
  var isUncompressed: Bool { if case .plain = structure { true } else { false } }

  /// A file says what its frames are.
  var describesFrames: Bool {
    if case .plain(header: false) = structure { false } else { true }
  }

  /// The image format whose file it is; nil for a movie.
  var animation: AnimationFormat? {
    if case .animation(let format) = structure { format } else { nil }
  }

  /// Its usual encoder takes frames with alpha, and it keeps the alpha.
  var holdsAlphaByDefault: Bool { usualEncoder != "libx264" && !isUncompressed }

  /// The usual extension without its dot.
  public var usualExtension: String { extensions.first ?? name }

  /// The usual extension with its dot.
  var ending: String { "." + usualExtension }

  /// FFmpeg's description of the muxer; nil if this FFmpeg was built without it.
  var outputFormat: UnsafePointer<AVOutputFormat>? { av_guess_format(muxer, nil, nil) }

  /// Parameter sets must be in the header, not in the frames.
  var wantsGlobalHeader: Bool { (outputFormat?.pointee.flags ?? 0) & AVFMT_GLOBALHEADER != 0 }

  /// Whether the container takes packets of the codec.
  func takes(_ codec: AVCodecID) -> Bool { !refused.contains(codec) && names(codec) }

  /// Whether the format has a name for the codec that its readers know.
  func names(_ codec: AVCodecID) -> Bool {
    outputFormat.map { avformat_query_codec($0, codec, FF_COMPLIANCE_NORMAL) == 1 } ?? false
  }

  /// Whether it is worth trying to store copied audio of the codec.
  ///
  /// MOV's muxer also writes WAV's codecs under the names that they have in WAV, without what their
  /// decoders need (movenc.c, `mov_write_audio_tag`). Matroska can store all of WAV's codecs.
  func mayHold(audio codec: AVCodecID) -> Bool {
    takes(codec) || unlisted.contains(codec) || isMatroska && !refused.contains(codec)
  }

  /// Whether the alpha of a codec's frames is stored: VP8 and VP9 leave it to the container, which only Matroska and
  /// WebM have a place for.
  func holdsAlpha(of codec: AVCodecID) -> Bool {
    isMatroska || ![AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(codec)
  }

  /// The name for messages: "MOV".
  var title: String {
    switch name {
    case Container.webm.name: "WebM"
    case Container.rawVideo.name: "raw video"
    default: name.uppercased()
    }
  }
}
