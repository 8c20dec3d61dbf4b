import ALSAHandles
import FFmpegHandles
import Frames

/// Places a device's audio along the system clock.
///
/// A sample is heard at the time at which it was taken: exactly at the beginning, and on average at all
/// later times, however wrong the device's own clock is. The device's frames go in on one side; on the
/// other, samples come out at a true rate from a start time on. Lost audio, and the time before the
/// device began, become silence. Used by one thread.
final class AudioTimeline {
  /// How often audio was missing, and how many seconds of silence replaced it.
  private(set) var gaps = 0
  var missing: Double { Double(missingFrames) / Double(source.rate) }

  private let source: CapturePCM.Setting
  private let target: (rate: Int, channels: Int)
  private let store: AudioRing
  private var clock: AudioClock
  /// Covers the whole time, for the final report.
  private var longClock: AudioClock
  private var watch = LossWatch()
  /// Frames that came while the count is in doubt: they lie after a gap, or directly follow the earlier ones.
  private var held: [UInt8] = []
  private let silence: UnsafeMutableRawBufferPointer
  private var missingFrames: Int64 = 0
  /// Whether no more frames come for the present.
  private var isLost = false

  /// The time from which audio is read.
  private var start: MonotonicTime?
  private var resampler: SteeredResampler?
  /// The position of the resampler's first frame, and the number of its first sample since `start`.
  private var base: (place: Int64, sample: Int64) = (0, 0)
  /// Number of made samples at which the pace is next adjusted.
  private var steered: Int64 = 0

  /// Largest number of frames resampled at once.
  private static let blockSize = 1024
  /// The seconds in which an error is corrected, and the largest change of pace for it, as a ratio;
  /// nobody hears that change.
  private static let patience = 4.0
  private static let steepest = 0.004
  /// A clock does not cause an error of this many seconds.
  private static let largestError = 0.1

  init(from source: CapturePCM.Setting, to target: (rate: Int, channels: Int)) {
    self.source = source
    self.target = target
    store = AudioRing(frameBytes: source.frameBytes)
    clock = AudioClock(nominalRate: source.rate)
    longClock = AudioClock(nominalRate: source.rate, window: nil)
    silence = .allocate(byteCount: AudioTimeline.blockSize * source.frameBytes, alignment: 16)
    silence.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { silence.deallocate() }

  /// How much faster the device's clock is than its nominal rate, in millionths.
  var drift: Double { longClock.drift }

  // MARK: - The device's side

  /// Records that at this time the device had taken `pending` frames that have not been added.
  func note(pending: Int, at time: MonotonicTime) {
    let waiting = Int64(held.count / source.frameBytes)
    var position = store.known.upperBound + waiting + Int64(pending)
    switch watch.judge(position: position, time: time, rate: clock.rate) {
    case .good: release()
    case .doubtful: return
    case .lost(let count):
      gaps += 1
      position += insertSilence(count)
      breakOff()
    }
    clock.add(position: position, time: time)
    longClock.add(position: position, time: time)
  }

  /// Takes the next frames.
  func add(_ frames: UnsafeRawBufferPointer) {
    guard let bytes = frames.baseAddress else { return }
    if watch.isInDoubt {
      held.append(contentsOf: frames)
      return
    }
    store.append(bytes, count: frames.count / source.frameBytes)
    // A start lies in the past, but by no more than these 8 seconds, even on a slow machine.
    if start == nil { store.forget(before: store.known.upperBound - Int64(8 * source.rate)) }
  }

  /// Pauses until `resume`: audio that is read meanwhile is silence.
  func pause() {
    release()
    isLost = true
  }

  /// Continues after a loss: the frames that are added next were taken from this time on.
  func resume(at time: MonotonicTime) {
    isLost = false
    gaps += 1
    release()
    guard clock.isRunning else { return }
    insertSilence(Int64(clock.position(at: time).rounded()) - store.known.upperBound)
    breakOff()
  }

  /// Appends this many frames of silence, none if negative; returns their number.
  @discardableResult
  private func insertSilence(_ count: Int64) -> Int64 {
    let count = max(count, 0)
    missingFrames += count
    if count < 20 * Int64(source.rate) {
      store.append(nil, count: Int(count))
    } else {
      store.skip(to: store.known.upperBound + count)
    }
    return count
  }

  /// Appends the held frames directly after the earlier ones.
  private func release() {
    held.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, bytes.count > 0 else { return }
      store.append(base, count: bytes.count / source.frameBytes)
    }
    held.removeAll(keepingCapacity: true)
  }

  private func breakOff() {
    release()
    clock.breakOff()
    longClock.breakOff()
    watch.restart()
  }

  // MARK: - The output's side

  /// Starts reading samples at this time.
  func begin(at time: MonotonicTime) { start = time }

  /// Stops reading until `begin`.
  func end() {
    start = nil
    resampler = nil
  }

  /// Writes the next samples into the planes from a position on, at most `count`; returns their number.
  func read(_ count: Int, into planes: SamplePlanes, at place: Int) throws(FFmpegError) -> Int {
    guard let start, clock.isRunning || isLost else { return 0 }
    if resampler == nil { try startResampler(at: start, sample: 0) }
    guard var current = resampler else { return 0 }
    while current.count < count {
      try steer(since: start)
      if let other = resampler { current = other }
      guard try feed(current) else { break }
    }
    let ready = min(count, current.count)
    if ready > 0 { try current.take(ready, into: planes, at: place) }
    return ready
  }

  private func startResampler(at time: MonotonicTime, sample: Int64) throws(FFmpegError) {
    let place = clock.position(at: time)
    base = (Int64(place.rounded()), sample)
    steered = 0
    let made = try SteeredResampler(from: source, to: target)
    try made.setPace(clock.rate / clock.nominalRate)
    resampler = made
  }

  /// Sets the pace so that the read position moves to the position that the clock gives.
  private func steer(since start: MonotonicTime) throws(FFmpegError) {
    guard let resampler, resampler.made >= steered else { return }
    steered = resampler.made + Int64(target.rate / 10)
    let sample = base.sample + resampler.made
    let due = start + Rational(sample, Int64(target.rate))
    let error =
      clock.position(at: due) - (Double(base.place) + resampler.position)
    guard abs(error) < AudioTimeline.largestError * clock.nominalRate || resampler.count > 0 else {
      gaps += 1
      return try startResampler(at: due, sample: sample)
    }
    let correction = error / (AudioTimeline.patience * clock.nominalRate)
    let limit = AudioTimeline.steepest
    try resampler.setPace(
      clock.rate / clock.nominalRate + min(max(correction, -limit), limit))
  }

  /// Gives the resampler the next frames; false if there are none yet.
  private func feed(_ resampler: SteeredResampler) throws(FFmpegError) -> Bool {
    let next = base.place + resampler.given
    let most = AudioTimeline.blockSize
    if store.known.contains(next) {
      try resampler.give(store.frames(from: next, atMost: most))
      // Keeps one second, to which a jump in time may go back.
      store.forget(before: next - Int64(source.rate))
    } else if next < store.known.lowerBound {
      try giveSilence(Int(min(store.known.lowerBound - next, Int64(most))), resampler)
    } else if isLost {
      try giveSilence(most, resampler)
    } else {
      return false
    }
    return true
  }

  private func giveSilence(_ count: Int, _ resampler: SteeredResampler) throws(FFmpegError) {
    try resampler.give(UnsafeRawBufferPointer(rebasing: silence[..<(count * source.frameBytes)]))
  }
}
