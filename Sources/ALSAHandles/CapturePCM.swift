import CALSA
import Glibc

/// An open device for recording sound (a PCM); one owner, closed with it.
///
/// Used by one thread.
package struct CapturePCM: ~Copyable {
  /// ALSA's name of it.
  package let name: String
  /// What was agreed on when it was opened.
  package let setting: Setting

  private let pcm: OpaquePointer
  private let answer: OpaquePointer

  /// How samples come.
  package struct Setting: Sendable, Equatable {
    /// Samples a second of each channel, by the device's own clock.
    package var rate: Int
    package var channels: Int
    package var format: SampleFormat
    /// Samples of each channel that the device keeps until they are fetched.
    package var bufferSize: Int

    package init(rate: Int, channels: Int, format: SampleFormat, bufferSize: Int) {
      self.rate = rate
      self.channels = channels
      self.format = format
      self.bufferSize = bufferSize
    }

    /// Of one sample of every channel.
    package var frameBytes: Int { channels * format.byteCount }
  }

  /// What is asked for where the device can do more than one thing.
  private static let usualRate: UInt32 = 48_000
  private static let usualChannels: UInt32 = 2
  /// Microseconds of sound that it keeps, which ride out a busy machine, and after which it wakes
  /// who waits.
  private static let bufferTime: UInt32 = 2_000_000
  private static let periodTime: UInt32 = 20_000

  /// Opens a device and sets it, without starting it.
  ///
  /// The rate is one of the device's own, because converting is done here with the clock's drift.
  package init(name: String) throws(ALSAError) {
    kf_silence_alsa()
    var opened: OpaquePointer?
    try check(
      snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)), "snd_pcm_open")
    let pcm = try check(opened, "snd_pcm_open")
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
    // A device that has its own idea of these works with that.
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

  /// Time stamps are wanted, by the clock of cameras.
  private static func setTimes(_ pcm: OpaquePointer) throws(ALSAError) {
    var made: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&made), "snd_pcm_sw_params_malloc")
    let wish = try check(made, "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(wish) }
    try check(snd_pcm_sw_params_current(pcm, wish), "snd_pcm_sw_params_current")
    // Where one of these is refused the stamps are no good, which whoever reads them sees.
    snd_pcm_sw_params_set_tstamp_mode(pcm, wish, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, wish, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(pcm, wish), "snd_pcm_sw_params")
  }

  /// Starts it, after a failure too; what it had is lost.
  package func start() throws(ALSAError) {
    try check(snd_pcm_prepare(pcm), "snd_pcm_prepare")
    try check(snd_pcm_start(pcm), "snd_pcm_start")
  }

  /// Where the device is.
  package struct Status: Sendable {
    /// Samples of each channel that it has taken and that were not read: those that can be read, and
    /// those on the way.
    package var pending: Int
    /// When it was so, in nanoseconds of the monotonic clock; 0 where it does not say.
    package var stamp: Int64
  }

  /// Asks where it is.
  ///
  /// - Throws: EPIPE where sound was lost, ESTRPIPE where the machine slept, ENODEV where it has gone.
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

  /// Reads what is there, at most as much as the buffer holds; the samples of each channel, 0 where
  /// there are none yet.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ALSAError) -> Int {
    let room = buffer.count / setting.frameBytes
    let result = snd_pcm_readi(pcm, buffer.baseAddress, snd_pcm_uframes_t(room))
    if result == -snd_pcm_sframes_t(EAGAIN) { return 0 }
    return Int(try check(Int32(clamping: result), "snd_pcm_readi"))
  }

  /// Waits until there is something to read, something has failed, or another descriptor is
  /// readable; at most so many milliseconds.
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
