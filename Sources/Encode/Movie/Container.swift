import CFFmpeg

/// A file format for video, and the FFmpeg muxer that writes it.
package struct Container: Sendable {
  /// The name as typed after `--container`.
  package let name: String
  /// File extensions without the dot; the first is the usual one.
  let extensions: [String]
  /// FFmpeg's short name of the muxer.
  let muxer: String
  /// The container can store audio beside the video.
  package let holdsAudio: Bool
  /// MOV and related formats: sample tables at the end, and a time scale that the file chooses.
  let isMovieFamily: Bool
  /// Codecs that the muxer's tables list, but that its code refuses or writes unreadably.
  private let refused: [AVCodecID]
  /// Codecs that the muxer's tables do not list, but that can be read back.
  private let unlisted: [AVCodecID]

  package static let mov = Container(
    name: "mov", extensions: ["mov"], muxer: "mov", holdsAudio: true, isMovieFamily: true,
    // movenc.c, `mov_init`: "only supported in MP4", and nothing for VP8. Raw frames have no name
    // that shows their layout.
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
    // RealVideo can only be read. TTA's number of samples, which its last packet depends on, is
    // computed from the file's duration (matroskadec.c), which the video determines.
    refused: [AV_CODEC_ID_RV10, AV_CODEC_ID_RV20, AV_CODEC_ID_TTA], unlisted: [])
  /// Uncompressed frames after a line of text, as mjpegtools and most encoders read them.
  package static let y4m = Container(
    name: "y4m", extensions: ["y4m"], muxer: "yuv4mpegpipe", holdsAudio: false,
    isMovieFamily: false, refused: [], unlisted: [])

  /// All containers, in the order in which messages list them.
  package static let all = [mov, mp4, mkv, y4m]

  /// The frames are stored uncompressed.
  var isUncompressed: Bool { muxer == "yuv4mpegpipe" }

  init?(named name: String) {
    guard let found = Container.all.first(where: { $0.extensions.contains(name.lowercased()) })
    else { return nil }
    self = found
  }

  init(
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
    takes(codec) || unlisted.contains(codec) || !isMovieFamily && !refused.contains(codec)
  }

  /// The name for messages: "MOV".
  var title: String { name.uppercased() }
}
