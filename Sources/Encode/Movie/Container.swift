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
  package let holdsAudio: Bool
  /// MOV and its relatives: sample tables at the end, and a time scale of one's own.
  let isMovieFamily: Bool
  /// What the muxer's tables list and its code then refuses, or writes so that nobody can read it.
  private let refused: [AVCodecID]
  /// What the muxer's tables do not list, and yet can be read back.
  private let unlisted: [AVCodecID]

  package static let mov = Container(
    name: "mov", extensions: ["mov"], muxer: "mov", holdsAudio: true, isMovieFamily: true,
    // movenc.c, `mov_init`: "only supported in MP4", and nothing for VP8. Raw frames have no name that
    // tells their layout.
    refused: [
      AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_OPUS,
      AV_CODEC_ID_FLAC,
    ],
    unlisted: [AV_CODEC_ID_VORBIS])
  package static let mp4 = Container(
    name: "mp4", extensions: ["mp4", "m4v"], muxer: "mp4", holdsAudio: true, isMovieFamily: true,
    refused: [AV_CODEC_ID_TRUEHD], unlisted: [])
  package static let mkv = Container(
    name: "mkv", extensions: ["mkv"], muxer: "matroska", holdsAudio: true, isMovieFamily: false,
    // RealVideo is for reading only. How many samples TTA has, which its last packet depends on, is
    // reckoned from how long the file is (matroskadec.c), and the pictures decide that.
    refused: [AV_CODEC_ID_RV10, AV_CODEC_ID_RV20, AV_CODEC_ID_TTA], unlisted: [])
  /// Uncompressed frames behind a line of text, as mjpegtools and most encoders read them.
  package static let y4m = Container(
    name: "y4m", extensions: ["y4m"], muxer: "yuv4mpegpipe", holdsAudio: false,
    isMovieFamily: false, refused: [], unlisted: [])

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
    name: String, extensions: [String], muxer: String, holdsAudio: Bool, isMovieFamily: Bool,
    refused: [AVCodecID], unlisted: [AVCodecID]
  ) {
    self.name = name
    self.extensions = extensions
    self.muxer = muxer
    self.holdsAudio = holdsAudio
    self.isMovieFamily = isMovieFamily
    self.refused = refused
    self.unlisted = unlisted
  }

  /// FFmpeg's description of the muxer; nil where this FFmpeg was built without it.
  var outputFormat: UnsafePointer<AVOutputFormat>? { av_guess_format(muxer, nil, nil) }

  /// Parameter sets belong in the header, not in the frames.
  var wantsGlobalHeader: Bool { (outputFormat?.pointee.flags ?? 0) & AVFMT_GLOBALHEADER != 0 }

  /// Whether packets of the codec may go in.
  func takes(_ codec: AVCodecID) -> Bool { !refused.contains(codec) && names(codec) }

  /// The format has a name for the codec, which its readers know.
  func names(_ codec: AVCodecID) -> Bool {
    outputFormat.map { avformat_query_codec($0, codec, FF_COMPLIANCE_NORMAL) == 1 } ?? false
  }

  /// Whether it is worth trying to put carried sound of the codec in.
  ///
  /// MOV's muxer also writes the codecs of WAV under the names that those have there, without what
  /// their decoders need (movenc.c, `mov_write_audio_tag`). Matroska has a place for all of WAV's.
  func mayHold(sound codec: AVCodecID) -> Bool {
    takes(codec) || unlisted.contains(codec) || !isMovieFamily && !refused.contains(codec)
  }

  /// "MOV", for messages.
  var title: String { name.uppercased() }
}
