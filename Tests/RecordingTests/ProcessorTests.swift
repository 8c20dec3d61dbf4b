import Glibc
import TestSupport
import Testing

/// What the number of processors may not change.
@Suite struct ProcessorTests {
  @Test(
    "a movie has the same bytes with one processor as with all",
    .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1),
    arguments: [
      ("out.mov", []), ("out.mov", ["--crf", "30", "--preset", "medium"]),
      ("out.webm", []), ("out.mp4", ["--codec", "hevc"]), ("out.mkv", ["--codec", "ffv1"]),
      ("out.mp4", ["--codec", "mpeg4"]), ("out.mkv", ["--codec", "mpeg2video"]),
      ("out.mov", ["--codec", "prores"]), ("out.mp4", ["--codec", "av1"]),
    ] as [(String, [String])])
  func bytes(_ name: String, _ words: [String]) throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x352:r=25:d=0.6,noise=alls=20:allf=t", "-c:v", "ffv1",
        "-pix_fmt", "yuv420p",
      ])
    var made: [[UInt8]] = []
    for processors in ["0", "0-\(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)"] {
      let result = try ChildProcess(
        "taskset",
        ["-c", processors, KfrecProcess.path, "-i", "in.mkv", "-y", "-o", name] + words,
        folder: folder.path, environment: KfrecProcess.usualEnvironment
      ).wait()
      #expect(result.exitCode == 0, "\(result)")
      made.append(try readFile(folder.file(name)))
    }
    #expect(made[0] == made[1] && !made[0].isEmpty)
  }

  @Test(
    "x264 has a number of threads of the frames, also behind a live source",
    arguments: [false, true])
  func threads(_ isLive: Bool) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "640x352", "-t", "0.5", "-o", "out.mov"]
        + (isLive ? ["--realtime"] : []), in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let text = String(decoding: try readFile(folder.file("out.mov")), as: UTF8.self)
    // As many as the frames that it may hold allow.
    #expect(text.contains(isLive ? " threads=4 " : " threads=8 "))
  }
}
