import FFmpegHandles
import Frames

/// Samples of a file that were read, and wait until they may be delivered.
///
/// Before the first frame everything waits for it. After it, audio waits until it is known whether the part wants it.
struct WaitingSamples {
  private var ready: [MediaSample] = []
  private var audio = PendingAudio()
  /// Audio for effects, and decoded audio, from before the first frame.
  private var audioAhead: [MediaSample] = []
  /// Subtitles from before the first frame.
  private var subtitlesAhead: [CompressedPacket] = []
  /// Subtitles that may outlast the part, in order.
  private var subtitles: [CompressedPacket] = []

  /// Whether no sample may be delivered.
  var isEmpty: Bool { ready.isEmpty }

  /// Seconds of audio left out because they end before the first frame.
  var audioLeftOut: Rational { audio.leftOut }

  mutating func removeFirst() -> MediaSample { ready.removeFirst() }

  /// Puts a sample before all others that may be delivered.
  mutating func insertFirst(_ sample: MediaSample) { ready.insert(sample, at: 0) }

  /// Forgets the samples that wait for a decision; they are read again.
  mutating func restart() {
    audio.removeAll()
    (audioAhead, subtitlesAhead, subtitles) = ([], [], [])
  }

  /// Forgets the samples that may be delivered.
  mutating func dropReady() { ready = [] }

  /// Keeps a sample that was stored before the first frame.
  mutating func hold(aheadOfFirstFrame sample: MediaSample) {
    switch sample {
    case .subtitle(let packet): subtitlesAhead.append(packet)
    case .audioForEffects, .audio: audioAhead.append(sample)
    case .codedAudio(let packet): audio.hold(aheadOfFirstFrame: packet)
    case .frame: ready.append(sample)
    }
  }

  /// Makes the first frame ready, and after it what was stored ahead of it.
  mutating func begin(with frame: Frame, of part: SourceTrim) throws(FFmpegError) {
    ready.insert(contentsOf: [.frame(frame)] + audioAhead, at: 0)
    for packet in subtitlesAhead { ready += try admit(subtitle: packet, to: part) }
    (audioAhead, subtitlesAhead) = ([], [])
    let ahead = audio.takeAhead(wantedBy: part)
    if part.isLimitedInFrames, !part.isOver {
      for packet in ahead { audio.hold(packet) }
    } else {
      ready += ahead.map { .codedAudio($0) }
    }
  }

  /// Takes a packet of audio; returns the audio that is ready after it: itself, the first one that waited for it, or nothing.
  mutating func admit(
    _ packet: CompressedPacket, to part: SourceTrim, framesFollow: Bool
  ) -> CompressedPacket? {
    // Before the first frame all packets wait for that frame.
    guard part.hasBegun else { return packet }
    let admitted = audio.admit(packet, to: part)
    if part.isLimitedInFrames, framesFollow {
      for packet in admitted { audio.hold(packet) }
      return nil
    }
    ready += admitted.dropFirst().map { .codedAudio($0) }
    return admitted.first
  }

  /// Takes a subtitle; returns those that are ready after it.
  ///
  /// One that may outlast the part waits until the end of the part is known, or until the frames have come to its
  /// own end. The earlier it is delivered, the earlier it is in the file.
  mutating func admit(
    subtitle packet: CompressedPacket, to part: SourceTrim
  ) throws(FFmpegError) -> [MediaSample] {
    // Before the first frame all packets wait for that frame.
    guard part.hasBegun else { return [.subtitle(packet)] }
    subtitles.append(packet)
    return try takeSubtitles(wantedBy: part)
  }

  /// Takes the subtitles of which it is known how long the part shows them; `isOver` says that no frame follows.
  private mutating func takeSubtitles(
    wantedBy part: SourceTrim, isOver: Bool = false
  ) throws(FFmpegError) -> [MediaSample] {
    var taken: [MediaSample] = []
    while let packet = subtitles.first {
      if part.surelyHolds(until: packet.time + packet.duration) {
        taken.append(.subtitle(packet))
      } else if let end = part.end, isOver || part.isEndKnown {
        let shown = end - packet.time
        if shown > .zero {
          taken.append(.subtitle(try packet.moved(to: packet.time, lasting: shown)))
        }
      } else if isOver {
        taken.append(.subtitle(packet))
      } else {
        break
      }
      subtitles.removeFirst()
    }
    return taken
  }

  /// Makes the subtitles ready of which it is known how long the part shows them.
  mutating func releaseSubtitles(
    wantedBy part: SourceTrim, isOver: Bool = false
  ) throws(FFmpegError) {
    guard !subtitles.isEmpty else { return }
    ready += try takeSubtitles(wantedBy: part, isOver: isOver)
  }

  /// Makes the wanted audio that starts before a time ready, or with nil all wanted audio.
  mutating func release(before time: Rational?, wantedBy part: SourceTrim) {
    ready += audio.take(before: time, wantedBy: part).map { .codedAudio($0) }
  }

  /// Ends the stream: audio that waits for audio after it is left out.
  mutating func end() { audio.end() }
}
