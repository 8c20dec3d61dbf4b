import Frames
import Glibc
import Testing

@testable import Encode

/// Records into a folder that has room for about half a megabyte, once for each container, until
/// there is no more.
private func fillDisk(_ folder: TestFolder) throws {
  for (name, isLive) in [
    ("out.mov", false), ("out.mp4", false), ("out.mkv", false), ("out.mov", true),
  ] {
    let file = folder.file(name)
    var settings = EncodeSettings()
    settings.codec = name == "out.mkv" ? "ffv1" : "mjpeg"
    let output = try Output(file, settings: settings)
    var color = ColorDescription.hd
    color.range = .full
    let format = output.frameFormat(width: 320, height: 240, color: color)
    let sink = try output.open(
      SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25), isLive: isLive))
    let frames = TestFrames(format)
    var index = 0
    let error = #expect(throws: EncodeError.self) {
      while index < 2000 {
        try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
        index += 1
      }
    }
    #expect(error?.isUsageError == false)
    #expect(error?.description.hasPrefix(file) == true)
    let report = try sink.finish()
    #expect(report.frames > 5)
    #expect(report.frames <= index)
    #expect(folder.names == [name])
    let counted = shell(
      "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 \(file)")
    #expect(counted == "\(report.frames)\n")
    #expect(shell("stat -c %s \(file)") == "\(report.bytes ?? -1)\n")
    shell("rm \(file)")
  }
}

/// A disk of 600 KiB in memory, which only root can make, and not in every container.
private final class SmallDisk {
  let folder: TestFolder

  static let canBeMade = geteuid() == 0 && SmallDisk(TestFolder()) != nil

  init?(_ place: TestFolder) {
    folder = place
    guard shell("mount -t tmpfs -o size=600k tmpfs \(place.path) 2>&1 && echo made") == "made\n"
    else { return nil }
  }

  deinit { shell("umount \(folder.path)") }
}

@Suite("How outputs end")
struct EndingTests {
  let folder = TestFolder()

  private func open(
    _ file: String, change: (inout SinkRequest) -> Void = { _ in }
  ) throws -> (sink: any MediaSink, frames: TestFrames) {
    let output = try Output(file)
    let format = output.frameFormat(width: 64, height: 48, color: .hd)
    var request = SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25))
    change(&request)
    return (try output.open(request), TestFrames(format))
  }

  @Test("While it is made a file is called .part, and abandoned it is gone")
  func abandon() throws {
    for name in ["out.mov", "out.png"] {
      let (sink, frames) = try open(folder.file(name))
      #expect(folder.names == [name + ".part"])
      try sink.write(try frames.frame(0, at: 0))
      sink.abandon()
      #expect(folder.names == [])
    }
  }

  @Test("Without one frame there is no output")
  func empty() throws {
    for name in ["out.mov", "out.mkv", "out.png", "out-%d.png"] {
      let (sink, _) = try open(folder.file(name))
      #expect(throws: EncodeError.self) { try sink.finish() }
      #expect(folder.names == [])
    }
  }

  @Test("A file that appears meanwhile is left alone, and the new one keeps its partial name")
  func appears() throws {
    let (sink, frames) = try open(folder.file("out.mov"))
    try sink.write(try frames.frame(0, at: 0))
    shell("echo mine > \(folder.file("out.mov"))")
    let error = #expect(throws: EncodeError.self) { try sink.finish() }
    #expect(error?.description.contains("out.mov.part") == true)
    #expect(folder.names.sorted() == ["out.mov", "out.mov.part"])
    #expect(shell("cat \(folder.file("out.mov"))") == "mine\n")
    #expect(ProbedStream(folder.file("out.mov.part"), "v:0").times == [0])
  }

  @Test("What exists is replaced on demand, through a link too")
  func replaced() throws {
    shell("mkdir \(folder.file("real")); echo old > \(folder.file("real/a.mov"))")
    shell("ln -s real/a.mov \(folder.file("link.mov"))")
    let (sink, frames) = try open(folder.file("link.mov")) { $0.replacesExisting = true }
    try sink.write(try frames.frame(0, at: 0))
    _ = try sink.finish()
    #expect(shell("readlink \(folder.file("link.mov"))") == "real/a.mov\n")
    #expect(ProbedStream(folder.file("real/a.mov"), "v:0").times == [0])
  }

  @Test("Two runs into one file do not mix")
  func locked() throws {
    let (first, _) = try open(folder.file("out.mov"))
    let error = #expect(throws: EncodeError.self) { try open(folder.file("out.mov")) }
    #expect(error?.description.contains("another process") == true)
    first.abandon()
  }

  @Test("A limit on the file's size leaves a movie of what was encoded")
  func limited() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 600_000, rlim_max: 600_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try fillDisk(TestFolder())
    }
  }

  @Test("A full disk leaves a movie of what was encoded", .enabled(if: SmallDisk.canBeMade))
  func full() throws {
    let disk = try #require(SmallDisk(folder))
    try fillDisk(disk.folder)
  }

  @Test("A device without room is told by its name")
  func deviceFull() throws {
    let output = try Output("/dev/full", container: "mkv")
    let format = output.frameFormat(width: 64, height: 48, color: .hd)
    let error = #expect(throws: EncodeError.self) {
      let sink = try output.open(
        SinkRequest(format: format, frameRate: 25, timeBase: Rational(1, 25)))
      let frames = TestFrames(format)
      for index in 0..<30 {
        try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
      }
      _ = try sink.finish()
    }
    #expect(error?.description.contains("/dev/full: no space left") == true)
  }
}
