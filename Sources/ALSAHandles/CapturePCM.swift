import CALSA
import Glibc

/// An open ALSA recording device (a PCM), closed when its single owner releases it.
///
/// Used by one thread.
package struct CapturePCM: ~Copyable {
  /// ALSA's name of the device.
  package let name: String
  /// The settings agreed with the device when it was opened.
  package let setting: Setting

  private let pcm: OpaquePointer
  private let answer: OpaquePointer

  /// The name that stands for what the speakers play.
  package static let monitor = "monitor"

  /// The form in which samples arrive.
  package struct Setting: Sendable, Equatable {
    /// Sample rate in samples per second and channel, by the device's own clock.
    package var rate: Int
    package var channels: Int
    package var format: SampleFormat
    /// Samples per channel that the device keeps until they are read.
    package var bufferSize: Int

    package init(rate: Int, channels: Int, format: SampleFormat, bufferSize: Int) {
      self.rate = rate
      self.channels = channels
      self.format = format
      self.bufferSize = bufferSize
    }

    /// Bytes of one sample of every channel.
    package var frameBytes: Int { channels * format.byteCount }
  }

  /// Preferred sample rate in hertz and number of channels, if the device supports several.
  private static let usualRate: UInt32 = 48_000
  private static let usualChannels: UInt32 = 2
  /// Length of the buffer, which bridges a busy machine, and of the period after which a waiting
  /// thread wakes, both in microseconds.
  private static let bufferTime: UInt32 = 2_000_000
  private static let periodTime: UInt32 = 20_000

  /// Opens and configures a device without starting it.
  ///
  /// The rate is one that the device supports, because kfrec resamples itself, to correct clock
  /// drift too.
  package init(name: String) throws(ALSAError) {
    kf_silence_alsa()
    let pcm = try name == CapturePCM.monitor ? CapturePCM.openMonitor() : CapturePCM.open(name)
    var status: OpaquePointer?
    let (agreed, made): (Setting, OpaquePointer)
    do throws(ALSAError) {
      agreed = try CapturePCM.agree(pcm)
      try CapturePCM.setTimes(pcm)
      try check(snd_pcm_status_malloc(&status), "snd_pcm_status_malloc")
      made = try check(status, "snd_pcm_status_malloc")
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
    setting = agreed
    answer = made
    self.pcm = pcm
    self.name = name
  }

  deinit {
    snd_pcm_status_free(answer)
    snd_pcm_close(pcm)
  }

  private static func open(_ name: String) throws(ALSAError) -> OpaquePointer {
    var opened: OpaquePointer?
    try check(
      snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)), "snd_pcm_open")
    return try check(opened, "snd_pcm_open")
  }

  /// Opens what the speakers play, which the sound server gives by ALSA's plugin for PulseAudio; PipeWire serves it too.
  private static func openMonitor() throws(ALSAError) -> OpaquePointer {
    // The name of the source is that of libpulse for the monitor of the speakers that the system has chosen.
    let text = "pcm.\(monitor) { type pulse device \"@DEFAULT_MONITOR@\" }"
    var (top, input): (OpaquePointer?, OpaquePointer?)
    try check(snd_config_top(&top), "snd_config_top")
    let configuration = try check(top, "snd_config_top")
    defer { snd_config_delete(configuration) }
    // It is copied.
    try check(snd_input_buffer_open(&input, text, text.utf8.count), "snd_input_buffer_open")
    defer { if let input { snd_input_close(input) } }
    try check(snd_config_load(configuration, input), "snd_config_load")
    var opened: OpaquePointer?
    try check(
      snd_pcm_open_lconf(
        &opened, monitor, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK), configuration),
      "snd_pcm_open")
    return try check(opened, "snd_pcm_open")
  }

  private static func agree(_ pcm: OpaquePointer) throws(ALSAError) -> Setting {
    var made: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&made), "snd_pcm_hw_params_malloc")
    let wish = try check(made, "snd_pcm_hw_params_malloc")
    defer { snd_pcm_hw_params_free(wish) }
    try check(snd_pcm_hw_params_any(pcm, wish), "snd_pcm_hw_params_any")
    try check(
      snd_pcm_hw_params_set_rate_resample(pcm, wish, 0), "snd_pcm_hw_params_set_rate_resample")
    try check(
      snd_pcm_hw_params_set_access(pcm, wish, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access")
    guard
      let format = SampleFormat.allCases.first(where: {
        snd_pcm_hw_params_test_format(pcm, wish, $0.number) == 0
      })
    else { throw ALSAError(call: "snd_pcm_hw_params_set_format", code: EINVAL) }
    try check(
      snd_pcm_hw_params_set_format(pcm, wish, format.number), "snd_pcm_hw_params_set_format")
    var (channels, rate) = (usualChannels, usualRate)
    try check(
      snd_pcm_hw_params_set_channels_near(pcm, wish, &channels),
      "snd_pcm_hw_params_set_channels_near")
    try check(
      snd_pcm_hw_params_set_rate_near(pcm, wish, &rate, nil), "snd_pcm_hw_params_set_rate_near")
    var (buffer, period) = (bufferTime, periodTime)
    // A device that rejects these times uses its own.
    snd_pcm_hw_params_set_period_time_near(pcm, wish, &period, nil)
    snd_pcm_hw_params_set_buffer_time_near(pcm, wish, &buffer, nil)
    try check(snd_pcm_hw_params(pcm, wish), "snd_pcm_hw_params")
    var size: snd_pcm_uframes_t = 0
    try check(snd_pcm_hw_params_get_buffer_size(wish, &size), "snd_pcm_hw_params_get_buffer_size")
    guard rate > 0, channels > 0, size > 0 else {
      throw ALSAError(call: "snd_pcm_hw_params", code: EINVAL)
    }
    return Setting(rate: Int(rate), channels: Int(channels), format: format, bufferSize: Int(size))
  }

  /// Requests timestamps from the monotonic clock, which cameras use too.
  private static func setTimes(_ pcm: OpaquePointer) throws(ALSAError) {
    var made: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&made), "snd_pcm_sw_params_malloc")
    let wish = try check(made, "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(wish) }
    try check(snd_pcm_sw_params_current(pcm, wish), "snd_pcm_sw_params_current")
    // If one of these is rejected, the timestamps are unusable, and their reader detects that.
    snd_pcm_sw_params_set_tstamp_mode(pcm, wish, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, wish, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(pcm, wish), "snd_pcm_sw_params")
  }

  /// Starts the device, also after a failure; the audio in its buffer is lost.
  package func start() throws(ALSAError) {
    try check(snd_pcm_prepare(pcm), "snd_pcm_prepare")
    try check(snd_pcm_start(pcm), "snd_pcm_start")
  }

  /// The number of unread samples, and when it was measured.
  package struct Status: Sendable {
    /// Samples per channel that the device has captured and that were not read: those that can be
    /// read, and those on the way.
    package var pending: Int
    /// Time of the measurement in nanoseconds of the monotonic clock; 0 if the device does not
    /// report it.
    package var stamp: Int64
  }

  /// Returns the device's current status.
  ///
  /// EPIPE is thrown if audio was lost, ESTRPIPE if the machine slept, ENODEV if the device is gone.
  package func status() throws(ALSAError) -> Status {
    try check(snd_pcm_status(pcm, answer), "snd_pcm_status")
    switch snd_pcm_status_get_state(answer) {
    case SND_PCM_STATE_XRUN: throw ALSAError(call: "snd_pcm_status", code: EPIPE)
    case SND_PCM_STATE_SUSPENDED: throw ALSAError(call: "snd_pcm_status", code: ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: throw ALSAError(call: "snd_pcm_status", code: ENODEV)
    default: break
    }
    var stamp = timespec()
    snd_pcm_status_get_htstamp(answer, &stamp)
    return Status(
      pending: max(
        Int(snd_pcm_status_get_delay(answer)), Int(snd_pcm_status_get_avail(answer))),
      stamp: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
  }

  /// Reads the available samples, at most as many as the buffer holds; returns the samples per
  /// channel, 0 if there are none yet.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ALSAError) -> Int {
    let room = buffer.count / setting.frameBytes
    let result = snd_pcm_readi(pcm, buffer.baseAddress, snd_pcm_uframes_t(room))
    if result == -snd_pcm_sframes_t(EAGAIN) { return 0 }
    return Int(try check(Int32(clamping: result), "snd_pcm_readi"))
  }

  /// Waits until there is something to read, something has failed, or another descriptor is
  /// readable, but at most the given milliseconds.
  package func wait(or descriptor: Int32, milliseconds: Int32) {
    let count = max(Int(snd_pcm_poll_descriptors_count(pcm)), 0)
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count + 1) { waited in
      waited.initialize(repeating: pollfd())
      let filled = snd_pcm_poll_descriptors(pcm, waited.baseAddress, UInt32(count))
      let used = min(max(Int(filled), 0), count)
      waited[used] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(waited.baseAddress, nfds_t(used + 1), milliseconds)
    }
  }
}

/// The storage format of a sample: formats that ALSA and FFmpeg both have, in the machine's byte
/// order.
package enum SampleFormat: CaseIterable, Sendable {
  case float, int32, int16

  package var byteCount: Int { self == .int16 ? 2 : 4 }

  /// ALSA's number, SND_PCM_FORMAT_...
  var number: snd_pcm_format_t {
    switch self {
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .int32: SND_PCM_FORMAT_S32_LE
    case .int16: SND_PCM_FORMAT_S16_LE
    }
  }
}
