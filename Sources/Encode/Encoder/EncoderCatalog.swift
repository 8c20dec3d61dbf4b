import CFFmpeg
import Frames

/// The video encoders of the linked FFmpeg, found by the name of an encoder or codec.
enum EncoderCatalog {
  /// Returns the encoder that a word means; if there is none, throws a sentence with similar names.
  static func encoder(named word: String) throws(EncodeError) -> UnsafePointer<AVCodec> {
    if let codec = avcodec_find_encoder_by_name(word) {
      guard codec.pointee.type == AVMEDIA_TYPE_VIDEO else {
        throw EncodeError(
          "\(word) does not encode video: --codec takes one of \(usual())", isUsageError: true)
      }
      return codec
    }
    let name = otherNames[word.lowercased()] ?? word.lowercased()
    guard let descriptor = avcodec_descriptor_get_by_name(name) else {
      throw EncodeError(
        "this FFmpeg has no encoder \(word): "
          + (nearest(to: word).map { "did you mean \($0)?" } ?? "use one of \(usual())"),
        isUsageError: true)
    }
    guard let codec = preferred(descriptor.pointee.id),
      descriptor.pointee.type == AVMEDIA_TYPE_VIDEO
    else {
      throw EncodeError(
        "this FFmpeg has no encoder for \(word): use one of \(usual()), "
          + "or install an FFmpeg that has one")
    }
    return codec
  }

  /// Returns the encoder that is best on a CPU, if FFmpeg has several for a codec.
  private static func preferred(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    let best: [(AVCodecID, String)] = [
      (AV_CODEC_ID_H264, "libx264"), (AV_CODEC_ID_HEVC, "libx265"),
      (AV_CODEC_ID_AV1, "libsvtav1"), (AV_CODEC_ID_VP9, "libvpx-vp9"),
      (AV_CODEC_ID_PRORES, "prores_ks"),
    ]
    for (codec, name) in best where codec == id {
      if let found = avcodec_find_encoder_by_name(name) { return found }
    }
    return avcodec_find_encoder(id)
  }

  /// Returns the name of an encoder for the codec that runs on the CPU, or nil if there is none.
  static func software(_ id: AVCodecID) -> String? {
    guard let codec = preferred(id),
      codec.pointee.capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID) == 0
    else { return nil }
    return String(cString: codec.pointee.name)
  }

  private static let otherNames = [
    "avc": "h264", "h.264": "h264", "x264": "h264", "h265": "hevc", "h.265": "hevc", "x265": "hevc",
  ]

  static func usual() -> String {
    let names = ["libx264", "libx265", "libsvtav1", "libvpx-vp9", "mpeg4", "mjpeg", "ffv1"]
    return names.filter { avcodec_find_encoder_by_name($0) != nil }.joined(separator: ", ")
  }

  /// Returns the encoder or codec name with the smallest edit distance to a word, if that is small.
  private static func nearest(to word: String) -> String? {
    let names = all.flatMap { [$0.pointee.name, avcodec_get_name($0.pointee.id)] }
    let scored = names.compactMap(\.self).map { name in
      (name: String(cString: name), distance: editDistance(word, String(cString: name)))
    }
    guard let best = scored.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, word.count / 3)
    else { return nil }
    return best.name
  }

  /// The video encoders of the linked FFmpeg, in its order.
  static var all: [UnsafePointer<AVCodec>] {
    sequence(state: nil as UnsafeMutableRawPointer?) { av_codec_iterate(&$0) }
      .filter { $0.pointee.type == AVMEDIA_TYPE_VIDEO && av_codec_is_encoder($0) != 0 }
  }
}

/// The names of the video encoders of the linked FFmpeg, in the alphabet's order.
public func videoEncoderNames() -> [String] {
  EncoderCatalog.all.map { String(cString: $0.pointee.name) }.sorted()
}
