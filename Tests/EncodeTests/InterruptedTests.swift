import Frames
import Glibc
import Testing

@testable import Encode

@Suite("Movies of live sources, and what is left when they are interrupted")
struct InterruptedTests {
  let folder = TestFolder()

  private func boxes(_ file: String) throws -> [UInt32] {
    let descriptor = open(file, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return MovieBox.boxes(of: descriptor, from: 0, to: 1 << 40).map(\.type)
  }

  @Test(
    "At its end it is an ordinary movie, and on the way one that plays",
    arguments: ["mov", "mp4"],
    [("aac", Rational.zero), ("aac", Rational(-1, 10)), ("aac", Rational(1, 3)), ("ac3", .zero)])
  func live(container: String, sound: (codec: String, offset: Rational)) throws {
    let source = folder.file("in.\(sound.codec == "aac" ? "m4a" : "ac3")")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a \(sound.codec) \(source)")
    let (file, copy) = (folder.file("out.\(container)"), folder.file("copy.\(container)"))
    try carry(try TestSound(source), into: file, offset: sound.offset, isLive: true) {
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
    for (a, b) in zip(before.packets, heard.packets) { #expect(b.pts == a.pts + sound.offset) }
    #expect(shell("ffmpeg -v error -i \(file) -f null - 2>&1").isEmpty)

    // The copy was made with 38 frames given, of which half a second may be inside the encoder,
    // and as much in the fragment that is not written yet.
    #expect(try boxes(copy).contains(MovieBox.fragment))
    #expect(shell("ffmpeg -v error -i \(copy) -f null - 2>&1").isEmpty)
    for (stream, whole) in [("v:0", video), ("a:0", heard)] {
      let part = ProbedStream(copy, stream).packets
      #expect(part.count >= (stream == "v:0" ? 12 : 20))
      #expect(part.map(\.md5) == whole.packets.prefix(part.count).map(\.md5))
      #expect(part.map(\.pts) == whole.packets.prefix(part.count).map(\.pts))
    }
  }

  @Test("Matroska plays on the way, too")
  func matroska() throws {
    let source = folder.file("in.m4a")
    shell("ffmpeg -v error -f lavfi -i sine=r=48000:d=2 -c:a aac \(source)")
    let (file, copy) = (folder.file("out.mkv"), folder.file("copy.mkv"))
    try carry(try TestSound(source), into: file, isLive: true) { shell("cp \(file).part \(copy)") }
    let (whole, part) = (ProbedStream(file, "v:0"), ProbedStream(copy, "v:0"))
    #expect(whole.times.count == 50 && part.packets.count >= 12)
    #expect(part.packets.map(\.md5) == whole.packets.prefix(part.packets.count).map(\.md5))
    #expect(shell("ffmpeg -v error -i \(copy) -f null - 2>&1").isEmpty)
  }

  @Test("The next run into the same place leaves what can be played, under another name")
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
      #expect(sink.warnings.count == 1)
      #expect(sink.warnings.first?.contains(name) == true)
      sink.abandon()
      #expect(ProbedStream(folder.file(name), "v:0").times.count == 50)
    }
    #expect(folder.names == ["take.one.recovered-2.mov", "take.one.recovered.mov"])
  }

  @Test("What cannot be played is not kept")
  func replaced() throws {
    let file = folder.file("out.mov")
    for leftover in ["", "no movie at all", "0123456789012345678901234567890123456789"] {
      shell("printf '\(leftover)' > \(file).part")
      let sink = try Output(file).open(
        SinkRequest(
          format: try Output(file).frameFormat(width: 64, height: 48, color: .hd), frameRate: 25,
          timeBase: Rational(1, 25)))
      #expect(sink.warnings.isEmpty)
      sink.abandon()
      #expect(folder.names.isEmpty)
    }
  }

  @Test("Runs of samples are read as libavformat writes them, and nothing else is taken for one")
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
  }
}
