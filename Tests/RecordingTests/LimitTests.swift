import TestSupport
import Testing

/// Tests of recordings where the system gives less than they need (`ulimit`).
@Suite("Limits of the system")
struct LimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the program with a limit on the size of files; `words` is a shell command line.
  private func limited(kibibytes: Int, _ words: String) throws -> ChildResult {
    try KfrecProcess.shell(
      "ulimit -f \(kibibytes); exec \"$0\" \(words)", in: folder,
      environment: [
        "XDG_CACHE_HOME": folder.file("caches"), "MESA_SHADER_CACHE_DIR": folder.file("caches"),
      ])
  }

  /// Whether the limit ended the recording before its first frame, because the driver keeps frames in a file (Mesa 25).
  private func isOfDriver(_ result: ChildResult) -> Bool {
    guard result.errors.contains("keeps frames in a file in memory") else { return false }
    // The shell makes what it redirects to.
    #expect(result.exitCode == 1 && outputs.allSatisfy { $0 == "out" }, "\(result)")
    return true
  }

  private var outputs: [String] { folder.names.filter { $0.hasPrefix("out") } }

  @Test(
    "A file at its size limit is reported as the reason of the end, and no file is left",
    arguments: ["out.png", "out.y4m", "out.mov", "out-%d.png"])
  func sizeOfFile(output: String) throws {
    let result = try limited(
      kibibytes: 1, "-i testsrc --size 320x240 --frames 20 --crf 5 -o \(output)")
    if isOfDriver(result) { return }
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("as large as its file system or limit allows"))
    #expect(outputs == [])
  }

  @Test(
    "A y4m at its size limit holds every frame that fits, wherever the limit falls",
    arguments: [(100, 0), (150, 1), (300, 2), (500, 4)])
  func sizeOfUncoded(kibibytes: Int, frames: Int) throws {
    // A frame takes 112.5 kibibytes, and the header less than one kibibyte.
    let result = try limited(
      kibibytes: kibibytes, "-i testsrc --size 320x240 --frames 20 -o out.y4m")
    if isOfDriver(result) { return }
    #expect(result.exitCode == (frames > 0 ? 3 : 1), "\(result)")
    #expect(result.errors.contains("as large as its file system or limit allows"))
    #expect(outputs == (frames > 0 ? ["out.y4m"] : []))
    guard frames > 0 else { return }
    let size = try readFile(folder.file("out.y4m")).count
    #expect(size / (320 * 240 * 3 / 2) == frames && size < kibibytes * 1024)
  }

  @Test("Standard output at its size limit is reported too")
  func sizeOfStandardOutput() throws {
    let film = try limited(kibibytes: 1, "-i testsrc --size 64x48 --frames 20 -o - >out")
    #expect(film.exitCode == 1, "\(film)")
    #expect(
      film.errors.contains("as large as its file system or limit allows")
        || film.errors.contains("keeps frames in a file in memory"))
    let listing = try limited(kibibytes: 1, "--help >out")
    #expect(listing.exitCode == 1, "\(listing)")
    #expect(listing.errors.contains("standard output cannot be written"))
  }

  @Test("Progress that cannot be written is reported once, and the recording continues")
  func sizeOfProgress() throws {
    let result = try limited(
      kibibytes: 1, "-i testsrc --size 64x48 --frames 20 --progress json -o null >out")
    if isOfDriver(result) { return }
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errors.contains("the progress cannot be written"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("A recording succeeds where nothing can be cached for the next run")
  func sizeOfCache() throws {
    let result = try limited(
      kibibytes: 1, "-i testsrc --size 64x48 --frames 3 -e separateRGB -o null")
    if isOfDriver(result) { return }
    #expect(result.exitCode == 0, "\(result)")
  }

  @Test("Without memory there is an error sentence, and no file is left", arguments: [350, 600])
  func memory(megabytes: Int) throws {
    // To load the debug program's libraries takes 290 to 310, by the toolchain.
    let result = try KfrecProcess.shell(
      """
      ulimit -v \(megabytes << 10)
      exec "$0" -i testsrc --size 64x48 --frames 4 -e separateRGB -o out.mov
      """, in: folder, environment: ["KFREC_VULKAN_VALIDATION": nil])
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("ulimit -v"), "\(result)")
    #expect(outputs == [])
  }

  @Test(
    "Without threads there is an error in a sentence, and no file is left", arguments: 0..<12)
  func threads(limit: Int) throws {
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "4", "-o", "out.mov"], in: folder,
      environment: ["THREAD_LIMIT": "\(limit)", "KFREC_VULKAN_VALIDATION": nil],
      preloading: "ThreadLimit")
    // Libraries may work with fewer threads than they request.
    if result.exitCode == 0 {
      #expect(limit > 2 && outputs == ["out.mov"])
    } else {
      #expect(result.exitCode == 1, "\(result)")
      #expect(result.errors.contains("ulimit -u"), "\(result)")
      #expect(outputs == [])
    }
  }

  @Test(
    "A thread refused in the middle ends the recording, and the recorded part plays")
  func threadInTheMiddle() throws {
    let clip = [
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264", "-preset", "ultrafast",
    ]
    try make("a.mp4", in: folder, clip)
    // The transition's threads start with it, on the GPU stage's thread.
    let result = try KfrecProcess.run(
      [
        "-i", "a.mp4", "-i", "a.mp4", "-e", "crossfade", "--overlap", "0.4", "-o", "out.mov",
      ], in: folder,
      environment: [
        "THREAD_LIMIT": "0", "THREAD_LIMIT_OF": "kfrec-gpu",
        "KFREC_VULKAN_VALIDATION": nil,
      ], preloading: "ThreadLimit")
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("no more threads") && result.errors.contains("ulimit -u"))
    #expect(result.errors.contains("what was encoded until then is in out.mov"), "\(result)")
    #expect(outputs == ["out.mov"])
    // The full output has 40 frames: two clips of one second with an overlap of 0.4 s.
    let times = try Timeline(folder.file("out.mov")).times
    #expect((1..<40).contains(times.count), "\(times)")
    #expect(result.errors.contains("\(times.count) out"), "\(result)")
  }
}
