import CSDL
import Frames
import Synchronization

/// An audio device that cannot be opened, in one sentence.
struct AudioDeviceError: ExplainedError {
  let description: String
}

/// The default audio output: samples wait in it, each with its position in the source, until the device asks for them.
///
/// One thread opens, fills and releases it; SDL's own thread takes the samples.
final class AudioDevice: Sendable {
  /// Samples in a row, interleaved, with the place of the first one and the seconds of the source for each.
  private struct Block: Sendable {
    var samples: [Float]
    var place: Double
    var step: Double
    /// Number of samples of each channel that were taken.
    var taken = 0
  }

  private struct State: Sendable {
    var blocks: [Block] = []
    var queued = 0
    var volume: Float = 1
    var end = 0.0
  }

  static let rate = 48_000
  static let channels = 2
  /// Samples that the device takes at once: 21 ms.
  private static let period: UInt16 = 1024

  private let state = Mutex(State())
  private let hear: @Sendable (_ place: Double, _ moment: MonotonicTime) -> Void
  private let number = Atomic<UInt32>(0)
  /// Seconds from a call of the device to the moment at which its samples are heard.
  private let latency: Rational

  /// Opens the device, which is silent at first.
  ///
  /// - Parameter hear: Called on SDL's thread with a place of the source and the moment at which it is heard.
  /// - Throws: If there is no device.
  init(
    hear: @escaping @Sendable (_ place: Double, _ moment: MonotonicTime) -> Void
  ) throws(AudioDeviceError) {
    self.hear = hear
    // The device plays the samples of the call before while it takes those of this one.
    latency = Rational(Int64(Self.period), Int64(Self.rate))
    guard SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 else { throw Self.error() }
    var preference = SDL_AudioSpec()
    preference.freq = Int32(Self.rate)
    preference.format = SDL_AudioFormat(kf_sdl_float_samples())
    preference.channels = UInt8(Self.channels)
    preference.samples = Self.period
    preference.userdata = Unmanaged.passUnretained(self).toOpaque()
    preference.callback = { device, bytes, count in
      guard let device, let bytes else { return }
      Unmanaged<AudioDevice>.fromOpaque(device).takeUnretainedValue().give(
        UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: Float.self),
        count: Int(count) / (MemoryLayout<Float>.size * AudioDevice.channels))
    }
    let opened = SDL_OpenAudioDevice(nil, 0, &preference, nil, 0)
    guard opened > 0 else {
      let error = Self.error()
      SDL_QuitSubSystem(SDL_INIT_AUDIO)
      throw error
    }
    number.store(opened, ordering: .relaxed)
  }

  private static func error() -> AudioDeviceError {
    AudioDeviceError(
      description: "no audio device can be opened (\(String(cString: SDL_GetError()))); "
        + "playing without sound")
  }

  deinit {
    let number = number.load(ordering: .relaxed)
    guard number > 0 else { return }
    SDL_CloseAudioDevice(number)
    SDL_QuitSubSystem(SDL_INIT_AUDIO)
  }

  /// Lets the device play, or makes it silent.
  func play(_ plays: Bool) { SDL_PauseAudioDevice(number.load(ordering: .relaxed), plays ? 0 : 1) }

  func setVolume(_ volume: Float) { state.withLock { $0.volume = volume } }

  /// Seconds of output that wait.
  var queued: Double { Double(state.withLock { $0.queued }) / Double(Self.rate) }

  /// The place of the source at which the samples that were given end.
  var end: Double { state.withLock { $0.end } }

  /// Appends interleaved samples, of which the first has this place in the source, in seconds.
  ///
  /// `speed` is the seconds of the source for each second of the samples.
  func add(_ samples: [Float], at place: Double, speed: Double) {
    let count = samples.count / Self.channels
    let block = Block(samples: samples, place: place, step: speed / Double(Self.rate))
    state.withLock { state in
      state.blocks.append(block)
      state.queued += count
      state.end = place + Double(count) * block.step
    }
  }

  func clear() {
    let old = state.withLock { state in
      let old = state.blocks
      (state.blocks, state.queued) = ([], 0)
      return old
    }
    // Released outside the lock, for which SDL's thread may wait.
    withExtendedLifetime(old) {}
  }

  /// Fills SDL's memory: what waits, and then silence.
  private func give(_ target: UnsafeMutablePointer<Float>, count: Int) {
    let now = MonotonicTime.now
    let channels = Self.channels
    let first = state.withLock { state -> Double? in
      var filled = 0
      var first: Double?
      var spent = 0
      for index in state.blocks.indices where filled < count {
        let block = state.blocks[index]
        let taken = min(block.samples.count / channels - block.taken, count - filled)
        if first == nil { first = block.place + Double(block.taken) * block.step }
        for number in 0..<taken * channels {
          target[filled * channels + number] =
            block.samples[block.taken * channels + number] * state.volume
        }
        state.blocks[index].taken += taken
        filled += taken
        if state.blocks[index].taken * channels == block.samples.count { spent += 1 }
      }
      state.blocks.removeFirst(spent)
      state.queued -= filled
      for number in filled * channels..<count * channels { target[number] = 0 }
      return first
    }
    if let first { hear(first, now + latency) }
  }
}
