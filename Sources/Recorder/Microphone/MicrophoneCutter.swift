import Capture
import FFmpegHandles
import Frames

/// Cuts a microphone's audio to the output's time, as samples that match the frames shown; only one thread uses it.
final class MicrophoneCutter {
  let format: AudioFormat

  private let audio: MicrophoneAudio
  private let volume: Float
  /// Samples that are sent next; `filled` is how many there are.
  private let block: SamplePlanes
  private let pool: AudioBlockPool
  private var filled = 0
  /// Number of samples in the output so far.
  private var position: Int64 = 0
  private var isReading = false
  /// Output position of the last cut, in samples.
  private var cut: Int64?

  /// Milliseconds to wait for audio before checking for new marks.
  private static let wait: Int32 = 20
  /// Seconds after the end of the output; audio still missing then is given up.
  private static let patience = Rational(2)
  /// Seconds of fade-out before a cut and of fade-in after it, which avoid a click.
  private static let fade = 0.005

  private static let blockSize = 1024

  /// Creates a cutter; `audio` must have a target format that the encoder supports, and its samples are
  /// multiplied by `volume`.
  init(_ audio: MicrophoneAudio, volume: Float = 1) {
    (self.audio, self.volume) = (audio, volume)
    format = AudioFormat(rate: audio.target.rate, channels: audio.target.channels)
    block = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
    pool = AudioBlockPool(format, capacity: Self.blockSize)
  }

  /// Reads until the end of the output, or until interrupted.
  func run(_ mailbox: MicrophoneMailbox) {
    var marks: [MicrophoneMailbox.Mark] = []
    var deadline: MonotonicTime?
    while !mailbox.interruption.isInterrupted {
      mailbox.interruption.wait(milliseconds: MicrophoneCutter.wait)
      mailbox.collect(into: &marks)
      do {
        let send = mailbox.send
        var done = 0
        while done < marks.count, try pass(marks[done], { _ = send($0) }) { done += 1 }
        if case .end? = marks.last {
          if done == marks.count { return }
          let limit = deadline ?? .now + MicrophoneCutter.patience
          deadline = limit
          if MonotonicTime.now > limit { audio.giveUp() }
        }
        marks.removeFirst(done)
      } catch {
        mailbox.failure = error
        return
      }
    }
  }

  /// Sends the audio up to a mark; returns false if part of it is not available yet.
  private func pass(
    _ mark: MicrophoneMailbox.Mark, _ each: (AudioBlock) -> Void
  ) throws -> Bool {
    switch mark {
    case .frame(let taken, let shown):
      let goal = ticks(shown)
      if !isReading {
        isReading = true
        audio.begin(at: taken + Rational(position - goal, Int64(format.rate)))
      }
      return try advance(to: goal, each)
    case .pause(let time):
      guard isReading else { return true }
      cut = ticks(time)
      guard try advance(to: ticks(time), each) else { return false }
      isReading = false
      audio.end()
    case .end(let time):
      guard try !isReading || advance(to: ticks(time), each) else { return false }
      handOn(each)
    }
    return true
  }

  private func ticks(_ time: Rational) -> Int64 {
    time.ticks(timeBase: format.sampleDuration)
  }

  private func handOn(_ each: (AudioBlock) -> Void) {
    guard filled > 0 else { return }
    let time = Rational(position - Int64(filled)) * format.sampleDuration
    each(
      pool.block(time: time, count: filled) { channel, samples in
        for number in 0..<filled { samples[number] = block[channel][number] * volume }
      })
    filled = 0
  }

  private func advance(to goal: Int64, _ each: (AudioBlock) -> Void) throws -> Bool {
    while position < goal {
      let wanted = Int(min(goal - position, Int64(Self.blockSize - filled)))
      let count = try audio.read(wanted, into: block, at: filled)
      guard count > 0 else { return false }
      softenCut(count)
      filled += count
      position += Int64(count)
      if filled == Self.blockSize { handOn(each) }
    }
    return true
  }

  /// Fades the samples that were just read if they are near a cut.
  private func softenCut(_ count: Int) {
    let reach = MicrophoneCutter.fade * Double(format.rate)
    guard let cut, abs(Double(cut - position)) < reach + Double(count) else { return }
    for place in 0..<count {
      let distance = abs(Double(position + Int64(place) - cut) + 0.5)
      guard distance < reach else { continue }
      for channel in 0..<block.channels {
        block[channel][filled + place] *= Float(distance / reach)
      }
    }
  }
}
