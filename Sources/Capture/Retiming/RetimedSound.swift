import CFFmpeg
import FFmpegHandles
import Frames

/// The audio of a retimed source, sample by sample as its frames are shown.
///
/// Rubber Band changes the speed and keeps the pitch: its R3 engine moves a click by less than 2 ms from 0.8 to 4 times the
/// speed, and by less than 7 ms down to 0.25. libavfilter's atempo moves it by up to 84 ms at twice the speed, and leaves out
/// some clicks at four times.
final class RetimedSound {
  let format: AudioFormat
  private let reader: SampleReader
  private let plan: PassPlan?
  /// The source's own time of the first frame.
  private let first: Rational
  private let speed: Rational
  private var stretch: TimeStretch?
  /// Samples that were stretched and not delivered.
  private let queue: SampleQueueHandle
  private let planes: SamplePlanes
  private let pool: AudioBlockPool
  /// Changes the samples at last; nil if nothing does.
  private var filter: SoundFilter?
  /// Number of samples that were delivered, and that were read before the speed is changed.
  private var position: Int64 = 0
  private var taken: Int64 = 0
  /// Number of the stretch of the plan that is read.
  private var number = 0
  /// Samples of a stretch that runs backwards, in the file's order, and the place of the first one.
  private var window: (samples: SamplePlanes, place: Int64, count: Int)?

  private static let blockSize = 1024
  /// Seconds of audio that are decoded at once to be given backwards.
  private static let windowLength = 8

  /// Opens the audio; nil if there is none, or none is wanted.
  ///
  /// - Parameters:
  ///   - request: The request for the retimed source.
  ///   - plan: How the passes follow each other; nil for one that runs forwards.
  ///   - first: The source's own time of the first frame, in seconds.
  ///   - description: Receives the format, and notices about audio that is left out.
  /// - Throws: A sentence if the audio cannot be read.
  init?(
    _ request: SourceRequest, _ plan: PassPlan?, first: Rational,
    into description: inout SourceDescription
  ) throws(CaptureError) {
    let kind = request.kind
    guard request.includesAudio || request.feedsEffects, !kind.isGenerated, !kind.takesFrameRate
    else { return nil }
    guard request.canSeek else {
      throw CaptureError(
        """
        \(description.name) can be read only once, and \(request.retiming.words) reads its audio apart from its \
        frames; add --no-audio, or give it as a file
        """, isUsageError: true)
    }
    guard let reader = try SampleReader(request) else { return nil }
    (self.reader, self.plan, self.first) = (reader, plan, first)
    format = reader.format
    speed = request.retiming.speed
    do throws(FFmpegError) {
      queue = try SampleQueueHandle(channels: format.channels, capacity: 1 << 14)
    } catch {
      throw CaptureError("\(error)")
    }
    planes = SamplePlanes(channels: format.channels, capacity: Self.blockSize)
    pool = AudioBlockPool(format, capacity: Self.blockSize)
    if speed != .one {
      stretch = TimeStretch(
        speed: speed.doubleValue, rate: format.rate, channels: format.channels, quality: .fine)
    }
    if let filters = try request.soundFilters(of: description.name) {
      do throws(FFmpegError) {
        filter = try SoundFilter(filters, format, from: .zero)
      } catch {
        throw CaptureError("\(error)")
      }
    }
    description.bestAudio = 0
    if request.includesAudio { description.audio = [format] }
    if request.feedsEffects { description.samplesForEffects = format }
    if reader.trackCount > 1 {
      description.notices.append(
        Notice(
          .sourceAudio, description.name,
          """
          \(request.retiming.words) keeps one audio track of \(description.name); the other \
          \(reader.trackCount - 1) are left out
          """))
    }
  }

  /// Delivers the audio before a time of the output.
  ///
  /// If only whole blocks are wanted, a remainder of less than a block comes later.
  func advance(
    to time: Rational, inWholeBlocks: Bool, each: (AudioBlock) -> Void
  ) throws(CaptureError) {
    let goal = time.ticks(timeBase: format.sampleDuration)
    while position + Int64(inWholeBlocks ? Self.blockSize : 1) <= goal {
      let count = Int(min(goal - position, Int64(Self.blockSize)))
      try fill(count)
      let start = Rational(position) * format.sampleDuration
      let block = pool.block(time: start, count: count) { channel, samples in
        for place in 0..<count { samples[place] = planes[channel][place] }
      }
      position += Int64(count)
      guard let filter else {
        each(block)
        continue
      }
      do throws(FFmpegError) { try filter.add(block, to: each) } catch {
        throw CaptureError("\(error)")
      }
    }
  }

  /// Delivers the rest at the end of the output.
  func finish(at time: Rational, each: (AudioBlock) -> Void) throws(CaptureError) {
    try advance(to: time, inWholeBlocks: false, each: each)
    do throws(FFmpegError) { try filter?.end(to: each) } catch { throw CaptureError("\(error)") }
  }

  /// Fills the planes with the next samples of the output.
  private func fill(_ count: Int) throws(CaptureError) {
    guard stretch != nil else { return try take(count) }
    while queue.count < count {
      try take(TimeStretch.blockSize)
      stretch?.process(planes, count: TimeStretch.blockSize)
      var result: Int32 = 0
      stretch?.retrieve { [queue = queue.pointer] samples, count in
        result = min(result, av_audio_fifo_write(queue, samples.planes, Int32(count)))
      }
      guard result >= 0 else { throw CaptureError("the audio needs more memory than there is") }
    }
    _ = av_audio_fifo_read(queue.pointer, planes.planes, Int32(count))
  }

  /// Fills the planes with samples whose speed is not changed yet.
  private func take(_ count: Int) throws(CaptureError) {
    var done = 0
    while done < count {
      guard let plan else {
        try reader.read(count - done, from: place(first) + taken, into: planes, at: done)
        taken += Int64(count - done)
        return
      }
      guard let sound = plan.sound(number) else {
        for channel in 0..<planes.channels {
          for place in done..<count { planes[channel][place] = 0 }
        }
        return
      }
      let start = place(sound.start)
      let part = Int(min(Int64(count - done), place(sound.start + sound.length) - taken))
      guard part > 0 else {
        number += 1
        continue
      }
      let offset = taken - start
      if sound.isBackward {
        try takeBackward(part, before: place(sound.from) - offset, sound, at: done)
      } else {
        try reader.read(part, from: place(sound.from) + offset, into: planes, at: done)
      }
      done += part
      taken += Int64(part)
    }
  }

  private func place(_ time: Rational) -> Int64 { time.ticks(timeBase: format.sampleDuration) }

  /// Gives the samples that lie before a place, the last one first.
  private func takeBackward(
    _ count: Int, before end: Int64, _ sound: PassPlan.Sound, at offset: Int
  ) throws(CaptureError) {
    for step in 0..<count {
      let wanted = end - 1 - Int64(step)
      if window.map({ wanted < $0.place || wanted >= $0.place + Int64($0.count) }) ?? true {
        try decode(before: wanted + 1, downTo: place(sound.to))
      }
      guard let window else { return }
      let index = Int(wanted - window.place)
      for channel in 0..<planes.channels {
        planes[channel][offset + step] = window.samples[channel][index]
      }
    }
  }

  /// Decodes the window that ends at a place.
  private func decode(before end: Int64, downTo lowest: Int64) throws(CaptureError) {
    let most = Self.windowLength * format.rate
    let samples =
      window?.samples ?? SamplePlanes(channels: format.channels, capacity: most)
    let count = Int(max(min(Int64(most), end - lowest), 1))
    let place = end - Int64(count)
    var done = 0
    while done < count {
      let part = min(count - done, Self.blockSize)
      try reader.read(part, from: place + Int64(done), into: samples, at: done)
      done += part
    }
    window = (samples, place, count)
  }
}
