import Frames
import TestSupport
import Testing

@testable import Capture

/// Sources that run at another speed, backwards and again.
@Suite struct RetimingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes 2 seconds of numbered frames at 25 frames per second with B-frames, several groups, and a ramp as its audio.
  private func makeClip(_ name: String, audio: String = "pcm_s16le") throws -> String {
    let path = folder.file(name)
    try ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
      "aevalsrc=mod(t\\,0.01)*80-0.4:s=48000:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf",
      "2", "-g", "13", "-pix_fmt", "yuv420p", "-c:a", audio, path,
    ])
    return path
  }

  private func read(
    _ input: String, _ retiming: Retiming, _ change: (inout SourceRequest) -> Void = { _ in }
  ) throws -> ReadSource {
    try ReadSource(input) { request in
      request.retiming = retiming
      change(&request)
    }
  }

  private func retiming(_ change: (inout Retiming) -> Void) -> Retiming {
    var retiming = Retiming()
    change(&retiming)
    return retiming
  }

  private func samples(_ source: ReadSource) -> [Float] {
    source.blocks.flatMap { block in
      let samples = block.samples(ofChannel: 0)
      return samples.indices.map { samples[$0] }
    }
  }

  /// The samples as ffmpeg decodes them.
  private func wholeSamples(_ input: String) throws -> [Float] {
    try ffmpeg("-i", input, "-map", "0:a", "-f", "s16le", "-ac", "1", folder.file("raw"))
    let bytes = try readFile(folder.file("raw"))
    return stride(from: 0, to: bytes.count, by: 2).map {
      Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32768
    }
  }

  @Test(
    "a reversed source has the same frames in the opposite order, at mirrored times",
    arguments: ["in.mov", "in.mkv", "in.ts"])
  func reversed(_ name: String) throws {
    let input = try makeClip(name, audio: name.hasSuffix("ts") ? "mp2" : "pcm_s16le")
    let plain = try ReadSource(input) { $0.includesAudio = false }
    let source = try read(input, retiming { $0.isReversed = true }) { $0.includesAudio = false }
    #expect(source.frames.count == 50)
    #expect(source.frames.map(\.rawVideo) == plain.frames.reversed().map(\.rawVideo))
    #expect(source.times == (0..<50).map { Rational($0, 25) })
    #expect(source.frames.last?.duration == Rational(1, 25))
  }

  /// Writes another edit list into an MP4 whose index is behind its frames: the segments that its video plays.
  private func edit(
    _ input: String, into output: String, _ segments: [(length: Int, from: Int)]
  ) throws {
    var bytes = try readFile(input)
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    func big(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    func box(_ type: String, from start: Int, to end: Int) throws -> (start: Int, end: Int) {
      var place = start
      while place + 8 <= end {
        if bytes[(place + 4)..<(place + 8)].elementsEqual(type.utf8) {
          return (place, place + number(place))
        }
        place += number(place)
      }
      throw TestSupportError("no \(type)")
    }
    let moov = try box("moov", from: 0, to: bytes.count)
    let trak = try box("trak", from: moov.start + 8, to: moov.end)
    let edts = try box("edts", from: trak.start + 8, to: trak.end)
    var list = big(0) + big(segments.count)
    for segment in segments { list += big(segment.length) + big(segment.from) + big(1 << 16) }
    list = big(list.count + 8) + Array("elst".utf8) + list
    list = big(list.count + 8) + Array("edts".utf8) + list
    let longer = list.count - (edts.end - edts.start)
    bytes.replaceSubrange(edts.start..<edts.end, with: list)
    for box in [moov, trak] {
      bytes.replaceSubrange(
        box.start..<box.start + 4, with: big(box.end - box.start + longer))
    }
    try folder.write(bytes, to: output)
  }

  @Test(
    "a movie whose edit list plays its parts in another order loses no frame backwards, nor behind a start",
    arguments: [
      [(1000, 12_800), (1000, 0)], [(200, 20_992), (200, 15_872), (200, 10_752), (200, 512)],
      [(40, 2560), (40, 1024), (1000, 1024)],
    ])
  func editList(segments: [(Int, Int)]) throws {
    try ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264", "-bf", "2", "-g", "10",
      "-video_track_timescale", "12800", folder.file("in.mp4"),
    ])
    try edit(
      folder.file("in.mp4"), into: "edited.mp4",
      segments.map { (length: $0.0, from: $0.1) })
    let input = folder.file("edited.mp4")
    let plain = try ReadSource(input)
    #expect(plain.frames.count > 10)
    let source = try read(input, retiming { $0.isReversed = true })
    #expect(source.frames.map(\.rawVideo) == plain.frames.reversed().map(\.rawVideo))
    let start = Rational(1, 2)
    let part = try ReadSource(input) { $0.start = start }
    let wanted = zip(plain.times, plain.frames).filter { $0.0 >= start }.map(\.1.rawVideo)
    #expect(part.frames.map(\.rawVideo) == wanted)
  }

  @Test("frames of uneven length keep their length backwards")
  func uneven() throws {
    let input = folder.file("in.mov")
    try ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-vf", "setpts=N*N*TB/4", "-fps_mode",
      "passthrough", "-c:v", "libx264", "-bf", "0", "-enc_time_base", "1/100", "-pix_fmt",
      "yuv420p", input,
    ])
    let plain = try ReadSource(input).times
    let times = try read(input, retiming { $0.isReversed = true }).times
    #expect(plain.count == 25 && times.count == plain.count)
    let steps = { (times: [Rational]) in zip(times.dropFirst(), times).map { $0 - $1 } }
    #expect(steps(times).dropFirst() == steps(plain).reversed().dropLast()[...])
  }

  @Test("backwards the audio is the same samples in the opposite order")
  func reversedAudio() throws {
    let input = try makeClip("in.mov")
    let source = try read(input, retiming { $0.isReversed = true })
    let whole = try wholeSamples(input)
    #expect(source.description.codedAudio.isEmpty && source.description.audio.count == 1)
    #expect(whole.count == 96000 && samples(source) == whole.reversed())
  }

  @Test("a part is cut out first, then turned round; its audio begins and ends with it")
  func part() throws {
    let input = try makeClip("in.mov")
    let cut = { (request: inout SourceRequest) in
      (request.start, request.duration) = (Rational(2, 5), Rational(4, 5))
    }
    let plain = try ReadSource(input, cut)
    let source = try read(input, retiming { $0.isReversed = true }, cut)
    #expect(source.frames.count == 20)
    #expect(source.frames.map(\.rawVideo) == plain.frames.reversed().map(\.rawVideo))
    #expect(samples(source) == (try wholeSamples(input))[19200..<57600].reversed())
  }

  @Test("a loop repeats frames and samples without a gap")
  func loop() throws {
    let input = try makeClip("in.mov")
    let plain = try ReadSource(input)
    let source = try read(input, retiming { $0.turns = 3 })
    let frames = plain.frames.map(\.rawVideo)
    #expect(source.frames.map(\.rawVideo) == frames + frames + frames)
    #expect(source.times == (0..<150).map { Rational($0, 25) })
    let whole = try wholeSamples(input)
    #expect(samples(source) == whole + whole + whole)
    #expect(source.description.duration == Rational(6))
  }

  @Test("a boomerang has the frames at both ends once, and its audio turns in the middle of them")
  func boomerang() throws {
    let input = try makeClip("in.mov")
    let frames = try ReadSource(input).frames.map(\.rawVideo)
    let source = try read(input, retiming { ($0.isBoomerang, $0.turns) = (true, 2) })
    let round = frames + frames.dropFirst().dropLast().reversed()
    #expect(source.frames.map(\.rawVideo) == round + round)
    #expect(source.times == (0..<196).map { Rational($0, 25) })
    let whole = try wholeSamples(input)
    // A frame is 1920 samples.
    let opening = whole.dropLast(960)
    let back = whole.dropFirst(960).dropLast(960).reversed()
    let again = whole.dropFirst(960).dropLast(960)
    let all = Array(opening) + back + again + back
    #expect(samples(source) == Array(all.prefix(196 * 1920)))
  }

  @Test("a boomerang that begins backwards has all frames first, and then those between the ends")
  func reversedBoomerang() throws {
    let frames = try ReadSource("testsrc") { ($0.size, $0.frames) = ((64, 48), 5) }
      .frames.map(\.rawVideo)
    let source = try read("testsrc", retiming { ($0.isBoomerang, $0.isReversed) = (true, true) }) {
      ($0.size, $0.partDuration) = ((64, 48), Rational(1, 6))
    }
    #expect(source.frames.map(\.rawVideo) == [4, 3, 2, 1, 0, 1, 2, 3].map { frames[$0] })
    #expect(source.times == (0..<8).map { Rational($0, 30) })
  }

  @Test("a speed divides the times exactly, and leaves out frames beyond the source's rate")
  func speed() throws {
    let input = try makeClip("in.mov")
    let slow = try read(input, retiming { $0.speed = Rational(1, 3) })
    #expect(slow.times == (0..<50).map { Rational(3 * $0, 25) })
    #expect(slow.description.frameRate == Rational(25, 3))
    let fast = try read(input, retiming { $0.speed = Rational(2) })
    #expect(fast.times == (0..<25).map { Rational($0, 25) })
    // Two of three frames, each at its own time.
    let between = try read(input, retiming { $0.speed = Rational(3, 2) })
    #expect(between.times.count == 33)
    #expect(between.times.allSatisfy { ($0 * Rational(75, 2)).denominator == 1 })
    let allWanted = try read(input, retiming { $0.speed = Rational(2) }) {
      $0.frameRate = Rational(50)
    }
    #expect(allWanted.times == (0..<50).map { Rational($0, 50) })
    #expect(allWanted.frames.last?.duration == Rational(1, 50))
  }

  @Test("the audio of another speed has the length of the frames to the sample")
  func speedAudio() throws {
    let input = try makeClip("in.mov")
    for (speed, count) in [(Rational(1, 2), 192_000), (Rational(2), 48000), (Rational(3), 32000)] {
      let source = try read(input, retiming { $0.speed = speed })
      #expect(samples(source).count == count)
      #expect(source.blocks.first?.time == .zero)
    }
  }

  @Test("a number of frames counts delivered frames, and the audio ends with the last one")
  func frameLimit() throws {
    let input = try makeClip("in.mov")
    let source = try read(input, retiming { ($0.isReversed, $0.turns) = (true, 2) }) {
      $0.frames = 60
    }
    #expect(source.frames.count == 60 && samples(source).count == 60 * 1920)
  }

  @Test("numbered images run backwards too")
  func numbered() throws {
    let pattern = folder.file("in-%03d.png")
    try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", pattern)
    let frames = try ReadSource(pattern).frames.map(\.rawVideo)
    let source = try read(pattern, retiming { $0.isReversed = true })
    #expect(frames.count == 10 && source.frames.map(\.rawVideo) == frames.reversed())
  }

  @Test("a reversed file whose end is missing says so, and gives what there is")
  func truncated() throws {
    let input = try makeClip("in.mkv")
    let bytes = try readFile(input)
    let cut = folder.file("cut.mkv")
    try folder.write(bytes.prefix(bytes.count / 2), to: "cut.mkv")
    let whole = try ReadSource(cut) { $0.includesAudio = false }
    let source = try read(cut, retiming { $0.isReversed = true }) { $0.includesAudio = false }
    #expect(source.frames.count > 10 && source.frames.count < 40)
    #expect(abs(source.frames.count - whole.frames.count) <= 1)
    #expect(source.report.incomplete?.contains("ends early") == true)
    #expect(try read(input, retiming { $0.isReversed = true }).report.incomplete == nil)
  }

  @Test("what cannot be read again or never ends is refused with a sentence")
  func refusals() throws {
    let reverse = retiming { $0.isReversed = true }
    func refusal(_ input: String) -> String {
      complaint(input) { $0.retiming = reverse } ?? "none"
    }
    #expect(refusal("testsrc").contains("it never ends; give its length behind its name"))
    let image = folder.file("in.png")
    try ffmpeg("-f", "lavfi", "-i", "color=red:s=8x8:d=1", "-frames:v", "1", image)
    #expect(refusal(image).contains("is a single image, which --reverse does not change"))
    let raw = folder.file("in.h264")
    try ffmpeg("-i", try makeClip("in.mov"), "-map", "0:v", "-c", "copy", raw)
    #expect(refusal(raw).contains("cannot be read again from another place"))
  }
}
