import CFFmpeg
import FFmpegHandles
import Frames
import Synchronization
import Testing

@testable import Encode

/// Tests that no frame is lost or encoded twice when hardware fails while it encodes.
///
/// An encoder on the processor plays the part of the hardware, and fails where the test says. So these tests show that
/// the change to the processor is right, and nothing about hardware.
@Suite("Hardware that fails while it encodes")
struct HardwareEncodingFailureTests {
  private static let frameCount = 30
  private static let times = (0..<frameCount).map { Rational(Int64($0), 25) }

  /// What was written: the files in order, the report, and the notices.
  private struct Written {
    var files: [String]
    var report: SinkReport
    var notices: [Notice]
    var hashes: String?
  }

  private static func write(
    _ folder: TestFolder, _ name: String, codec: String, options: [EncoderOption] = [],
    limit: SplitLimit? = nil, isLive: Bool = false, audio: TestAudio? = nil, hashes: String? = nil,
    sharing: PictureSharing? = nil, failing: @escaping @Sendable (EncoderCall) -> Bool
  ) throws -> Written {
    let notices = Mutex<[Notice]>([])
    let format = FrameFormat(width: 64, height: 48, pixelFormat: .yuv420p, color: .hd)
    var request = SinkRequest(
      format: format, frameRate: 25, timeBase: Rational(1, 12800),
      codedAudio: audio.map { [$0.stream] } ?? [], isLive: isLive)
    request.threads = 1
    request.notice = { notice in notices.withLock { $0.append(notice) } }
    request.frameHashes = hashes
    var settings = EncodeSettings()
    (settings.codec, settings.options) = (codec, options)
    let container = try #require(Container(named: name.hasSuffix("mov") ? "mov" : "mkv"))
    let timeBase = TimeBaseRule.timeBase(container: container, request: request)
    let plan = try EncoderChoice(settings: settings, container: container).plan(
      settings: settings, request: request, timeBase: timeBase)
    var hardware = plan
    if let sharing { hardware.sharing = sharing }
    hardware.standIn = { failing($0) ? kf_averror_external() : 0 }
    let path = folder.file(name)
    let names =
      limit == nil ? SplitNames(path) : SplitNames(try #require(SequencePattern(splitting: path)))
    let sink = try SplitMovieSink(
      names, limit: limit, container: container,
      decision: EncoderDecision(plan: hardware, fallback: plan), request: request,
      audioSettings: AudioSettings())
    let frames = TestFrames(format)
    var rest = audio?.packets[...] ?? []
    for (index, time) in times.enumerated() {
      let frame = try frames.frame(index, at: time, lasting: Rational(1, 25))
      try sink.write(sharing == nil ? frame : shared(frame))
      while let packet = rest.first, packet.time <= time {
        try sink.write(packet)
        rest = rest.dropFirst()
      }
    }
    for packet in rest { try sink.write(packet) }
    let report = try sink.finish()
    let files = report.parts.isEmpty ? [report.output] : report.parts.map(\.output)
    return Written(files: files, report: report, notices: notices.withLock { $0 }, hashes: hashes)
  }

  /// The frame with pixels that the encoder could open where another device has them.
  private static func shared(_ frame: Frame) -> Frame {
    let pixels = PixelBuffer(planes: frame.pixels.planes, shared: SharedPicture(planes: []) {}) {
      withExtendedLifetime(frame) {}
    }
    return Frame(format: frame.format, pixels: pixels, time: frame.time, duration: frame.duration)
  }

  /// The decoded frames of files, one after the other.
  private static func pixels(_ files: [String]) -> [UInt8] {
    files.flatMap { shellBytes("ffmpeg -v error -i '\($0)' -f rawvideo -pix_fmt yuv420p -") }
  }

  private static func samples(_ files: [String]) -> [UInt8] {
    files.flatMap { shellBytes("ffmpeg -v error -i '\($0)' -map a -f s16le -") }
  }

  /// The times of the frames in the recording.
  private static func times(_ written: Written) -> [Rational] {
    var start = Rational.zero
    return written.files.flatMap { file in
      let video = ProbedStream(file, "v:0")
      defer { start = start + Rational(Int64(video.packets.count), 25) }
      return video.packets.map { $0.pts + start }.sorted { $0 < $1 }
    }
  }

  @Test(
    "no frame is lost, wherever it fails",
    arguments: [
      ("ffv1", [EncoderOption]()), ("libx264", [EncoderOption("bf", "3")]),
    ])
  func everyPlace(codec: String, options: [EncoderOption]) throws {
    let folder = TestFolder()
    let expected = Self.pixels([
      try Self.write(folder, "whole.mkv", codec: "ffv1") { _ in false }.files[0]
    ])
    for place in 0..<Self.frameCount {
      for call in [EncoderCall.receive(place), .send(place)] {
        if case .send = call, place % 3 != 0 { continue }
        let folder = TestFolder()
        let written = try Self.write(
          folder, "out.mov", codec: codec == "ffv1" ? "mpeg4" : codec, options: options
        ) {
          $0 == call
        }
        #expect(written.report.frames == Self.frameCount, "\(call)")
        #expect(Self.times(written) == Self.times, "\(call)")
        #expect(written.notices.map(\.id) == [.outputHardware], "\(call)")
        #expect(folder.names.count == written.files.count, "\(call) \(folder.names)")
        guard codec == "ffv1", place % 5 == 0 else { continue }
        let exact = try Self.write(folder, "exact.mkv", codec: codec) { $0 == call }
        #expect(Self.pixels(exact.files) == expected, "\(call)")
        #expect(exact.files.count == (place == 0 ? 1 : 2), "\(call)")
      }
    }
  }

  @Test("a failure at the end, or before the first packet, leaves one file with all frames")
  func ends() throws {
    let folder = TestFolder()
    let first = try Self.write(folder, "first.mov", codec: "libx264") { $0 == .receive(0) }
    #expect(first.files == [folder.file("first.mov")] && first.report.frames == Self.frameCount)
    #expect(folder.names == ["first.mov"])
    let last = try Self.write(folder, "last.mov", codec: "libx264") { $0 == .drain }
    #expect(last.report.frames == Self.frameCount && Self.times(last) == Self.times)
    let none = try Self.write(folder, "none.mov", codec: "libx264") { _ in false }
    #expect(none.files == [folder.file("none.mov")] && none.notices.isEmpty)
    #expect(none.report.times != nil && none.report.parts.isEmpty)
  }

  @Test("as long as nothing fails, the file is the one that the processor's encoder gets")
  func whole() throws {
    let folder = TestFolder()
    let input = folder.file("in.m4a")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=1.2 -c:a aac '\(input)'")
    let audio = try TestAudio(input)
    let written = try Self.write(folder, "out.mov", codec: "libx264", audio: audio) { _ in false }
    let plain = folder.file("plain.mov")
    var request = SinkRequest(
      format: FrameFormat(width: 64, height: 48, pixelFormat: .yuv420p, color: .hd),
      frameRate: 25, timeBase: Rational(1, 12800), codedAudio: [audio.stream])
    request.threads = 1
    let sink = try Output(plain).open(request)
    let frames = TestFrames(request.format)
    for (index, time) in Self.times.enumerated() {
      try sink.write(try frames.frame(index, at: time, lasting: Rational(1, 25)))
    }
    for packet in audio.packets { try sink.write(packet) }
    let report = try sink.finish()
    #expect(report.times == written.report.times && report.duration == written.report.duration)
    for stream in ["v:0", "a:0"] {
      #expect(
        ProbedStream(written.files[0], stream).packets == ProbedStream(plain, stream).packets,
        "\(stream)")
    }
  }

  @Test(
    "hardware that fails on frames in the GPU's memory goes on with copies",
    arguments: [EncoderCall.send(0), .receive(0), .send(7), .receive(7)])
  func copies(call: EncoderCall) throws {
    let folder = TestFolder()
    let sharing = PictureSharing()
    let written = try Self.write(folder, "out.mkv", codec: "ffv1", sharing: sharing) {
      $0 == call && sharing.reason == nil
    }
    #expect(written.report.frames == Self.frameCount && Self.times(written) == Self.times)
    try #require(written.notices.count == 1)
    #expect(written.notices[0].message.hasPrefix("ffv1 stopped working ("))
    #expect(written.notices[0].message.contains("; it goes on with copies of the frames"))
    #expect(sharing.reason?.hasPrefix("ffv1 stopped working on them (") == true)
    let plain = try Self.write(folder, "plain.mkv", codec: "ffv1") { _ in false }
    #expect(Self.pixels(written.files) == Self.pixels(plain.files))
  }

  @Test("if the hardware does not even begin again, the processor goes on")
  func doesNotOpen() throws {
    for first in [EncoderCall.send(0), .receive(7)] {
      let folder = TestFolder()
      let sharing = PictureSharing()
      let written = try Self.write(folder, "out.mkv", codec: "ffv1", sharing: sharing) {
        $0 == (sharing.reason == nil ? first : .open)
      }
      #expect(written.report.frames == Self.frameCount && Self.times(written) == Self.times)
      #expect(written.notices.count == 1)
      #expect(written.notices.last?.message.contains("; the processor goes on") == true)
      #expect(folder.names.count == written.files.count, "\(folder.names)")
    }
  }

  @Test("if it fails on the copies as well, the processor goes on")
  func copiesFail() throws {
    for second in [EncoderCall.send(0), .receive(0), .send(1), .receive(5), .send(15)] {
      let folder = TestFolder()
      let sharing = PictureSharing()
      let written = try Self.write(folder, "out.mkv", codec: "ffv1", sharing: sharing) {
        $0 == (sharing.reason == nil ? .send(7) : second)
      }
      #expect(written.report.frames == Self.frameCount && Self.times(written) == Self.times)
      #expect(written.notices.count == 2, "\(second)")
      #expect(written.notices.last?.message.contains("; the processor goes on") == true)
      #expect(folder.names.count == written.files.count, "\(folder.names)")
    }
  }

  @Test(
    "if both fail when the last packets are asked for, no frame is lost",
    arguments: [false, true], [false, true])
  func bothFailAtTheEnd(isSplit: Bool, isLive: Bool) throws {
    // A recording that is not live holds all frames in libx264 until then.
    let pairs: [(EncoderCall, EncoderCall)] = [
      (.drain, .drain), (.drain, .receive(0)), (.receive(0), .receive(0)),
      (.receive(0), .receive(5)), (.receive(5), .drain), (.receive(5), .receive(3)),
      (.receive(29), .receive(0)),
    ]
    for (first, second) in pairs {
      let folder = TestFolder()
      let sharing = PictureSharing()
      let written = try Self.write(
        folder, "out.mov", codec: "libx264", limit: isSplit ? .duration(Rational(2, 5)) : nil,
        isLive: isLive, sharing: sharing
      ) { $0 == (sharing.reason == nil ? first : second) }
      let what = Comment(rawValue: "\(first), \(second): \(written.files), \(written.notices)")
      #expect(written.report.frames == Self.frameCount, what)
      #expect(Self.times(written) == Self.times, what)
      #expect(isSplit || written.notices.count == 2, what)
    }
  }

  @Test("the sound of both files is the sound of the whole")
  func sound() throws {
    let folder = TestFolder()
    let input = folder.file("in.wav")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=1.2 -c:a pcm_s16le '\(input)'")
    let audio = try TestAudio(input)
    let whole = Self.samples([input])
    for place in [0, 1, 7, 20, 29] {
      let name = "out\(place).mov"
      let written = try Self.write(folder, name, codec: "libx264", audio: audio) {
        $0 == .receive(place)
      }
      #expect(Self.samples(written.files) == whole, "\(place)")
    }
  }

  @Test("files of a split movie go on with the processor", arguments: [false, true])
  func split(isLive: Bool) throws {
    // The files begin at the frames 0, 10 and 20.
    for place in [0, 1, 5, 9, 10, 11, 15, 19, 20, 21, 29] {
      for call in [EncoderCall.send(place), .receive(place)] {
        let folder = TestFolder()
        let written = try Self.write(
          folder, "out.mov", codec: "libx264", limit: .duration(Rational(2, 5)), isLive: isLive
        ) { $0 == call }
        #expect(written.report.frames == Self.frameCount, "\(call)")
        #expect(Self.times(written) == Self.times, "\(call)")
        #expect(
          folder.names.sorted() == written.files.map { String($0.split(separator: "/").last ?? "") }
        )
      }
    }
    let folder = TestFolder()
    let drained = try Self.write(
      folder, "out.mov", codec: "libx264", limit: .duration(Rational(2, 5)), isLive: isLive
    ) { $0 == .drain }
    #expect(Self.times(drained) == Self.times)
  }

  @Test("another file of the name is left alone, and hashes go with their frames")
  func names() throws {
    let folder = TestFolder()
    shell("echo mine > '\(folder.file("out-002.mkv"))'")
    let written = try Self.write(
      folder, "out.mkv", codec: "ffv1", hashes: folder.file("out.framehash")
    ) { $0 == .send(12) }
    #expect(written.files == [folder.file("out.mkv"), folder.file("out-003.mkv")])
    #expect(shell("cat '\(folder.file("out-002.mkv"))'") == "mine\n")
    #expect(written.notices.first?.message.contains("out-003.mkv") == true)
    let lines = ["out.framehash", "out-002.framehash"].map { name in
      shell("grep -v '^#' '\(folder.file(name))'").split(separator: "\n").count
    }
    #expect(lines == written.report.parts.map(\.frames) && lines.reduce(0, +) == Self.frameCount)
  }
}
