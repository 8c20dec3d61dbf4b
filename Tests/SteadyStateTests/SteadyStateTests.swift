import Glibc
import TestSupport
import Testing

/// Tests that memory does not grow after the first frames, however long a recording lasts.
@Suite("Steady state")
struct SteadyStateTests {
  @Test("Frame 200 needs no large block of memory that frame 40 did not need, and few small ones")
  func noLargeBlocksPerFrame() throws {
    let folder = try TemporaryFolder()
    try makeClip(folder.file("in.mp4"), frames: 210)
    let (late, early) = (try blocks(frames: 200, in: folder), try blocks(frames: 40, in: folder))
    // One block in every tenth frame would be 16. A few are chance: at the start, threads in parallel
    // request the same tables from Swift's run-time library.
    #expect(late.large - early.large < 16)
    // One for each row of a frame would be 180 a frame. Debug builds keep temporary arrays that release builds do not.
    if getenv("KFREC_BINARY") != nil {
      #expect((0..<160 * 50).contains(late.small - early.small))
    }
  }

  @Test("Memory is steady with effects that could be changed from outside")
  func noLargeBlocksForControl() throws {
    let folder = try TemporaryFolder()
    try makeClip(folder.file("in.mp4"), frames: 210)
    let control = ["--control", "-", "--automation", "cues"]
    let more =
      try largeBlocks(frames: 200, and: control, in: folder)
      - largeBlocks(frames: 40, and: control, in: folder)
    #expect(more < 16)
  }

  @Test("Memory is steady with effects that read textures and audio")
  func noLargeBlocksForAudio() throws {
    let folder = try TemporaryFolder()
    try makeClip(
      folder.file("in.mp4"), frames: 210,
      audio: ["-f", "lavfi", "-i", "sine=r=44100:d=9", "-c:a", "aac"])
    let effect = """
      /*{"INPUTS": [{"NAME": "wave", "TYPE": "audio"}, {"NAME": "tones", "TYPE": "audioFFT"},
        {"NAME": "back", "TYPE": "image"}, {"NAME": "flash", "TYPE": "event"}]}*/
      vec4 effect(vec2 uv) { return flash ? back(uv) : wave(uv) + tones(uv); }
      """
    let path = try folder.write(effect.utf8, to: "see.comp")
    let use = "\(path):back=in.mp4,flash@0.5@4"
    let more =
      try largeBlocks(frames: 200, effect: use, in: folder)
      - largeBlocks(frames: 40, effect: use, in: folder)
    #expect(more < 16)
  }

  @Test("Memory is steady with a transition, with the audio of both inputs")
  func noLargeBlocksForTwoInputs() throws {
    let folder = try TemporaryFolder()
    try makeClip(
      folder.file("in.mp4"), frames: 210,
      audio: ["-f", "lavfi", "-i", "sine=r=44100:d=9", "-c:a", "aac"])
    try makeClip(
      folder.file("next.mp4"), frames: 210,
      audio: ["-f", "lavfi", "-i", "sine=r=48000:d=9", "-c:a", "aac"])
    // Both inputs are used from frame 60 on.
    let second = ["-i", "next.mp4", "--overlap", "6", "--size", "160x90"]
    let more =
      try largeBlocks(frames: 200, effect: "wipe", and: second, in: folder)
      - largeBlocks(frames: 80, effect: "wipe", and: second, in: folder)
    #expect(more < 12)
  }

  @Test("Memory at frame 2,000 is within 2 MB of that at frame 200")
  func memoryDoesNotGrow() throws {
    let folder = try TemporaryFolder()
    // Fed at its own pace, so that it is in the middle of its work at both times.
    let kfrec = try KfrecProcess.start(
      ["-i", "-", "-e", "separateRGB", "-o", "out.mov", "--progress", "json"],
      in: folder, environment: ["KFREC_VULKAN_VALIDATION": nil], input: .silence)
    kfrec.feed(Array("YUV4MPEG2 W160 H120 F25:1 Ip A1:1 C420jpeg\n".utf8))
    var lot: [UInt8] = []
    for frame in 0..<8 {
      lot += Array("FRAME\n".utf8)
      for index in 0..<160 * 120 * 3 / 2 { lot.append(UInt8((index + 20 * frame) % 199 + 20)) }
    }
    func goOn(to frames: Int) -> Bool {
      kfrec.waitForOutput(seconds: 300) { text in
        if kfrec.hasTakenAll { kfrec.feed(lot) }
        return framesOut(text) >= frames
      }
    }
    #expect(goOn(to: 200))
    let early = try #require(kfrec.residentMemory)
    #expect(goOn(to: 2000))
    let late = try #require(kfrec.residentMemory)
    #expect(abs(late - early) <= 2 << 20, "from \(early) to \(late) bytes")
    kfrec.feed(nil)
    #expect(kfrec.wait().exitCode == 0)
  }

  private func largeBlocks(
    frames: Int, effect: String = "separateRGB", and more: [String] = [],
    in folder: TemporaryFolder
  ) throws -> Int {
    try blocks(frames: frames, effect: effect, and: more, in: folder).large
  }

  /// Returns the numbers of blocks of 4 KiB or more, and of smaller ones, that kfrec's own code allocates in so many frames.
  private func blocks(
    frames: Int, effect: String = "separateRGB", and more: [String] = [],
    in folder: TemporaryFolder
  ) throws -> (large: Int, small: Int) {
    let result = try KfrecProcess.run(
      ["-y", "-i", "in.mp4"] + more + ["-e", effect, "--frames", "\(frames)", "-o", "out.mov"],
      in: folder,
      environment: [
        "ALLOCATION_TRACE": folder.file("trace"),
        "KFREC_VULKAN_VALIDATION": nil,
        // Otherwise a first run would compile what a second one finds cached.
        "KFREC_CACHE": "off",
      ], preloading: "AllocationTrace")
    #expect(result.exitCode == 0, "\(result)")
    let text = String(decoding: try readFile(folder.file("trace")), as: UTF8.self)
    let counts = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    // Opening allocates some blocks: a count of 0 would mean that the library counts nothing.
    #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 })
    return (try #require(counts.first), try #require(counts.last))
  }

  private func makeClip(_ path: String, frames: Int, audio: [String] = []) throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25",
      ] + audio + [
        "-frames:v", "\(frames)", "-c:v", "libx264", "-preset", "ultrafast", path,
      ])
  }

  /// Returns the frames out in the last progress object.
  private func framesOut(_ text: String) -> Int {
    let key = "\"framesOut\":"
    guard let line = text.split(separator: "\n").last(where: { $0.contains(key) }) else { return 0 }
    let parts = line.split(separator: ":").enumerated()
    let index = parts.first { $0.element.hasSuffix("\"framesOut\"") }?.offset ?? 0
    return Int(line.split(separator: ":")[index + 1].prefix { $0.isNumber }) ?? 0
  }
}
