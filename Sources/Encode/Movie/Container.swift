import CFFmpeg

/// A file format for video, and the FFmpeg muxer that writes it.
///
/// Nobody asks which container it is: what differs is a trait, and a new container is one more row.
public struct Container: Sendable {
  /// How frames are counted in a finished file.
  enum Structure: Sendable {
    /// MOV and related formats: sample tables.
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

  /// One thing that some containers do and others do not.
  enum Trait: Sendable {
    /// Audio before the first frame is decoded, and not heard.
    case editLists
    /// The file can be written in fragments, each of which can be played when it is whole.
    case fragments
    /// The file consists of clusters, each of which can be played when it is whole.
    case clusters
    /// The file chooses the units of its times.
    case timeScale
    /// Codecs have names of four characters, of which players know those of the muxer's tables.
    case fourCharacterCodes
    /// H.264 and MPEG-4 keep their field order only if the fields are coded as fields.
    case codecFieldOrder
    /// A colour's range is stated only if the codec's own header does it: a MOV's `nclc` has none, unlike MP4's `nclx`.
    case noRange
    /// The siting of chroma is stated for every codec.
    case chromaSiting
    /// There is a place for the alpha that VP8 and VP9 leave to the container.
    case alphaPlane
    /// All of WAV's codecs are stored, with what their decoders need.
    case waveCodecs
    /// Nearly every stream is taken, so that no other container takes more.
    case anyStream
    /// The muxer counts the samples of PCM from the first packet's time on, and takes no other time.
    case countedPCM
    /// The speakers of PCM are stored.
    case speakersOfPCM
    /// FLAC has its STREAMINFO, which counts channels (RFC 9639, 9.1.3), without the comment that names others.
    case countedFLAC
    /// What a reader subtracts from the times of Opus is stored, and older muxers do not add it.
    case codecDelay
    /// Subtitles are text of the container's own kind; the bitmaps of DVDs are shown by no player.
    case ownText
    /// Chapters are written last, where the muxer can go back.
    case chaptersAtEnd
    /// Players show the name of a track's handler as its title.
    case handlerNames
    /// Covers are streams with one packet, and not attachments.
    case coverStreams
    /// Covers are stored if they are images of the usual codecs.
    case covers
    /// Attached files are stored, and covers of any codec.
    case attachments
    /// Side data of the video is stored, such as the form of a 360-degree picture.
    case sideData
    /// A list of languages, with one of the two codes that ISO 639-2 has for some of them.
    case listedLanguages
    /// The muxer takes frames themselves, which are not copied, and only YCbCr in three planes.
    case wrappedFrames
  }

  /// The name as typed after `--container`.
  public let name: String
  /// The name for messages: "MOV".
  let title: String
  /// File extensions without the dot; the first is the usual one.
  let extensions: [String]
  /// FFmpeg's short name of the muxer.
  let muxer: String
  /// FFmpeg's short name of the demuxer that reads copied audio back; nil if there is none to copy.
  let demuxer: String?
  let structure: Structure
  private let traits: Set<Trait>
  /// The purposes of tracks that it stores.
  let keptDispositions: Int32
  /// A container of another kind, for messages.
  let other: String
  /// The container can store audio beside the video.
  public let holdsAudio: Bool
  /// FFmpeg's name of the encoder for it if none is asked for.
  let usualEncoder: String
  /// Codecs that the muxer's tables list, but that its code refuses or writes unreadably.
  private let refused: [AVCodecID]
  /// Codecs that the muxer's tables do not list, but that can be read back.
  private let unlisted: [AVCodecID]

  public static let mov = Container(
    movie: "mov", traits: [.noRange, .listedLanguages],
    // movenc.c, `mov_init`: "only supported in MP4", and nothing for VP8. Raw frames have no name
    // that shows their layout.
    refused: [
      AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_OPUS,
      AV_CODEC_ID_FLAC,
    ],
    unlisted: [AV_CODEC_ID_VORBIS])
  public static let mp4 = Container(
    movie: "mp4", extensions: ["mp4", "m4v"], traits: [.covers, .sideData],
    keptDispositions: AV_DISPOSITION_DUB | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT
      | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_FORCED,
    // What not every version of FFmpeg writes: PCM, which it reads from 6.1 on alone, and FFV1.
    refused: [
      AV_CODEC_ID_TRUEHD, AV_CODEC_ID_FFV1, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE,
      AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE, AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE,
      AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE, AV_CODEC_ID_PCM_F64LE, AV_CODEC_ID_PCM_F64BE,
    ])
  /// The segments of HLS.
  static let hls = Container(movie: "hls", extensions: [])
  public static let mkv = Container(
    name: "mkv", muxer: "matroska", demuxer: "matroska", structure: .matroska,
    traits: matroska.union([.attachments, .sideData]), holdsAudio: true,
    // RealVideo can only be read. TTA's number of samples, which its last packet depends on, is
    // computed from the file's duration (matroskadec.c), which the video determines.
    refused: [AV_CODEC_ID_RV10, AV_CODEC_ID_RV20, AV_CODEC_ID_TTA])
  /// Matroska for browsers, with fewer elements: VP8, VP9 or AV1, with Opus or Vorbis.
  public static let webm = Container(
    name: "webm", title: "WebM", muxer: "webm", demuxer: "matroska", structure: .matroska,
    traits: matroska, holdsAudio: true, usualEncoder: "libvpx-vp9")
  /// Uncompressed frames after a line of text, as mjpegtools and most encoders read them.
  public static let y4m = Container(
    name: "y4m", muxer: "yuv4mpegpipe", structure: .plain(header: true), traits: [.wrappedFrames])
  /// Uncompressed frames and nothing else: whoever reads them must know their size and layout.
  public static let rawVideo = Container(
    name: "rawvideo", title: "raw video", extensions: ["yuv"], muxer: "rawvideo",
    structure: .plain(header: false))
  static let flv = Container(name: "flv", extensions: [], muxer: "flv", holdsAudio: true)
  static let transportStream = Container(
    name: "mpegts", extensions: [], muxer: "mpegts", holdsAudio: true)

  /// Animations have outputs of their own, which use libavformat's muxers.
  static let gif = Container(animation: .gif)
  static let apng = Container(animation: .apng)

  /// Stands for an output that holds nothing but one video stream and its audio.
  static let none = Container(name: "none", extensions: [], muxer: "none")

  /// All containers, in the order in which messages list them.
  public static let all = [mov, mp4, mkv, webm, y4m, rawVideo]

  private static let matroska: Set<Trait> = [
    .clusters, .chromaSiting, .alphaPlane, .waveCodecs, .anyStream, .codecDelay,
  ]

  public init?(named name: String) {
    let name = name.lowercased()
    guard
      let found = Container.all.first(where: { $0.name == name || $0.extensions.contains(name) })
    else { return nil }
    self = found
  }

  private init(
    name: String, title: String? = nil, extensions: [String]? = nil, muxer: String,
    demuxer: String? = nil, structure: Structure = .packets, traits: Set<Trait> = [],
    keptDispositions: Int32 = AV_DISPOSITION_FORCED | AV_DISPOSITION_ORIGINAL
      | AV_DISPOSITION_COMMENT | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED
      | AV_DISPOSITION_DESCRIPTIONS,
    other: String = "mov", holdsAudio: Bool = false, usualEncoder: String = "libx264",
    refused: [AVCodecID] = [], unlisted: [AVCodecID] = []
  ) {
    (self.name, self.title) = (name, title ?? name.uppercased())
    self.extensions = extensions ?? [name]
    (self.muxer, self.demuxer, self.structure) = (muxer, demuxer, structure)
    (self.traits, self.keptDispositions, self.other) = (traits, keptDispositions, other)
    (self.holdsAudio, self.usualEncoder) = (holdsAudio, usualEncoder)
    (self.refused, self.unlisted) = (refused, unlisted)
  }

  /// QuickTime's MOV, and what was made of it.
  private init(
    movie name: String, extensions: [String]? = nil, traits: Set<Trait> = [],
    keptDispositions: Int32 = 0, refused: [AVCodecID] = [], unlisted: [AVCodecID] = []
  ) {
    self.init(
      name: name, extensions: extensions, muxer: name, demuxer: "mov", structure: .movie,
      traits: traits.union([
        .editLists, .fragments, .timeScale, .fourCharacterCodes, .codecFieldOrder, .countedPCM,
        .speakersOfPCM, .countedFLAC, .ownText, .chaptersAtEnd, .handlerNames, .coverStreams,
      ]),
      keptDispositions: keptDispositions, other: "mkv", holdsAudio: true, refused: refused,
      unlisted: unlisted)
  }

  private init(animation: AnimationFormat) {
    self.init(
      name: animation.rawValue, muxer: animation.rawValue, structure: .animation(animation),
      usualEncoder: animation.encoder)
  }

  func has(_ trait: Trait) -> Bool { traits.contains(trait) }

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

  func takes(_ codec: AVCodecID) -> Bool { !refused.contains(codec) && names(codec) }

  /// Whether the format has a name for the codec that its readers know.
  func names(_ codec: AVCodecID) -> Bool {
    outputFormat.map { avformat_query_codec($0, codec, FF_COMPLIANCE_NORMAL) == 1 } ?? false
  }

  /// Whether it is worth trying to store copied audio of the codec.
  ///
  /// MOV's muxer also writes WAV's codecs under the names that they have in WAV, without what their
  /// decoders need (movenc.c, `mov_write_audio_tag`).
  func mayHold(audio codec: AVCodecID) -> Bool {
    takes(codec) || unlisted.contains(codec) || has(.waveCodecs) && !refused.contains(codec)
  }

  /// Whether the alpha of a codec's frames is stored.
  func holdsAlpha(of codec: AVCodecID) -> Bool {
    has(.alphaPlane) || ![AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(codec)
  }
}
