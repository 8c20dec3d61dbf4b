public import CFFmpeg
public import Frames

/// Owns an SwrContext that converts samples to another sample rate, number of channels and format.
public struct ResamplerHandle: ~Copyable {
  public let pointer: OpaquePointer

  /// Takes samples of any format, interleaved unless the format is planar; a steerable context
  /// resamples equal rates too, by a ratio that `swr_set_compensation` changes a little.
  public init(
    from source: AudioFormat, as format: AVSampleFormat = AV_SAMPLE_FMT_FLTP,
    to target: AudioFormat, giving output: AVSampleFormat = AV_SAMPLE_FMT_FLTP,
    isSteerable: Bool = false
  ) throws(FFmpegError) {
    var layouts = (source.layout, target.layout)
    var context: OpaquePointer?
    try check(
      swr_alloc_set_opts2(
        &context, &layouts.1, output, Int32(target.rate), &layouts.0,
        format, Int32(source.rate), 0, nil), "swr_alloc_set_opts2", "audio")
    // Channels that are mixed into fewer ones stay below full scale, for floating point too.
    if let context { av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0) }
    if isSteerable, let context {
      let object = UnsafeMutableRawPointer(context)
      // Interpolation between the filter's phases makes a ratio near one as clean as one.
      av_opt_set_int(object, "flags", Int64(SWR_FLAG_RESAMPLE), 0)
      av_opt_set_int(object, "exact_rational", 0, 0)
      av_opt_set_int(object, "linear_interp", 1, 0)
    }
    if let matrix = source.exchanged(for: target) {
      swr_set_matrix(context, matrix, Int32(source.channels))
    }
    let result = swr_init(context)
    guard let context, result >= 0 else {
      swr_free(&context)
      throw FFmpegError(call: "swr_init", subject: "audio", code: result)
    }
    pointer = context
  }

  deinit {
    var pointer: OpaquePointer? = pointer
    swr_free(&pointer)
  }
}

/// Owns an AVAudioFifo, by default of float samples with one plane per channel.
public struct SampleQueueHandle: ~Copyable {
  public let pointer: OpaquePointer

  public init(
    channels: Int, capacity: Int, of format: AVSampleFormat = AV_SAMPLE_FMT_FLTP
  ) throws(FFmpegError) {
    pointer = try check(
      av_audio_fifo_alloc(format, Int32(channels), Int32(capacity)), "av_audio_fifo_alloc", "audio")
  }

  deinit { av_audio_fifo_free(pointer) }

  public var count: Int { Int(av_audio_fifo_size(pointer)) }
}

/// Float samples of some channels, one plane per channel, as FFmpeg takes them.
public final class SamplePlanes {
  public let channels: Int
  public private(set) var capacity: Int
  /// One plane per channel; never nil.
  public let planes: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  public init(channels: Int, capacity: Int) {
    self.channels = channels
    self.capacity = capacity
    planes = .allocate(capacity: channels)
    for channel in 0..<channels { planes[channel] = SamplePlanes.plane(capacity) }
  }

  deinit {
    for channel in 0..<channels { planes[channel]?.deallocate() }
    planes.deallocate()
  }

  private static func plane(_ capacity: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: capacity * MemoryLayout<Float>.size, alignment: 32)
  }

  /// Makes room for `count` samples per channel; if the planes must grow, their samples are lost.
  public func reserve(_ count: Int) {
    guard count > capacity else { return }
    capacity = count
    for channel in 0..<channels {
      planes[channel]?.deallocate()
      planes[channel] = SamplePlanes.plane(count)
    }
  }

  /// The samples of a channel.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(
      start: planes[channel]?.assumingMemoryBound(to: Float.self), count: capacity)
  }

  /// Calls `body` with the planes from a sample on, for functions that take any format.
  public func withPlanes<Result>(
    from place: Int, _ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: channels) {
      shifted in
      for channel in 0..<channels {
        shifted[channel] = planes[channel].map { $0 + place * MemoryLayout<Float>.size }
      }
      return body(shifted.baseAddress ?? planes)
    }
  }

  /// Calls `body` with the planes as bytes, for functions that take any format.
  public func withBytes<Result>(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Result
  ) -> Result {
    planes.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: channels, body)
  }
}
