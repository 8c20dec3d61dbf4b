import Capture
import FFmpegHandles
import Frames

/// Makes an audio device's samples of the compressed audio of a recording.
///
/// Positions are in seconds from the recording's first frame. Used by one thread.
final class AudioFeed {
  private let source: SourceAudio
  private var stretch: TimeStretch?
  private var speed = 1.0
  /// Decoded samples of each channel, for a while also after they were used: a change of speed begins again where
  /// the device is.
  private var samples: [[Float]]
  /// Number of the first of these samples, from the first frame on.
  private var base = 0
  private var next = 0
  private(set) var place = 0.0
  private let block = SamplePlanes(
    channels: AudioDevice.channels, capacity: TimeStretch.blockSize)

  /// Samples that are kept after they were used: 2 seconds.
  private static let kept = 2 * AudioDevice.rate

  /// Opens a decoder; nil if FFmpeg has none.
  init?(_ stream: CompressedStream) throws(FFmpegError) {
    let format = AudioFormat(rate: AudioDevice.rate, channels: AudioDevice.channels)
    guard let source = try SourceAudio(stream, from: .zero, as: format) else { return nil }
    self.source = source
    samples = Array(repeating: [], count: AudioDevice.channels)
  }

  func add(_ packet: CompressedPacket) throws(FFmpegError) { try source.add(packet) }

  /// No more packets come; silence follows.
  func end() throws(FFmpegError) { try source.end() }

  /// Fills with silence up to a place: no packet that begins before it comes any more.
  func pad(to place: Double) throws(FFmpegError) {
    try source.pad(to: Int64(place * Double(AudioDevice.rate)))
  }

  func restart(at place: Double, speed: Double) {
    self.speed = speed
    next = max(Int((place * Double(AudioDevice.rate)).rounded()), base)
    self.place = Double(next) / Double(AudioDevice.rate)
    stretch =
      speed == 1
      ? nil
      : TimeStretch(speed: speed, rate: AudioDevice.rate, channels: AudioDevice.channels)
  }

  /// Gives the device samples until this many seconds wait there, or there are none.
  func fill(_ device: AudioDevice, to seconds: Double) throws(FFmpegError) {
    while device.queued < seconds, try take() {
      guard stretch != nil else {
        give(block, TimeStretch.blockSize, to: device)
        continue
      }
      stretch?.process(block, count: TimeStretch.blockSize)
      stretch?.retrieve { give($0, $1, to: device) }
    }
    forget()
  }

  private func give(_ planes: SamplePlanes, _ count: Int, to device: AudioDevice) {
    let channels = AudioDevice.channels
    let mixed = [Float](unsafeUninitializedCapacity: count * channels) { target, filled in
      for channel in 0..<channels {
        let plane = planes[channel]
        for number in 0..<count { target[number * channels + channel] = plane[number] }
      }
      filled = count * channels
    }
    device.add(mixed, at: place, speed: speed)
    place += Double(count) * speed / Double(AudioDevice.rate)
  }

  /// Copies the next block of samples; false if it is not known yet.
  private func take() throws(FFmpegError) -> Bool {
    let count = TimeStretch.blockSize
    while base + samples[0].count < next + count {
      // Only whole blocks are read, so that nothing but silence after the end is made up.
      if let known = source.known, known < base + samples[0].count + count { return false }
      try source.read(count, into: block, at: 0)
      for channel in samples.indices { samples[channel] += block[channel].prefix(count) }
    }
    for channel in samples.indices {
      for number in 0..<count { block[channel][number] = samples[channel][next - base + number] }
    }
    next += count
    return true
  }

  private func forget() {
    let surplus = next - base - Self.kept
    guard surplus > Self.kept else { return }
    for channel in samples.indices { samples[channel].removeFirst(surplus) }
    base += surplus
  }
}
