import ALSAHandles
import FFmpegHandles
import Frames

/// A device's sound, laid out along the system's clock: a sample is heard where it was taken, to the
/// sample at the beginning and on average ever after, however far off the device's own clock is.
///
/// What comes from the device goes in on one side; on the other, from a moment on, samples come out at
/// a true rate. What was lost, and what the device had not begun with, is silence. Used by one thread.
final class AudioTimeline {
  /// How often sound was missing, and how much of what came out is silence for that, in seconds.
  private(set) var gaps = 0
  var missing: Double { Double(missingFrames) / Double(source.rate) }

  private let source: CapturePCM.Setting
  private let target: (rate: Int, channels: Int)
  private let store: SampleStore
  private var clock: AudioClock
  /// Of the whole time, for what is told in the end.
  private var longClock: AudioClock
  private var watch = LossWatch()
  /// What came since the count is in doubt: it lies behind a gap, or follows what came before.
  private var held: [UInt8] = []
  private let silence: UnsafeMutableRawBufferPointer
  private var missingFrames: Int64 = 0
  /// No more comes for now.
  private var isLost = false

  /// What is read: sound from `start` on.
  private var start: MonotonicTime?
  private var resampler: SteeredResampler?
  /// The place of the resampler's first frame, and the number of its first sample since `start`.
  private var base: (place: Int64, sample: Int64) = (0, 0)
  /// Samples until the pace is looked at again.
  private var steered: Int64 = 0

  /// Frames that are resampled at once.
  private static let blockSize = 1024
  /// Seconds in which an error goes away; at the most that the pace may differ for it, in parts of
  /// one, nobody hears it.
  private static let patience = 4.0
  private static let steepest = 0.004
  /// An error of so many seconds does not come from a clock.
  private static let largestError = 0.1

  init(from source: CapturePCM.Setting, to target: (rate: Int, channels: Int)) {
    self.source = source
    self.target = target
    store = SampleStore(frameBytes: source.frameBytes)
    clock = AudioClock(nominalRate: source.rate)
    longClock = AudioClock(nominalRate: source.rate, window: nil)
    silence = .allocate(byteCount: AudioTimeline.blockSize * source.frameBytes, alignment: 16)
    silence.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { silence.deallocate() }

  /// How much faster the device's clock is than it promises, in millionths.
  var drift: Double { longClock.drift }

  // MARK: - The device's side

  /// At a time the device had taken so many frames that have not been added yet.
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
    // A beginning lies in the past, but not by more than this, even where the machine is slow.
    if start == nil { store.forget(before: store.known.upperBound - Int64(8 * source.rate)) }
  }

  /// Nothing comes until `resume`: what is asked for meanwhile is silence.
  func pause() {
    release()
    isLost = true
  }

  /// After something was lost: what is added next was taken from this time on.
  func resume(at time: MonotonicTime) {
    isLost = false
    gaps += 1
    release()
    guard clock.isRunning else { return }
    insertSilence(Int64(clock.position(at: time).rounded()) - store.known.upperBound)
    breakOff()
  }

  /// Goes on after so many frames of silence, where that is more than none; how many they are.
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

  /// What was held follows what came before.
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

  /// From this moment on samples are read.
  func begin(at time: MonotonicTime) { start = time }

  /// No more are read until `begin`.
  func end() {
    start = nil
    resampler = nil
  }

  /// Puts the next samples into the planes from a place on, at most `count`; how many there are.
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

  /// Sets the pace so that the place that is read goes to where the clock has it.
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
      // What a cut in time may go back to.
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
