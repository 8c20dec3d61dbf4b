import FFmpegHandles
import Frames
import Glibc
import Testing

@testable import Encode

@Suite("Video files of live sources, and what remains of them after an interruption")
struct InterruptedTests {
  let folder = TestFolder()

  private func boxes(_ file: String) throws -> [UInt32] {
    let descriptor = Glibc.open(file, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return MovieBox.boxes(of: descriptor, from: 0, to: 1 << 40).map(\.type)
  }

  @Test(
    "A live recording is playable while it is written, and an ordinary file at its end",
    arguments: ["mov", "mp4"],
    [("aac", Rational.zero), ("aac", Rational(-1, 10)), ("aac", Rational(1, 3)), ("ac3", .zero)])
  func live(container: String, audio: (codec: String, offset: Rational)) throws {
    let source = folder.file("in.\(audio.codec == "aac" ? "m4a" : "ac3")")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a \(audio.codec) \(source)")
    let (file, copy) = (folder.file("out.\(container)"), folder.file("copy.\(container)"))
    try carry(try TestAudio(source), into: file, offset: audio.offset, isLive: true) {
      shell("cp \(file).part \(copy)")
    }

    #expect(try !boxes(file).contains(MovieBox.fragment))
    #expect(try boxes(file).count { $0 == MovieBox.movie } == 1)
    let (video, heard) = (ProbedStream(file, "v:0"), ProbedStream(file, "a:0"))
    #expect(video.times == (0..<50).map { Rational(Int64($0), 25) })
    #expect(video["nb_frames"] == "50")
    #expect(video["duration_ts"] == "25600")
    let before = ProbedStream(source, "a:0")
    #expect(heard.packets.map(\.md5) == before.packets.map(\.md5))
    for (a, b) in zip(before.packets, heard.packets) { #expect(b.pts == a.pts + audio.offset) }
    #expect(shell("ffmpeg -v error -i \(file) -f null - 2>&1").isEmpty)

    // At the copy 38 frames had been given; up to half a second of them may be in the encoder, and as
    // much in the unwritten fragment.
    #expect(try boxes(copy).contains(MovieBox.fragment))
    #expect(shell("ffmpeg -v error -i \(copy) -f null - 2>&1").isEmpty)
    for (stream, whole) in [("v:0", video), ("a:0", heard)] {
      let part = ProbedStream(copy, stream).packets
      #expect(part.count >= (stream == "v:0" ? 12 : 20))
      #expect(part.map(\.md5) == whole.packets.prefix(part.count).map(\.md5))
      #expect(part.map(\.pts) == whole.packets.prefix(part.count).map(\.pts))
    }
  }

  @Test("Matroska is playable while it is written")
  func matroska() throws {
    let source = folder.file("in.m4a")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a aac \(source)")
    let (file, copy) = (folder.file("out.mkv"), folder.file("copy.mkv"))
    try carry(try TestAudio(source), into: file, isLive: true) { shell("cp \(file).part \(copy)") }
    let (whole, part) = (ProbedStream(file, "v:0"), ProbedStream(copy, "v:0"))
    #expect(whole.times.count == 50 && part.packets.count >= 12)
    #expect(part.packets.map(\.md5) == whole.packets.prefix(part.packets.count).map(\.md5))
    #expect(shell("ffmpeg -v error -i \(copy) -f null - 2>&1").isEmpty)
  }

  @Test("The next run keeps a playable partial file under another name")
  func kept() throws {
    let file = folder.file("take.one.mov")
    for number in 1...2 {
      try record(
        file, times: (0..<50).map { Rational(Int64($0), 25) }, timeBase: Rational(1, 25), rate: 25
      ) {
        $0.isLive = true
        $0.replacesExisting = true
      }
      shell("mv \(file) \(file).part")
      let sink = try Output(file).open(
        SinkRequest(
          format: try Output(file).frameFormat(width: 64, height: 48, color: .hd), frameRate: 25,
          timeBase: Rational(1, 25)))
      let name = number == 1 ? "take.one.recovered.mov" : "take.one.recovered-2.mov"
      #expect(sink.notices.count == 1)
      #expect(sink.notices.first?.message.contains(name) == true)
      sink.abandon()
      #expect(ProbedStream(folder.file(name), "v:0").times.count == 50)
    }
    #expect(folder.names == ["take.one.recovered-2.mov", "take.one.recovered.mov"])
  }

  private func open(
    _ file: String, codec: String? = nil, change: (inout SinkRequest) -> Void = { _ in }
  ) throws -> (sink: any MediaSink, frames: TestFrames) {
    var settings = EncodeSettings()
    settings.codec = codec
    let output = try Output(file, settings: settings)
    var color = ColorDescription.hd
    color.range = .full
    let format = output.frameFormat(width: 64, height: 48, color: color)
    var request = SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 12800))
    request.isLive = true
    change(&request)
    return (try output.open(request), TestFrames(format))
  }

  @Test(
    "The file is playable from its first frame on, and however short it is at its end",
    arguments: ["mov", "mp4", "mkv", "y4m"], [false, true])
  func first(container: String, hasAudio: Bool) throws {
    let source = folder.file("in.m4a")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=1 -c:a aac \(source)")
    let audio = try TestAudio(source)
    let file = folder.file("out.\(container)")
    // The codec has no delay: each frame is written at once.
    let (sink, frames) = try open(file, codec: container == "y4m" ? nil : "mjpeg") {
      if hasAudio { $0.codedAudio = [audio.stream] }
    }
    for count in 1...2 {
      try sink.write(try frames.frame(count - 1, at: Rational(Int64(count - 1), 25)))
      if count == 1 { #expect(ProbedStream(file + ".part", "v:0").times == [.zero]) }
    }
    let report = try sink.finish()
    #expect(report.frames == 2)
    #expect(ProbedStream(file, "v:0").times == [.zero, Rational(1, 25)])
    #expect(shell("ffmpeg -v error -i \(file) -f null - 2>&1").isEmpty)
  }

  @Test(
    "Audio that begins after the first frame was written is in sync, also in the partial file",
    arguments: ["mov", "mp4"],
    [("aac", Rational.zero), ("aac", Rational(-1, 10)), ("aac", Rational(1, 3)), ("ac3", .zero)])
  func late(container: String, audio: (codec: String, offset: Rational)) throws {
    let source = folder.file("in.\(audio.codec == "aac" ? "m4a" : "ac3")")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a \(audio.codec) \(source)")
    let carried = try TestAudio(source)
    let (file, copy) = (folder.file("out.\(container)"), folder.file("copy.\(container)"))
    let (sink, frames) = try open(file, codec: "mjpeg") { $0.codedAudio = [carried.stream] }
    for index in 0..<60 {
      try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
      guard index == 20 else { continue }
      for packet in carried.packets {
        try sink.write(try packet.moved(to: packet.time + audio.offset))
      }
    }
    shell("cp \(file).part \(copy)")
    _ = try sink.finish()
    let before = ProbedStream(source, "a:0").packets
    for path in [copy, file] {
      let heard = ProbedStream(path, "a:0").packets
      #expect(heard.map(\.md5) == before.map(\.md5))
      for (a, b) in zip(before, heard) { #expect(b.pts == a.pts + audio.offset) }
      let pictures = ProbedStream(path, "v:0").times
      #expect(pictures == (0..<pictures.count).map { Rational(Int64($0), 25) })
      #expect(pictures.count >= 50)
      #expect(shell("ffmpeg -v error -i \(path) -f null - 2>&1").isEmpty)
    }
    #expect(try boxes(copy).count { $0 == MovieBox.movie } == 1)
  }

  @Test("Frames at uneven intervals keep their timestamps, also in the partial file")
  func uneven() throws {
    let (file, copy) = (folder.file("out.mov"), folder.file("copy.mov"))
    let (sink, frames) = try open(file)
    let times = (0..<80).map { (index: Int64) in
      Rational(index * 512 + index * index % 7 * 40, 12800)
    }
    for (index, time) in times.enumerated() { try sink.write(try frames.frame(index, at: time)) }
    shell("cp \(file).part \(copy)")
    _ = try sink.finish()
    let part = ProbedStream(copy, "v:0").times
    #expect(part.count >= 40)
    // The last frames may be decoded before others that are shown earlier.
    #expect(Set(part).isSubset(of: times))
    #expect(part.dropLast(3) == times.prefix(part.count - 3))
    #expect(ProbedStream(file, "v:0").times == times)
  }

  @Test("Frames missing from the file are an error, and the partial file is kept")
  func incomplete() throws {
    for name in ["out.mkv", "out.y4m"] {
      let file = folder.file(name)
      let (sink, frames) = try open(file)
      for index in 0..<80 {
        try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
        // Simulates a disk that loses data.
        if index == 60 { shell("truncate -s 300 \(file).part") }
      }
      if name == "out.y4m" { shell("truncate -s 300 \(file).part") }
      let error = #expect(throws: EncodeError.self) { try sink.finish() }
      #expect(error?.description.contains("80 frames were encoded and the file holds ") == true)
      #expect(error?.description.contains("kept as \(file).part") == true)
      #expect(folder.names == [name + ".part"])
      shell("rm \(file).part")
    }
  }

  @Test("Samples are counted as ffprobe counts packets", arguments: ["mov", "mp4", "mkv"])
  func counted(container: String) throws {
    let source = folder.file("in.m4a")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a aac \(source)")
    let (file, copy) = (folder.file("out.\(container)"), folder.file("copy.\(container)"))
    try carry(try TestAudio(source), into: file, isLive: true) { shell("cp \(file).part \(copy)") }
    for path in [file, copy] {
      let descriptor = Glibc.open(path, O_RDONLY)
      defer { close(descriptor) }
      let counts = WrittenSamples.count(
        in: descriptor, size: Int64(lseek(descriptor, 0, SEEK_END)),
        container: try #require(Container(named: container)),
        format: FrameFormat(width: 64, height: 48, pixelFormat: .yuv420p, color: .hd))
      #expect(
        counts == [
          ProbedStream(path, "v:0").packets.count, ProbedStream(path, "a:0").packets.count,
        ]
      )
    }
  }

  /// Opens and abandons an output at a path, and returns the names left in the folder.
  private func leftBehind(_ file: String) throws -> [String] {
    let (sink, _) = try open(file)
    sink.abandon()
    return folder.names
  }

  @Test("A file that may contain a frame is kept, and one with only a header is not")
  func headers() throws {
    let leftovers = [
      // Empty, a y4m header, the start of one, and a MOV without any sample.
      ("out.mov", "", false), ("out.y4m", "YUV4MPEG2 W64 H48 F25:1\\n", false),
      ("out.y4m", "YUV4MPEG2 W6", false),
      ("out.mov", "\\0\\0\\0\\010ftyp\\0\\0\\0\\010wide\\0\\0\\0\\0mdat", false),
      ("out.mkv", "\\032\\0105\\0337\\0243\\0200\\030\\0123\\0200\\0147\\0201\\0354", false),
      ("out.mov", "\\0\\0\\0\\010ftyp\\0\\0\\0\\010wide\\0\\0\\0\\0mdat1", true),
      (
        "out.mkv",
        "\\032\\0105\\0337\\0243\\0200\\030\\0123\\0200\\0147\\0210\\037\\0103\\0266\\0165\\0201\\0",
        true
      ),
      ("out.y4m", "YUV4MPEG2 W64 H48 F25:1\\nF", true),
      ("out.mov", "what another program is fetching", true),
    ]
    for (name, bytes, isKept) in leftovers {
      shell("printf %b '\(bytes)' > \(folder.file(name)).part")
      let before = hex(folder.file(name) + ".part")
      let kept = name.replacing(".", with: ".recovered.")
      #expect(try leftBehind(folder.file(name)) == (isKept ? [kept] : []), "\(bytes)")
      if isKept { #expect(hex(folder.file(kept)) == before) }
      shell("rm -f \(folder.path)/*")
    }
  }

  @Test("A recovered movie that ended within the header of a fragment ends before it")
  func cutFragment() throws {
    let (file, movie) = (folder.file("out.mov"), folder.file("movie.mp4"))
    let kept = folder.file("out.recovered.mov")
    shell(
      "ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=25 -t 2 -c:v libx264 -g 10 -movflags "
        + "frag_keyframe+empty_moov+default_base_moof \(movie)")
    let word = shell("grep -abo moof \(movie) | tail -1 | cut -d: -f1")
    let last = try #require(Int(word.prefix { $0.isNumber })) - 4
    // Of the last, frames were begun; the others are whole but for the head of a fragment.
    for (length, end) in [(4, 0), (8, 0), (120, 0), (-10, -10)] {
      shell(
        "head -c \(last + length) \(movie) > \(file).part; head -c \(last + end) \(movie) > \(kept).wanted"
      )
      _ = try leftBehind(file)
      #expect(hex(kept) == hex(kept + ".wanted"), "\(length)")
      shell("rm -f \(folder.file("out"))*")
    }
    // What follows is another box, which stays.
    shell(
      "head -c \(last) \(movie) > \(file).part; printf '\\0\\0\\1\\0mfra' >> \(file).part; cp \(file).part \(kept).wanted"
    )
    _ = try leftBehind(file)
    #expect(hex(kept) == hex(kept + ".wanted"))
  }

  @Test("A recovered file does not overwrite another one, and takes the next free name")
  func names() throws {
    let file = folder.file("out.y4m")
    shell(
      "echo first > \(folder.file("out.recovered.y4m")); mkdir \(folder.file("out.recovered-2.y4m"))"
    )
    shell("ln -s nowhere \(folder.file("out.recovered-3.y4m")); echo second > \(file).part")
    #expect(try leftBehind(file).contains("out.recovered-4.y4m"))
    #expect(
      shell("cd \(folder.path); cat out.recovered.y4m out.recovered-4.y4m") == "first\nsecond\n")
    #expect(shell("readlink \(folder.file("out.recovered-3.y4m"))") == "nowhere\n")
  }

  @Test("A partial image of a sequence from a killed run is kept and reported")
  func sequence() throws {
    shell("printf half > \(folder.file("a-1.png.part"))")
    let (sink, frames) = try open(folder.file("a-%d.png"))
    try sink.write(try frames.frame(0, at: 0))
    #expect(try sink.finish().warning?.contains("a-1.recovered.png") == true)
    #expect(folder.names.sorted() == ["a-1.png", "a-1.recovered.png"])
  }

  @Test("Sample runs are read as libavformat writes them, and nothing else is accepted as one")
  func runs() {
    let run: [UInt8] = [
      0, 0, 0, 32, 0x74, 0x72, 0x75, 0x6e, 0, 0, 0x02, 0x05, 0, 0, 0, 2, 0, 0, 0, 200,
      2, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 9,
    ]
    let head: [UInt8] = [0, 0, 0, 16, 0x74, 0x66, 0x68, 0x64, 0, 2, 0, 0, 0, 0, 0, 1]
    func fragment(_ boxes: [UInt8]) -> [UInt8] {
      let track: [UInt8] = [0, 0, 0, UInt8(8 + boxes.count), 0x74, 0x72, 0x61, 0x66] + boxes
      return [0, 0, 0, UInt8(8 + track.count), 0x6d, 0x6f, 0x6f, 0x66] + track
    }
    #expect(
      FragmentRun.runs(ofFragment: fragment(head + run), at: 1000)
        == [FragmentRun(stream: 0, position: 1200, sizes: [7, 9])])
    var cut = run
    cut[3] = 28
    #expect(FragmentRun.runs(ofFragment: fragment(head + cut.dropLast(4)), at: 0) == nil)
    var based = head
    based[9] = 0
    #expect(FragmentRun.runs(ofFragment: fragment(based + run), at: 0) == nil)
    #expect(FragmentRun.runs(ofFragment: fragment(run + head), at: 0) == nil)
    #expect(FragmentRun.runs(ofFragment: Array(fragment(head + run).prefix(7)), at: 0) == nil)
    // Billions of samples of the track's usual size, which take no bytes.
    var endless = run
    (endless[10], endless[12]) = (0, 0xff)
    #expect(FragmentRun.runs(ofFragment: fragment(head + endless), at: 0) == nil)
  }
}
