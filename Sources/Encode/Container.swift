import CFFmpeg

/// A file format that holds a movie, and which of FFmpeg's muxers writes it.
package struct Container: Sendable {
  /// As typed after `--container`.
  package let name: String
  /// Without the dot; the first is the usual one.
  let extensions: [String]
  /// FFmpeg's short name of the muxer.
  let muxer: String
  /// Takes sound beside the picture.
  package let holdsSound: Bool
  /// MOV and its relatives: sample tables at the end, and a time scale of one's own.
  let isMovieFamily: Bool
  /// What the muxer's tables list and its code then refuses (movenc.c, `mov_init`: "only supported
  /// in MP4").
  private let refused: [AVCodecID]

  package static let mov = Container(
    name: "mov", extensions: ["mov"], muxer: "mov", holdsSound: true, isMovieFamily: true,
    refused: [AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC])
  package static let mp4 = Container(
    name: "mp4", extensions: ["mp4", "m4v"], muxer: "mp4", holdsSound: true, isMovieFamily: true,
    refused: [AV_CODEC_ID_TRUEHD])
  package static let mkv = Container(
    name: "mkv", extensions: ["mkv"], muxer: "matroska", holdsSound: true, isMovieFamily: false,
    refused: [])
  /// Uncompressed frames behind a line of text, as mjpegtools and most encoders read them.
  package static let y4m = Container(
    name: "y4m", extensions: ["y4m"], muxer: "yuv4mpegpipe", holdsSound: false,
    isMovieFamily: false, refused: [])

  /// In the order in which messages list them.
  package static let all = [mov, mp4, mkv, y4m]

  /// The frames go in as they are.
  var isUncompressed: Bool { muxer == "yuv4mpegpipe" }

  init?(named name: String) {
    guard let found = Container.all.first(where: { $0.extensions.contains(name.lowercased()) })
    else { return nil }
    self = found
  }

  private init(
    name: String, extensions: [String], muxer: String, holdsSound: Bool, isMovieFamily: Bool,
    refused: [AVCodecID]
  ) {
    self.name = name
    self.extensions = extensions
    self.muxer = muxer
    self.holdsSound = holdsSound
    self.isMovieFamily = isMovieFamily
    self.refused = refused
  }

  /// FFmpeg's description of the muxer; nil where this FFmpeg was built without it.
  var outputFormat: UnsafePointer<AVOutputFormat>? { av_guess_format(muxer, nil, nil) }

  /// Parameter sets belong in the header, not in the frames.
  var wantsGlobalHeader: Bool { (outputFormat?.pointee.flags ?? 0) & AVFMT_GLOBALHEADER != 0 }

  /// Whether packets of the codec may go in.
  func takes(_ codec: AVCodecID) -> Bool {
    guard let outputFormat, !refused.contains(codec) else { return false }
    return avformat_query_codec(outputFormat, codec, FF_COMPLIANCE_NORMAL) == 1
  }

  /// "MOV", for messages.
  var title: String { name.uppercased() }
}
