import CFFmpeg
import FFmpegHandles
import Frames

/// The audio of a retimed source, sample by sample as its frames are shown.
///
/// Rubber Band changes the speed and keeps the pitch: its R3 engine moves a click by less than 2 ms from 0.8 to 4 times the
/// speed, and by less than 7 ms down to 0.25. libavfilter's atempo moves it by up to 84 ms at twice the speed, and leaves out
/// some clicks at four times.
final class RetimedAudio {
  let format: AudioFormat
  private let reader: SampleReader
  /// Number of packets that did not decode, and are silence.
  var damaged: Int { reader.damaged }
  private let plan: PassPlan?
  /// The source's own time of the first frame.
  private let first: Rational
  private let speed: Rational
  private var stretch: TimeStretch?
  /// Samples that were stretched and not delivered.
  private let queue: SampleQueueHandle
  /// Delivers the samples, and changes them at last if that is wanted.
  private let blocks: AudioBlockFeed
  private let planes: SamplePlanes
  /// Number of samples that were read before the speed is changed.
  private var taken: Int64 = 0
  /// Number of the stretch of the plan that is read.
  private var number = 0
  /// Samples of a stretch that runs backwards, in the file's order, and the place of the first one.
  private var window: (samples: SamplePlanes, place: Int64, count: Int)?

  /// Number of samples that were read before a silence that is not stored; nil while there is none.
  private var silentSince: Int64?

  private static let blockSize = AudioBlockFeed.usualSize
  /// Seconds of silence that are stretched before and after a silence that is left out, at the speed 1 or less.
  private static let lead = Rational(2)
  /// Seconds of audio that are decoded at once to be given backwards.
  private static let windowLength = 8

  /// Opens the audio, from the source's own time `first` on, and describes it; nil if there is none, or none is wanted.
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
    let filters = try request.soundFilters(
      of: description.name, tracks: reader.track..<reader.track + 1)
    queue = try explained { [format] () throws(FFmpegError) in
      try SampleQueueHandle(channels: format.channels, capacity: 1 << 14)
    }
    blocks = try explained { [format] () throws(FFmpegError) in
      try AudioBlockFeed(format, filters: filters.first ?? nil, volume: request.sound.volumeCurve)
    }
    planes = blocks.planes
    if speed != .one {
      stretch = TimeStretch(
        speed: speed.doubleValue, rate: format.rate, channels: format.channels, quality: .fine)
    }
    description.bestAudio = 0
    if request.includesAudio {
      (description.audio, description.audioOrigins) = ([format], [reader.stream])
    }
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

  /// Returns the next block before a time of the output; nil if there is none, or with `inWholeBlocks` a remainder.
  func next(before time: Rational, inWholeBlocks: Bool) throws(CaptureError) -> AudioBlock? {
    let goal = time.ticks(timeBase: format.sampleDuration)
    while blocks.isEmpty {
      try skipSilence()
      guard blocks.position + Int64(inWholeBlocks ? Self.blockSize : 1) <= goal else { break }
      let count = Int(min(goal - blocks.position, Int64(Self.blockSize)))
      try fill(count)
      try explained { () throws(FFmpegError) in try blocks.add(count) }
    }
    return blocks.next()
  }

  /// Ends the output: `next` returns what is left.
  func finish() throws(CaptureError) {
    try explained { () throws(FFmpegError) in try blocks.end() }
  }

  /// Leaves out a silence of the source that is long, which would take as much time as sound.
  private func skipSilence() throws(CaptureError) {
    guard let next = nextForward, blocks.isEmpty else { return }
    let silence = min(try reader.silence(from: next.place), next.count)
    guard silence > 0 else { return silentSince = nil }
    let since = silentSince ?? taken
    silentSince = since
    // The stretch gives the sound before it and gets ready for the sound after it.
    let lead = stretch == nil ? 0 : place(Self.lead * max(speed, .one))
    // Whole samples of the output are left out.
    let skipped = (silence - lead) / speed.numerator * speed.numerator
    guard taken - since >= lead, skipped >= Int64(format.rate) else { return }
    reader.skip(skipped)
    taken += skipped
    silentSince = nil
    try explained { () throws(FFmpegError) in
      try blocks.skip(skipped / speed.numerator * speed.denominator)
    }
  }

  /// The place of the next sample of the source, and how many follow it there; nil if they run backwards.
  private var nextForward: (place: Int64, count: Int64)? {
    guard let plan else { return (place(first) + taken, .max) }
    guard let sound = plan.sound(number), !sound.isBackward else { return nil }
    let rest = place(sound.start + sound.length) - taken
    return rest > 0 ? (place(sound.from) + taken - place(sound.start), rest) : nil
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
