import CFFmpeg

/// Reads the samples of a decoded block as floats, whatever their stored format is.
struct DecodedSamples {
  private let planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private let kind: AVSampleFormat
  private let isPlanar: Bool
  private let channels: Int

  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    let format = AVSampleFormat(frame.pointee.format)
    planes = frame.pointee.extended_data
    kind = av_get_packed_sample_fmt(format)
    isPlanar = av_sample_fmt_is_planar(format) != 0
    channels = Int(frame.pointee.ch_layout.nb_channels)
  }

  /// Returns one sample; 0 for a channel that the block does not have.
  func sample(_ channel: Int, _ number: Int) -> Float {
    guard channel < channels, let plane = planes[isPlanar ? channel : 0] else { return 0 }
    let place = isPlanar ? number : number * channels + channel
    func value<Value>(_ type: Value.Type) -> Value {
      UnsafeRawPointer(plane).loadUnaligned(
        fromByteOffset: place * MemoryLayout<Value>.size, as: type)
    }
    return switch kind {
    case AV_SAMPLE_FMT_U8: (Float(value(UInt8.self)) - 128) / 128
    case AV_SAMPLE_FMT_S16: Float(value(Int16.self)) / 32768
    case AV_SAMPLE_FMT_S32: Float(value(Int32.self)) / 2_147_483_648
    case AV_SAMPLE_FMT_S64: Float(value(Int64.self)) / 9_223_372_036_854_775_808
    case AV_SAMPLE_FMT_FLT: value(Float.self)
    case AV_SAMPLE_FMT_DBL: Float(value(Double.self))
    default: 0
    }
  }
}
