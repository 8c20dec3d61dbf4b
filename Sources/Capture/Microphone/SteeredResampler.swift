import ALSAHandles
import CFFmpeg
import FFmpegHandles
import Frames

/// Resamples a device's sound by a ratio that follows its clock, and tells exactly where it is.
///
/// Used by one thread.
final class SteeredResampler {
  private let resampler: ResamplerHandle
  private let queue: SampleQueueHandle
  private let converted: SamplePlanes
  private let source: CapturePCM.Setting
  private let targetRate: Int
  /// Frames of the source that it was given so far.
  private(set) var given: Int64 = 0
  /// Samples that it has made, and that were taken.
  private(set) var made: Int64 = 0

  /// The compensation's unit is one sample in so many, which is finer than a millionth; it is set
  /// anew long before they are over.
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
      from: (source.rate, source.channels), as: format, to: target, isSteerable: true)
    queue = try SampleQueueHandle(channels: target.channels, capacity: 1 << 14)
    converted = SamplePlanes(channels: target.channels, capacity: 1 << 12)
    self.source = source
    targetRate = target.rate
  }

  /// Samples that are ready.
  var count: Int { queue.count }

  /// Where the next sample that it makes lies, in frames of the source since the first one given.
  var position: Double {
    let unit: Int64 = 1_000_000_000
    return Double(given)
      - Double(swr_get_delay(resampler.pointer, unit)) / Double(unit) * Double(source.rate)
  }

  /// From now on a sample takes `pace` times as many frames as by the nominal rates.
  func setPace(_ pace: Double) throws(FFmpegError) {
    let delta = ((1 - pace) * Double(SteeredResampler.distance)).rounded()
    try check(
      swr_set_compensation(resampler.pointer, Int32(delta), SteeredResampler.distance),
      "swr_set_compensation", "sound")
  }

  /// Takes frames of the source, all channels together.
  func give(_ frames: UnsafeRawBufferPointer) throws(FFmpegError) {
    let count = frames.count / source.frameBytes
    let most = try check(
      swr_get_out_samples(resampler.pointer, Int32(count)), "swr_get_out_samples", "sound")
    converted.reserve(Int(most))
    var plane: UnsafePointer<UInt8>? = frames.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = converted.withBytes {
      swr_convert(resampler.pointer, $0, most, &plane, Int32(count))
    }
    given += Int64(count)
    try check(result, "swr_convert", "sound")
    guard result > 0 else { return }
    made += Int64(result)
    try check(
      av_audio_fifo_write(queue.pointer, converted.planes, result), "av_audio_fifo_write", "sound")
  }

  /// Fills the beginning of each plane with its channel's next samples, of which there are so many.
  func take(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    precondition(count <= self.count && place + count <= target.capacity)
    let result = target.withPlanes(from: place) {
      av_audio_fifo_read(queue.pointer, $0, Int32(count))
    }
    try check(result, "av_audio_fifo_read", "sound")
  }
}
