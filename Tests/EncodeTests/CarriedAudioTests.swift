import CFFmpeg
import FFmpegHandles
import Frames
import Testing

@testable import Encode

/// A file's first audio stream, read by libavformat.
struct TestAudio {
  let stream: CompressedStream
  let packets: [CompressedPacket]

  init(_ file: String) throws {
    var opened: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_open_input(&opened, file, nil, nil), "avformat_open_input", file)
    let input = AVInputHandle(owning: opened!)
    try check(avformat_find_stream_info(input.pointer, nil), "avformat_find_stream_info", file)
    let index = av_find_best_stream(input.pointer, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    try #require(index >= 0, "\(file)")
    let source = try #require(input.pointer.pointee.streams[Int(index)])
    stream = try CompressedStream(source)
    let unit = stream.timeBase
    let packet = try AVPacketHandle()
    var packets: [CompressedPacket] = []
    while av_read_frame(input.pointer, packet.pointer) >= 0 {
      let time = Rational(packet.pointer.pointee.pts) * unit
      let duration = Rational(packet.pointer.pointee.duration) * unit
      if packet.pointer.pointee.stream_index == index {
        packets.append(
          try CompressedPacket(
            moving: packet.pointer, streamIndex: 0, time: time, duration: duration))
      }
      packet.clear()
    }
    self.packets = packets
  }
}

/// Writes two seconds of frames with the audio shifted by `offset` seconds; calls `midway` when all but
/// half a second is written.
func carry(
  _ audio: TestAudio, into file: String, offset: Rational = .zero, isLive: Bool = false,
  midway: () -> Void = {}
) throws {
  let output = try Output(file)
  let format = output.frameFormat(width: 64, height: 48, color: .hd)
  let sink = try output.open(
    SinkRequest(
      format: format, frameRate: 25, timeBase: Rational(1, 12800), codedAudio: [audio.stream],
      isLive: isLive))
  let frames = TestFrames(format)
  var rest = audio.packets[...]
  for index in 0..<50 {
    let time = Rational(Int64(index), 25)
    try sink.write(try frames.frame(index, at: time, lasting: Rational(1, 25)))
    while let packet = rest.first, packet.time + offset <= time {
      try sink.write(try packet.moved(to: packet.time + offset))
      rest = rest.dropFirst()
    }
    if index == 37 { midway() }
  }
  for packet in rest { try sink.write(try packet.moved(to: packet.time + offset)) }
  _ = try sink.finish()
}

@Suite("Copied audio")
struct CarriedAudioTests {
  let folder = TestFolder()

  private func make(_ name: String, _ codec: String, rate: Int = 48000) -> String {
    let file = folder.file(name)
    shell("ffmpeg -v error -f lavfi -i sine=r=\(rate):d=2 -c:a \(codec) \(file)")
    return file
  }

  @Test("Audio that cannot be decoded gives a warning that it is copied unchanged")
  func undecodable() throws {
    let stream = try TestAudio(make("in.ogg", "libvorbis")).stream
    for name in ["mkv", "mp4"] {
      let container = try #require(Container.all.first { $0.name == name })
      #expect(AudioFit.warning(stream, in: container, output: "out")?.contains("decode") != true)
    }
    // Overwrites the third header of Vorbis, which describes the coding.
    let size = Int(stream.parameters.pointee.extradata_size)
    for place in (size / 2)..<size { stream.parameters.pointee.extradata[place] = 0 }
    for name in ["mkv", "mp4"] {
      let container = try #require(Container.all.first { $0.name == name })
      #expect(
        AudioFit.warning(stream, in: container, output: "out")
          == "out: FFmpeg cannot decode the vorbis audio of the input, whose header is damaged or "
          + "missing: the audio is copied unchanged; leave out the audio with --no-audio")
    }
  }

  @Test(
    "Packets are identical, and in time to the sample",
    arguments: ["mov", "mp4", "mkv"],
    [Rational.zero, Rational(1, 3), Rational(-1, 10), Rational(12345, 48000)])
  func carried(container: String, offset: Rational) throws {
    let source = make("in.m4a", "aac")
    let audio = try TestAudio(source)
    #expect(audio.packets.first?.time == Rational(-1024, 48000))
    let file = folder.file("out.\(container)")
    try carry(audio, into: file, offset: offset)
    let (before, after) = (ProbedStream(source, "a:0"), ProbedStream(file, "a:0"))
    #expect(before.packets.map(\.md5) == after.packets.map(\.md5))
    // Matroska has milliseconds, and the time by which all are shifted is rounded, too.
    let limit = container == "mkv" ? Rational(3, 2000) : Rational(1, 48000)
    for (a, b) in zip(before.packets, after.packets) {
      let error = b.pts - a.pts - offset
      #expect(error <= limit && -error <= limit, "\(a.pts) became \(b.pts)")
      if container != "mkv" { #expect(error == .zero) }
    }
    #expect(ProbedStream(file, "v:0").times == (0..<50).map { Rational(Int64($0), 25) })
    #expect(after["sample_rate"] == "48000")
    #expect(after["codec_name"] == "aac")
    #expect(shell("ffmpeg -v error -i \(file) -f null - 2>&1").isEmpty)
  }

  @Test("Audio from a source with millisecond timestamps gets even intervals again")
  func coarse() throws {
    let audio = try TestAudio(make("in.mkv", "libmp3lame", rate: 44100))
    #expect(audio.stream.timeBase == Rational(1, 1000))
    let file = folder.file("out.mov")
    try carry(audio, into: file)
    let times = ProbedStream(file, "a:0").times
    let steps = Set(zip(times.dropFirst(), times).map { ($0 - $1) * 44100 })
    #expect(times.count == audio.packets.count)
    #expect(steps.isSubset(of: [1151, 1152, 1153, 1154].map { Rational($0) }), "\(steps)")
  }

  @Test("A video file through a FIFO has its audio in sync", arguments: ["mov", "mkv"])
  func fragmented(container: String) throws {
    let audio = try TestAudio(make("in.m4a", "aac"))
    let pipe = folder.file("pipe.\(container)")
    let (copy, done) = (folder.file("copy"), folder.file("done"))
    shell("mkfifo \(pipe); (cat \(pipe) > \(copy); echo x > \(done)) > /dev/null 2>&1 &")
    try carry(audio, into: pipe)
    shell("while [ ! -s \(done) ]; do sleep 0.01; done")
    let times = ProbedStream(copy, "a:0").times
    #expect(times.count == audio.packets.count)
    let error = try #require(times.first) - Rational(-1024, 48000)
    #expect(error <= Rational(1, 1000) && -error <= Rational(1, 1000))
    #expect(ProbedStream(copy, "v:0").times == (0..<50).map { Rational(Int64($0), 25) })
  }

  @Test(
    "Audio that a container does not support is refused before the first frame",
    arguments: [
      ("libopus", "opus", "mov", "mp4"), ("flac", "flac", "mov", "mkv"),
      ("pcm_s16le", "pcm_s16le", "mp4", "mov"),
      ("libvorbis", "", "mov", ""),
      ("alac", "", "mov", ""),
      ("libopus", "", "mp4", ""), ("flac", "", "mkv", ""), ("pcm_s24le", "", "mov", ""),
      ("ac3", "", "mp4", ""), ("libmp3lame", "", "mov", ""),
    ])
  func refused(encoder: String, codec: String, container: String, remedy: String) throws {
    let audio = try TestAudio(make("in.mkv", encoder))
    let file = folder.file("out.\(container)")
    guard !codec.isEmpty else {
      try carry(audio, into: file)
      let source = ProbedStream(folder.file("in.mkv"), "a:0")
      let carried = ProbedStream(file, "a:0")
      #expect(carried["codec_name"] == source["codec_name"])
      #expect(carried.packets.map(\.md5) == source.packets.map(\.md5))
      return
    }
    let error = #expect(throws: EncodeError.self) { try carry(audio, into: file) }
    let text = error?.description ?? ""
    #expect(text.contains(codec) && text.contains(container.uppercased()))
    #expect(text.contains(".\(remedy)") && text.contains("--no-audio"))
    #expect(error?.isUsageError == false)
    #expect(folder.names == ["in.mkv"])
  }
}
