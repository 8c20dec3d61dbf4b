import CFFmpeg
import Frames

extension SourceDescription {
  /// Adds a notice about the first frame's format, if users should know about it.
  mutating func warn(ofFirst format: FrameFormat, _ rule: HDRRule) {
    guard format.color.isHighDynamicRange else { return }
    let isPQ = format.color.transfer == 16
    let curve = isPQ ? "PQ" : "HLG"
    let message =
      switch rule {
      case .keep:
        """
        \(name) is HDR (\(curve)); its values are kept, and effects act on them as they are coded
        """
      case .toneMap where isPQ:
        """
        \(name) is HDR (PQ): it is mapped to SDR, from a brightest light of \(peakWords(format.color)); \
        --hdr keep writes HDR instead
        """
      case .toneMap:
        "\(name) is HDR (HLG): it is mapped to SDR; --hdr keep writes HDR instead"
      }
    notices.append(Notice(.sourceHDR, name, message))
  }

  private func peakWords(_ color: ColorDescription) -> String {
    guard let peak = color.hdr?.peak else {
      return "1000 cd/m², because the file does not say how bright it is"
    }
    return "\(Int(peak.rounded())) cd/m²"
  }
}

/// Dolby Vision, of which only the base layer is read.
enum DolbyVision {
  /// Throws if the base layer has colours that only a decoder of Dolby Vision can show: profile 5 in HEVC, 10.0 in AV1.
  ///
  /// Of the base layers of all other profiles the tags say what they are.
  static func checkBase(
    of stream: UnsafePointer<AVStream>, name: String
  ) throws(CaptureError) {
    var size = 0
    guard let bytes = kf_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return }
    let record = UnsafeRawPointer(bytes).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    guard [5, 10].contains(record.dv_profile), record.dv_bl_signal_compatibility_id == 0 else {
      return
    }
    throw CaptureError(
      """
      \(name) is Dolby Vision of profile \(record.dv_profile), whose colours no other decoder can show; convert it to HDR10 \
      first, with a program that reads Dolby Vision
      """)
  }
}
