import CFFmpeg
import Frames

/// What a file can say of the colours of YCbCr: what it does not say is read as the codec's usual colours.
///
/// Tried with all encoders of FFmpeg 5.1 in all containers: full range, and chroma in the centre.
struct StatedColors {
  /// The only range that readers know; nil if the file states it.
  private let range: ColorRange?
  /// The only chroma siting that readers know.
  private let siting: ChromaSiting?
  /// Whether the file states any other siting.
  private let statesSiting: Bool
  /// Whether decoders take the values for those of BT.601's matrix, whatever the container says.
  private let isJPEG: Bool

  init(_ codec: AVCodecID, in container: Container) {
    isJPEG = codec == AV_CODEC_ID_MJPEG
    // These say it in their own headers.
    let isOwn = [
      AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1,
    ].contains(codec)
    // Their decoders know limited range only.
    let isLimited =
      [
        AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_PRORES, AV_CODEC_ID_DVVIDEO,
        AV_CODEC_ID_V210, AV_CODEC_ID_VP8,
      ].contains(codec)
      || ["v308", "v408", "v410"].contains(String(cString: avcodec_get_name(codec)))
    let isSilent = container.has(.noRange) && !isOwn
    range = isJPEG ? .full : isLimited || isSilent ? .limited : nil
    siting =
      isJPEG || codec == AV_CODEC_ID_MPEG1VIDEO
      ? .center : [AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4].contains(codec) ? .left : nil
    statesSiting =
      codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || container.has(.chromaSiting)
  }

  func stated(_ color: ColorDescription) -> ColorDescription {
    var color = color
    color.range = range ?? color.range
    if isJPEG, color.matrix != .smpte170m { color.matrix = .bt470bg }
    // Readers place chroma of the full range in the centre, and other chroma at the left.
    color.chromaSiting =
      siting ?? (statesSiting ? color.chromaSiting : color.range == .full ? .center : .left)
    return color
  }
}
