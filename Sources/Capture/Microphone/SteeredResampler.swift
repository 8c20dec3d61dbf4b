import ALSAHandles
import CFFmpeg
import FFmpegHandles
import Frames

/// Resamples a device's audio by a ratio that follows its clock, and reports its exact position.
///
/// Used by one thread.
final class SteeredResampler {
  private let resampler: ResamplerHandle
  private let queue: SampleQueueHandle
  private let converted: SamplePlanes
  private let source: CapturePCM.Setting
  private let targetRate: Int
  /// Number of source frames given so far.
  private(set) var given: Int64 = 0
  /// Number of samples made so far.
  private(set) var made: Int64 = 0

  /// The compensation's unit is one sample per this many, which is finer than a millionth; it is set
  /// again long before they are over.
  private static let distance: Int32 = 1 << 21

  init(
    from source: CapturePCM.Setting, to target: (rate: Int, channels: Int)
  ) throws(FFmpegError) {
    let format =
      switch source.format {
      case .float: AV_SAMPLE_FMT_FLT
      case .int32: AV_SAMPLE_FMT_S32
      case .int16: AV_SAMPLE_FMT_S16
      }
    resampler = try ResamplerHandle(
      from: AudioFormat(rate: source.rate, channels: source.channels), as: format,
      to: AudioFormat(rate: target.rate, channels: target.channels), isSteerable: true)
    queue = try SampleQueueHandle(channels: target.channels, capacity: 1 << 14)
    converted = SamplePlanes(channels: target.channels, capacity: 1 << 12)
    self.source = source
    targetRate = target.rate
  }

  /// Number of samples that are ready.
  var count: Int { queue.count }

  /// Position of the next sample to make, in source frames since the first one given.
  var position: Double {
    let unit: Int64 = 1_000_000_000
    return Double(given)
      - Double(swr_get_delay(resampler.pointer, unit)) / Double(unit) * Double(source.rate)
  }

  /// Makes each later sample take `pace` times as many source frames as by the nominal sample rates.
  func setPace(_ pace: Double) throws(FFmpegError) {
    let delta = ((1 - pace) * Double(SteeredResampler.distance)).rounded()
    try check(
      swr_set_compensation(resampler.pointer, Int32(delta), SteeredResampler.distance),
      "swr_set_compensation", "audio")
  }

  /// Takes source frames with interleaved channels.
  func give(_ frames: UnsafeRawBufferPointer) throws(FFmpegError) {
    let count = frames.count / source.frameBytes
    let most = try check(
      swr_get_out_samples(resampler.pointer, Int32(count)), "swr_get_out_samples", "audio")
    converted.reserve(Int(most))
    var plane: UnsafePointer<UInt8>? = frames.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = converted.withBytes {
      swr_convert(resampler.pointer, $0, most, &plane, Int32(count))
    }
    given += Int64(count)
    try check(result, "swr_convert", "audio")
    guard result > 0 else { return }
    made += Int64(result)
    try check(
      av_audio_fifo_write(queue.pointer, converted.planes, result), "av_audio_fifo_write", "audio")
  }

  /// Writes the next `count` samples of each channel into its plane, from `place` on.
  func take(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    precondition(count <= self.count && place + count <= target.capacity)
    let result = target.withPlanes(from: place) {
      av_audio_fifo_read(queue.pointer, $0, Int32(count))
    }
    try check(result, "av_audio_fifo_read", "audio")
  }
}
