import Capture
import FFmpegHandles
import Frames
import Render
import ShaderEffects

/// Audio that effects can read: the last second or so before the frames.
///
/// Audio arrives in the source's order, and the audio for a frame's time arrives before the frame. So
/// the same frame gets the same samples, wherever a recording starts; in a container that rounds times, to within that
/// rounding. Only one thread uses it.
final class AudioHistory: EffectAudio {
  let channels: Int

  /// Sample rate, in samples per second.
  private let rate: Int
  /// Source time of the first recorded frame: samples are counted in the source's own time.
  private let zero: Rational
  private let placeError: Int64
  /// Nil if samples come instead of packets.
  private var decoder: AudioDecoder?
  /// Whether audio may come after the frame of its time; effects then hear what is available.
  private let isLive: Bool
  /// One ring of samples per channel, one after the other.
  private var ring: [Float]
  /// Positions of the available samples: the source's own time multiplied by the sample rate.
  private var known: Range<Int64> = 0..<0
  /// Where the samples that came in end; nil before the first one.
  private var arrived: Int64?
  /// Spectra by number of columns.
  private var spectra: [Int: AudioSpectrum] = [:]
  /// Made when levels are first wanted.
  private var analysis: AudioAnalysis?
  private let samples: UnsafeMutableBufferPointer<Float>
  private let columns: UnsafeMutableBufferPointer<Float>

  /// Number of samples kept per channel; a power of two.
  private static let capacity = 1 << 16
  /// Maximum number of samples per request.
  static let longest = 1 << 14
  /// Maximum number of channels; further channels are left out.
  private static let mostChannels = 16

  /// Creates the history; nil if nothing requested audio, or FFmpeg cannot decode it.
  ///
  /// The first recorded frame has the source time `zero`, in seconds; of a live source audio may come after the frame of
  /// its time.
  init?(_ audio: AudioForEffects?, zero: Rational, isLive: Bool = false) {
    let format: AudioFormat
    switch audio {
    case .packets(let stream)?:
      guard let decoder = AudioDecoder(stream) else { return nil }
      (format, placeError) = (decoder.format, decoder.placeError)
      self.decoder = .some(consume decoder)
    case .blocks(let blocks)?: (format, placeError) = (blocks, 1)
    case nil: return nil
    }
    (self.zero, self.isLive) = (zero, isLive)
    rate = format.rate
    channels = min(format.channels, Self.mostChannels)
    ring = Array(repeating: 0, count: channels * Self.capacity)
    // Not allocated as default values, which nothing would free if the initializer returns nil.
    samples = .allocate(capacity: Self.longest)
    columns = .allocate(capacity: Self.longest)
  }

  deinit {
    samples.deallocate()
    columns.deallocate()
  }

  /// Adds the next packet, whose time counts from the first recorded frame.
  func add(_ packet: CompressedPacket) throws(FFmpegError) {
    // In the source's own time, a packet's samples have whole positions.
    let own = try packet.moved(to: zero + packet.time)
    decoder?.decode(own) { place, count, sample in add(place, count, sample) }
  }

  func add(_ block: AudioBlock) {
    guard decoder == nil, block.format.rate == rate, block.format.channels >= channels else {
      return
    }
    let place = ((zero + block.time) * Rational(Int64(rate)) + Rational(1, 2)).floor
    add(place, block.count) { channel, number in block.samples(ofChannel: channel)[number] }
  }

  func fill(_ picture: AudioTexture, slot: Int, time: Rational) throws {
    let input = picture.input
    let values = UnsafeMutableBufferPointer(rebasing: columns[..<input.columns])
    for channel in 0..<channels {
      if input.isSpectrum {
        let spectrum = try spectrum(input.columns)
        let window = UnsafeMutableBufferPointer(rebasing: samples[..<spectrum.count])
        read(channel: channel, before: time, into: window)
        spectrum.fill(values, from: window)
      } else {
        read(channel: channel, before: time, into: values)
        for index in values.indices { values[index] = min(max(0.5 + values[index] / 2, 0), 1) }
      }
      picture.write(slot: slot, row: channel, values)
    }
  }

  /// Returns the audio levels for formulas at a frame's time, in seconds from the first recorded frame.
  func levels(at time: Rational) throws(CaptureError) -> AudioLevels {
    let analysis = if let made = self.analysis { made } else { try AudioAnalysis(rate: rate) }
    self.analysis = analysis
    return analysis.levels(at: end(before: time)) { end, samples in
      samples.update(repeating: 0)
      for channel in 0..<channels {
        for index in samples.indices {
          let place = end - Int64(samples.count - index)
          if known.contains(place) { samples[index] += ring[slot(channel, place)] }
        }
      }
      for index in samples.indices { samples[index] /= Float(channels) }
    }
  }

  private func spectrum(_ columns: Int) throws(CaptureError) -> AudioSpectrum {
    if let known = spectra[columns] { return known }
    let spectrum = try AudioSpectrum(columns: columns)
    spectra[columns] = spectrum
    return spectrum
  }

  /// Reads the last `samples.count` samples of a channel before a time, in seconds from the first
  /// recorded frame; 0 where there is no audio.
  func read(
    channel: Int, before time: Rational, into samples: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(samples.count <= Self.longest && channel < channels)
    let end = end(before: time)
    let start = end - Int64(samples.count)
    for index in samples.indices {
      let place = start + Int64(index)
      samples[index] = known.contains(place) ? ring[slot(channel, place)] : 0
    }
  }

  /// Returns the place of the first sample at or after a time.
  private func end(before time: Rational) -> Int64 {
    let end = ((zero + time) * Rational(Int64(rate))).floor
    return isLive ? min(end, known.upperBound) : end
  }

  private func slot(_ channel: Int, _ place: Int64) -> Int {
    channel * Self.capacity + Int(place & Int64(Self.capacity - 1))
  }

  /// Stores samples; without a position, they follow the previous samples.
  private func add(_ place: Int64?, _ count: Int, _ sample: (Int, Int) -> Float) {
    var place = place ?? arrived ?? known.upperBound
    // An offset within the container's rounding error is ignored, as for the output's audio (SourceAudio): samples that
    // are repeated or dropped at each packet are clicks, which effects would hear as onsets.
    if let arrived, abs(place - arrived) <= placeError { place = arrived }
    arrived = place + Int64(count)
    if known.isEmpty { known = place..<place }
    // Missing audio becomes silence; a gap that rounding errors or a drifting clock add up to repeats the last sample.
    // Where blocks overlap, the first one stays.
    let gap = min(max(place - known.upperBound, 0), Int64(Self.capacity))
    let isDrift = !known.isEmpty && gap <= 2 * placeError
    for missing in place - gap..<place {
      for channel in 0..<channels {
        ring[slot(channel, missing)] = isDrift ? ring[slot(channel, known.upperBound - 1)] : 0
      }
    }
    let end = place + Int64(count)
    for here in max(place, known.upperBound)..<max(end, known.upperBound, place) {
      for channel in 0..<channels { ring[slot(channel, here)] = sample(channel, Int(here - place)) }
    }
    let upper = max(end, known.upperBound)
    known = max(known.lowerBound, upper - Int64(Self.capacity))..<upper
  }
}
