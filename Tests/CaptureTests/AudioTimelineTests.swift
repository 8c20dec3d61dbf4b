import ALSAHandles
import FFmpegHandles
import Frames
import Glibc
import Testing

@testable import Capture

/// An audio device with an inaccurate clock, which reports its position in coarse steps.
private struct MadeUpDevice {
  let setting: CapturePCM.Setting
  /// The error of the device's clock in millionths; positive means fast.
  var drift: Double
  /// The timer interval in seconds at which the reported position advances.
  var step = 0.004
  /// The sample value that is heard at a time in seconds.
  var signal: (Double) -> Float
  /// The time in seconds of the first sample since the last start.
  var start = 100.0
  private var taken: Int64 = 0
  private var wake = 0.0

  init(drift: Double, rate: Int = 48_000, signal: @escaping (Double) -> Float) {
    setting = CapturePCM.Setting(
      rate: rate, channels: 1, format: .float, bufferSize: rate / 2)
    self.drift = drift
    self.signal = signal
  }

  var rate: Double { Double(setting.rate) * (1 + drift / 1e6) }

  static func moment(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// Adds the device's samples up to a time to a timeline, in reads about 20 ms apart.
  mutating func run(until end: Double, into timeline: AudioTimeline) {
    wake = max(wake, start)
    while wake < end {
      // Not a multiple of the timer interval.
      wake += 0.0193
      let position = Int64(((wake / step).rounded(.down) * step - start) * rate)
      guard position > taken else { continue }
      timeline.note(pending: Int(position - taken), at: MadeUpDevice.moment(wake))
      let samples = (taken..<position).map { signal(start + Double($0) / rate) }
      samples.withUnsafeBytes { timeline.add($0) }
      taken = position
    }
  }

  /// Captures nothing for a time, without a gap in the sample count.
  mutating func standStill(_ time: Double) {
    start += time
    wake += time
  }

  /// Loses all samples up to a time, and reports the gap.
  mutating func lose(until time: Double, _ timeline: AudioTimeline) {
    (start, taken, wake) = (time, 0, time)
    timeline.resume(at: MadeUpDevice.moment(time))
  }
}

/// Reads up to a number of samples from the beginning of a timeline.
private func read(_ count: Int, from timeline: AudioTimeline) throws -> [Float] {
  let planes = SamplePlanes(channels: 1, capacity: count)
  var done = 0
  while done < count {
    let piece = try timeline.read(min(count - done, 1000), into: planes, at: done)
    if piece == 0 { break }
    done += piece
  }
  return Array(planes[0].prefix(done))
}

/// Returns the index of the loudest sample of each click; clicks are at least 2000 samples apart.
private func clicks(in samples: [Float]) -> [Int] {
  var found: [Int] = []
  for index in samples.indices where abs(samples[index]) > 0.3 {
    if let last = found.last, index - last < 2000 {
      if abs(samples[index]) > abs(samples[last]) { found[found.count - 1] = index }
    } else {
      found.append(index)
    }
  }
  return found
}

/// Returns a smooth click of about a millisecond at every whole second.
private func everySecond(_ time: Double) -> Float {
  let distance = (time - time.rounded()) * 8000
  return abs(distance) > 20 ? 0 : Float(exp(-distance * distance / 8))
}

@Suite("A microphone's audio on the system clock") struct AudioTimelineTests {
  @Test(
    "audio comes out at the time at which it was heard, whatever the error of the device's clock",
    arguments: [40.0, 1000, -1000])
  func clocks(drift: Double) throws {
    var device = MadeUpDevice(drift: drift, rate: 16_000, signal: everySecond)
    let timeline = AudioTimeline(from: device.setting, to: (16_000, 1))
    device.run(until: 100.7, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.4))
    device.run(until: 131, into: timeline)
    let places = clicks(in: try read(30 * 16_000, from: timeline))
    #expect(places.count == 30)
    for (number, place) in places.enumerated() {
      let error = Double(place) / 16_000 - (0.6 + Double(number))
      // The device itself has steps of 4 ms.
      #expect(abs(error) < 0.0045, "click \(number) is \(error * 1000) ms late")
    }
    #expect(abs(timeline.drift - drift) < 10, "\(timeline.drift)")
    #expect(timeline.gaps == 0 && timeline.missing == 0)
  }

  @Test("audio begins at the sample of the requested time, with silence where samples are missing")
  func beginning() throws {
    var device = MadeUpDevice(drift: 0) { $0 < 100.5 ? 0.25 : 0.5 }
    device.step = 1 / 48_000
    let timeline = AudioTimeline(from: device.setting, to: (48_000, 1))
    device.run(until: 101, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.5))
    let trimmed = try read(1000, from: timeline)
    #expect(trimmed.count == 1000 && trimmed.dropFirst(40).allSatisfy { abs($0 - 0.5) < 0.001 })
    timeline.begin(at: MadeUpDevice.moment(99.9))
    timeline.end()
    timeline.begin(at: MadeUpDevice.moment(99.9))
    let padded = try read(10_000, from: timeline)
    let edge = try #require(padded.firstIndex { $0 > 0.125 })
    #expect(abs(edge - 4800) <= 1, "\(edge)")
    #expect(padded.prefix(4700).allSatisfy { $0 == 0 })
  }

  @Test("there is no audible step while the clock rate is being measured")
  func steady() throws {
    let turn = 2 * Double.pi * 1000
    var device = MadeUpDevice(drift: 300) { Float(0.5 * sin(turn * $0)) }
    let timeline = AudioTimeline(from: device.setting, to: (48_000, 1))
    device.run(until: 100.3, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.1))
    device.run(until: 107, into: timeline)
    let samples = try read(6 * 48_000, from: timeline)
    #expect(samples.count == 6 * 48_000)
    // Each sample of a pure tone follows from the two before it; any difference is a step or noise.
    let factor = Float(2 * cos(turn / 48_000))
    var largest: Float = 0
    for index in 100..<samples.count {
      let guess = factor * samples[index - 1] - samples[index - 2]
      largest = max(largest, abs(samples[index] - guess))
    }
    // The rate may be off by up to 0.4%, which gives 7e-5.
    #expect(largest < 2e-4, "\(largest)")
  }

  @Test("lost audio becomes silence of the right length")
  func gap() throws {
    var device = MadeUpDevice(drift: 200, signal: everySecond)
    let timeline = AudioTimeline(from: device.setting, to: (48_000, 1))
    device.run(until: 100.6, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.5))
    device.run(until: 105.3, into: timeline)
    device.lose(until: 107.6, timeline)
    device.run(until: 112, into: timeline)
    let samples = try read(11 * 48_000, from: timeline)
    let times = clicks(in: samples).map { Double($0) / 48_000 + 100.5 }
    #expect(times.count == 9, "\(times)")
    for (time, heard) in zip(times, [101.0, 102, 103, 104, 105, 108, 109, 110, 111]) {
      #expect(abs(time - heard) < 0.0085, "\(time)")
    }
    #expect(timeline.gaps == 1)
    #expect(abs(timeline.missing - 2.3) < 0.01, "\(timeline.missing)")
  }

  @Test("audio lost without a report becomes silence, and a late timestamp alone does not")
  func secretLoss() throws {
    var device = MadeUpDevice(drift: 200, rate: 16_000, signal: everySecond)
    let timeline = AudioTimeline(from: device.setting, to: (16_000, 1))
    device.run(until: 100.6, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.5))
    device.run(until: 104.3, into: timeline)
    timeline.note(pending: 0, at: MadeUpDevice.moment(104.5))
    device.run(until: 105.3, into: timeline)
    #expect(timeline.gaps == 0)
    device.standStill(2.6)
    // Audio from 0.1 s after the gap arrives before the length of the gap is known.
    device.run(until: 108.1, into: timeline)
    #expect(timeline.gaps == 0)
    let before = try read(16_000 * 14, from: timeline)
    #expect(abs(before.count - 76_800) < 400, "\(before.count)")
    device.run(until: 115, into: timeline)
    #expect(timeline.gaps == 1 && abs(timeline.missing - 2.6) < 0.01, "\(timeline.missing)")
    let samples = try before + read(14 * 16_000, from: timeline)
    let times = clicks(in: samples).map { Double($0) / 16_000 + 100.5 }
    for heard in [101.0, 102, 103, 104, 105, 108, 109, 110, 111, 112, 113, 114] {
      #expect(times.contains { abs($0 - heard) < 0.0085 }, "\(heard) in \(times)")
    }
  }

  @Test("a device that is gone gives silence, and continues when it is back")
  func loss() throws {
    var device = MadeUpDevice(drift: -100, signal: everySecond)
    let timeline = AudioTimeline(from: device.setting, to: (48_000, 1))
    device.run(until: 100.6, into: timeline)
    timeline.begin(at: MadeUpDevice.moment(100.5))
    device.run(until: 103.2, into: timeline)
    #expect(try read(4 * 48_000, from: timeline).count < 3 * 48_000)
    timeline.pause()
    let silence = try read(48_000, from: timeline)
    #expect(silence.count == 48_000 && silence.dropFirst(4800).allSatisfy { $0 == 0 })
    device.lose(until: 140.5, timeline)
    device.run(until: 143, into: timeline)
    timeline.end()
    timeline.begin(at: MadeUpDevice.moment(141.5))
    #expect(clicks(in: try read(48_000, from: timeline)).allSatisfy { abs($0 - 24_000) < 400 })
  }

  @Test("the audio clock stays right for hours", arguments: [15.0, -250])
  func hours(drift: Double) throws {
    var clock = AudioClock(nominalRate: 48_000)
    var long = AudioClock(nominalRate: 48_000, window: nil)
    let rate = 48_000 * (1 + drift / 1e6)
    // Steps of 4 ms, and every fiftieth timestamp is late.
    for look in 0..<7_200 {
      let time = Double(look) * 1.003
      let late = look % 50 == 7 ? 0.05 : 0
      let position = Int64((time / 0.004).rounded(.down) * 0.004 * rate)
      clock.add(position: position, time: MadeUpDevice.moment(time + late))
      long.add(position: position, time: MadeUpDevice.moment(time + late))
    }
    let end = 7_222.0
    let error = clock.position(at: MadeUpDevice.moment(end)) / rate - end
    #expect(abs(error) < 0.005, "\(error)")
    #expect(abs(long.drift - drift) < 0.1, "\(long.drift)")
  }
}
