import CFFmpeg
import Frames
import TestSupport
import Testing

@testable import Encode

/// Encodes frames at the given times and returns the report.
@discardableResult
func record(
  _ file: String, times: [Rational], lastDuration: Rational? = nil, width: Int = 64,
  height: Int = 48, color: ColorDescription = .hd, sampleAspectRatio: Rational = .one,
  timeBase: Rational, rate: Rational, settings: EncodeSettings = EncodeSettings(),
  container: String? = nil, change: (inout SinkRequest) -> Void = { _ in }
) throws -> SinkReport {
  let output = try Output(file, container: container, settings: settings)
  let format = output.frameFormat(
    width: width, height: height, color: color, sampleAspectRatio: sampleAspectRatio)
  var request = SinkRequest(format: format, frameRate: rate, timeBase: timeBase)
  request.threads = 2
  change(&request)
  let sink = try output.open(request)
  let frames = TestFrames(format)
  for (index, time) in times.enumerated() {
    let duration = index == times.count - 1 ? lastDuration : nil
    try sink.write(try frames.frame(index, at: time, lasting: duration))
  }
  return try sink.finish()
}

@Suite("Video files")
struct MovieTests {
  let folder = TestFolder()

  @Test("Frames at a constant rate have exact timestamps, and the last one has its duration")
  func constantRate() throws {
    let file = folder.file("out.mov")
    let times = (0..<50).map { Rational(Int64($0), 25) }
    let report = try record(
      file, times: times, lastDuration: Rational(1, 25), timeBase: Rational(1, 12800), rate: 25)
    let video = ProbedStream(file, "v:0")
    #expect(video.times == times)
    #expect(video["time_base"] == "1/12800")
    #expect(video["duration_ts"] == "25600")
    #expect(video["start_pts"] == "0")
    #expect(video["has_b_frames"] == "2")
    #expect(video["codec_name"] == "h264")
    #expect(video["level"] == "10")
    #expect(video["r_frame_rate"] == "25/1")
    #expect(
      shell(
        "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 \(file)")
        == "50\n")
    #expect(report.frames == 50)
    #expect(report.duration == 2)
    #expect(report.bytes == Int64(shell("stat -c %s \(file)").dropLast()))
    // Preallocated disk space is given back.
    let blocks = try #require(Int64(shell("stat -c %b \(file)").dropLast()))
    #expect(blocks * 512 < 200_000)
    #expect(folder.names == ["out.mov"])
  }

  @Test(
    "Variable and NTSC rates keep exact timestamps",
    arguments: [
      (Rational(1, 90000), [0, 3003, 4000, 9000, 54000, 54001, 60000, 61000, 70000, 99999], 5000),
      (Rational(1001, 30000), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 1),
      (Rational(1001, 24000), [0, 1, 2, 5, 6, 7, 8, 9], 3),
    ] as [(Rational, [Int64], Int64)])
  func variableRate(unit: Rational, ticks: [Int64], last: Int64) throws {
    for name in ["out.mov", "out.mp4"] {
      let file = folder.file(name)
      let times = ticks.map { Rational($0) * unit }
      let report = try record(
        file, times: times, lastDuration: Rational(last) * unit, timeBase: unit,
        rate: Rational(30000, 1001))
      let video = ProbedStream(file, "v:0")
      #expect(video.times == times)
      #expect(report.duration == times.last! + Rational(last) * unit)
      #expect(Int(video["level"])! <= 20)
      // The edit list and the movie end with the last frame. (The media's own duration is the sum over
      // its samples in decoding order, which differs with B-frames.)
      let bytes = try readFile(file)
      let head = try #require(bytes.firstRange(of: Array("mvhd".utf8)))
      func word(_ place: Int) -> Int64 {
        (0..<4).reduce(0) { $0 << 8 | Int64(bytes[head.lowerBound + place + $1]) }
      }
      // ISO 14496-12, 8.2.2: behind the kind, version 0 and two times stand the scale and the duration.
      #expect(word(4) == 0)
      #expect(Rational(word(20), word(16)) == report.duration)
    }
  }

  @Test("Matroska keeps timestamps to the millisecond, and all differ")
  func matroska() throws {
    let file = folder.file("out.mkv")
    let times = [
      Rational(0), Rational(1, 30), Rational(1, 15), Rational(334, 5000), Rational(1, 5),
    ]
    try record(file, times: times, timeBase: Rational(1, 90000), rate: 30)
    #expect(
      ProbedStream(file, "v:0").times == [0, 33, 67, 68, 200].map { Rational($0, 1000) })
  }

  @Test("A single frame makes a video file of one frame's duration")
  func singleFrame() throws {
    let file = folder.file("one.mp4")
    let report = try record(file, times: [0], timeBase: Rational(1, 25), rate: 25)
    #expect(report.duration == Rational(1, 25))
    let video = ProbedStream(file, "v:0")
    #expect(video.times == [0])
    #expect(video["duration_ts"] == "512")
  }

  @Test("Colours are tagged in the stream and in the container")
  func colors() throws {
    let sd = ColorDescription(matrix: .smpte170m, range: .full, primaries: 6, transfer: 6)
    for (name, color, atom) in [
      ("hd.mov", ColorDescription.hd, "636f6c726e636c63000100010001"),
      ("hd.mp4", .hd, "636f6c726e636c7800010001000100"),
      ("sd.mov", sd, "636f6c726e636c63000600060006"),
      ("sd.mp4", sd, "636f6c726e636c7800060006000680"),
    ] {
      let file = folder.file(name)
      try record(
        file, times: [0, Rational(1, 25)], color: color, timeBase: Rational(1, 25), rate: 25)
      #expect(hex(file).contains(atom), "\(name)")
      // The bare stream has only the VUI.
      let bare = folder.file("bare.h264")
      shell("ffmpeg -v error -y -i \(file) -c copy \(bare)")
      for video in [ProbedStream(file, "v:0"), ProbedStream(bare, "v:0")] {
        #expect(video["color_space"] == (color == .hd ? "bt709" : "smpte170m"))
        #expect(video["color_primaries"] == (color == .hd ? "bt709" : "smpte170m"))
        #expect(video["color_transfer"] == (color == .hd ? "bt709" : "smpte170m"))
        #expect(video["color_range"] == (color == .hd ? "tv" : "pc"))
      }
    }
  }

  @Test(
    "Pixels are unchanged with lossless encoding",
    arguments: [
      (PixelFormat.yuv420p, 63, 47), (.yuv422p, 63, 47), (.yuv444p, 63, 47), (.yuv420p, 1, 1),
    ])
  func lossless(pixelFormat: PixelFormat, width: Int, height: Int) throws {
    var settings = EncodeSettings()
    settings.crf = 0
    settings.pixelFormat = pixelFormat
    let file = folder.file("exact.mov")
    try record(
      file, times: (0..<6).map { Rational(Int64($0), 25) }, width: width, height: height,
      timeBase: Rational(1, 25), rate: 25, settings: settings)
    let output = try Output(folder.file("x.mov"), settings: settings)
    let frames = TestFrames(output.frameFormat(width: width, height: height, color: .hd))
    #expect(frames.format.width == (pixelFormat == .yuv444p ? width : width + 1))
    #expect(frames.format.height == (pixelFormat == .yuv420p ? height + 1 : height))
    let raw = shellBytes(
      "ffmpeg -v error -i \(file) -f rawvideo -pix_fmt \(pixelFormat.rawValue) -")
    #expect(raw == (0..<6).flatMap { frames.raw($0) })
  }

  @Test("The pixel aspect ratio is kept")
  func sampleAspectRatio() throws {
    let file = folder.file("wide.mov")
    try record(
      file, times: [0], sampleAspectRatio: Rational(64, 45), timeBase: Rational(1, 25), rate: 25)
    #expect(ProbedStream(file, "v:0")["sample_aspect_ratio"] == "64:45")
  }

  @Test("The same frames make the same bytes")
  func repeatable() throws {
    // Not x264: core 164's decisions depend on uninitialized memory (MALLOC_PERTURB_ shows this with
    // the ffmpeg program too).
    var settings = EncodeSettings()
    settings.codec = "mpeg4"
    for name in ["a.mov", "b.mov", "a.mkv", "b.mkv"] {
      try record(
        folder.file(name), times: (0..<10).map { Rational(Int64($0), 25) },
        timeBase: Rational(1, 25), rate: 25, settings: settings)
    }
    #expect(shell("cmp \(folder.file("a.mov")) \(folder.file("b.mov")) && echo same") == "same\n")
    #expect(shell("cmp \(folder.file("a.mkv")) \(folder.file("b.mkv")) && echo same") == "same\n")
  }

  @Test(
    "Other codecs are chosen by codec name or encoder name",
    arguments: [
      ("mpeg4", "mov", "mpeg4"), ("hevc", "mp4", "hevc"), ("ffv1", "mkv", "ffv1"),
      ("mjpeg", "mov", "mjpeg"), ("av1", "mkv", "av1"), ("libvpx-vp9", "mkv", "vp9"),
      ("prores_ks", "mov", "prores"),
    ])
  func codecs(word: String, container: String, codec: String) throws {
    var settings = EncodeSettings()
    settings.codec = word
    var color = ColorDescription.hd
    if word == "mjpeg" { color.range = .full }
    if word == "prores_ks" { settings.pixelFormat = .yuv422p10le }
    let file = folder.file("out.\(container)")
    let times = (0..<4).map { Rational(Int64($0), 25) }
    // Encoders of newer codecs need more than one small frame.
    try record(
      file, times: times, width: 128, height: 96, color: color, timeBase: Rational(1, 1000),
      rate: 25, settings: settings)
    let video = ProbedStream(file, "v:0")
    #expect(video["codec_name"] == codec)
    #expect(video.times == times)
    if word == "hevc" { #expect(video["codec_tag_string"] == "hvc1") }
  }

  @Test("A live source has a keyframe every second, and the encoder holds at most half a second")
  func live() throws {
    for rate in [Int64(30), 10, 2] {
      let file = folder.file("live\(rate).mkv")
      let output = try Output(file)
      let format = output.frameFormat(width: 64, height: 48, color: .hd)
      var request = SinkRequest(
        format: format, frameRate: Rational(rate), timeBase: Rational(1, 1_000_000))
      request.isLive = true
      let choice = try EncoderChoice(
        settings: EncodeSettings(), container: .mkv)
      let plan = try choice.plan(
        settings: EncodeSettings(), request: request, timeBase: Rational(1, 1000))
      var encoder = try VideoEncoder(plan, globalHeader: true)
      let frames = TestFrames(format)
      var (sent, received, keys) = (0, [Int64](), [Int64]())
      var held = 0
      while sent < Int(rate) * 3 {
        try encoder.send(try frames.frame(sent, at: 0), ticks: Int64(sent) * 1000 / rate)
        sent += 1
        while let packet = try encoder.receive() {
          received.append(packet.pointee.pts)
          if packet.pointee.flags & 1 != 0 { keys.append(packet.pointee.pts) }
        }
        held = max(held, sent - received.count)
      }
      #expect(held <= Int(rate) / 2)
      try encoder.drain()
      while let packet = try encoder.receive() {
        if packet.pointee.flags & 1 != 0 { keys.append(packet.pointee.pts) }
      }
      #expect(zip(keys.dropFirst() + [3000], keys).allSatisfy { $0 - $1 <= 1000 })
    }
  }

  @Test("A pixel buffer goes back to its pool when the encoder has finished with it")
  func release() throws {
    let output = try Output(folder.file("out.mov"))
    let format = output.frameFormat(width: 64, height: 48, color: .hd)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
    let frames = TestFrames(format)
    weak var pixels: PixelBuffer?
    do {
      let frame = try frames.frame(0, at: 0)
      pixels = frame.pixels
      try sink.write(frame)
    }
    for index in 1..<30 { try sink.write(try frames.frame(index, at: Rational(Int64(index), 25))) }
    #expect(pixels == nil)
    sink.abandon()
  }
}
