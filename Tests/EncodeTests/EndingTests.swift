import Frames
import Glibc
import Testing

@testable import Encode

/// Records into a folder with room for about half a megabyte until it is full, once for each container.
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

/// A tmpfs disk of 600 KiB, which only root can mount, and not in every container.
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

/// A folder in which not even root can create, rename or remove files while this object exists.
private final class FrozenFolder {
  private let folder: TestFolder

  static let canBeMade = FrozenFolder(TestFolder()) != nil

  init?(_ place: TestFolder) {
    folder = place
    guard shell("chattr +i \(place.path) 2>&1 && echo made") == "made\n" else { return nil }
  }

  deinit { shell("chattr -i \(folder.path) 2>&1") }
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

  @Test("A file is named .part while it is written, and is removed if abandoned without a frame")
  func abandon() throws {
    for name in ["out.mov", "out.png"] {
      let (sink, frames) = try open(folder.file(name))
      #expect(folder.names == [name + ".part"])
      // The video encoder holds back the first frames.
      if name == "out.mov" { try sink.write(try frames.frame(0, at: 0)) }
      sink.abandon()
      #expect(folder.names == [])
    }
  }

  @Test("Without a frame there is no output")
  func empty() throws {
    for name in ["out.mov", "out.mkv", "out.png", "out-%d.png"] {
      let (sink, _) = try open(folder.file(name))
      #expect(throws: EncodeError.self) { try sink.finish() }
      #expect(folder.names == [])
    }
  }

  @Test("A file created during the recording is kept, and the new one keeps its partial name")
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

  @Test("An existing file is replaced on request, through a link too")
  func replaced() throws {
    shell("mkdir \(folder.file("real")); echo old > \(folder.file("real/a.mov"))")
    shell("ln -s real/a.mov \(folder.file("link.mov"))")
    let (sink, frames) = try open(folder.file("link.mov")) { $0.replacesExisting = true }
    try sink.write(try frames.frame(0, at: 0))
    _ = try sink.finish()
    #expect(shell("readlink \(folder.file("link.mov"))") == "real/a.mov\n")
    #expect(ProbedStream(folder.file("real/a.mov"), "v:0").times == [0])
  }

  @Test(
    "A finished output that cannot be renamed keeps its partial name, which is reported",
    arguments: ["out.mov", "out.mkv", "out.png", "out-%d.png"], [true, false])
  func nameless(name: String, replaces: Bool) throws {
    let made = name.replacing("%d", with: "1")
    let (sink, frames) = try open(folder.file(name)) { $0.replacesExisting = replaces }
    let error = #expect(throws: EncodeError.self) {
      // A folder that is not empty cannot be replaced.
      if name.contains("%") {
        shell("mkdir -p \(folder.file(made))/full")
        try sink.write(try frames.frame(0, at: 0))
      } else {
        try sink.write(try frames.frame(0, at: 0))
        shell("mkdir -p \(folder.file(made))/full")
      }
      _ = try sink.finish()
    }
    guard replaces || !name.contains("%") else {
      #expect(error?.description.contains("exists already") == true)
      return
    }
    #expect(error?.description.contains("\(made).part; rename it") == true)
    #expect(folder.names.sorted() == [made, made + ".part"])
    #expect(ProbedStream(folder.file(made + ".part"), "v:0").packets.count == 1)
  }

  @Test("A file that cannot be synchronized to disk keeps its partial name, which is reported")
  func unsynchronized() throws {
    let place = folder.file("out.mov")
    var file = try PartialFile(place: place, name: place)
    #expect(write(file.descriptor, "film", 4) == 4)
    // Through such a descriptor (O_PATH, which Swift does not import) a file can be identified, but not
    // synchronized (EBADF).
    let known = Glibc.open(place + ".part", 0o10000000 | O_CLOEXEC)
    #expect(dup2(known, file.descriptor) == file.descriptor)
    close(known)
    var said = ""
    do { try file.commit(replacing: true) } catch { said = error.description }
    _ = consume file
    #expect(said.contains("\(place): writing failed"), "\(said)")
    #expect(said.contains("the recorded part is kept as \(place).part"), "\(said)")
    #expect(folder.names == ["out.mov.part"])
    #expect(shell("cat \(place).part") == "film")
  }

  @Test(
    "In a folder that became immutable a finished file keeps its partial name",
    .enabled(if: FrozenFolder.canBeMade, "this user or file system has no chattr +i"),
    arguments: ["out.mov", "out.mkv", "out.png"])
  func frozen(name: String) throws {
    let (sink, frames) = try open(folder.file(name))
    try sink.write(try frames.frame(0, at: 0))
    let frozen = try #require(FrozenFolder(folder))
    let error = #expect(throws: EncodeError.self) { try sink.finish() }
    #expect(error?.description.contains("\(name).part; rename it") == true)
    #expect(error?.isUsageError == false)
    #expect(folder.names == [name + ".part"])
    #expect(ProbedStream(folder.file(name + ".part"), "v:0").packets.count == 1)
    withExtendedLifetime(frozen) {}
  }

  @Test("A file abandoned with a frame is kept", arguments: ["out.mkv", "out.y4m", "out.png"])
  func abandonedFootage(name: String) throws {
    let (sink, frames) = try open(folder.file(name)) { $0.isLive = true }
    for index in 0..<(name == "out.png" ? 1 : 40) {
      try sink.write(try frames.frame(index, at: Rational(Int64(index), 25)))
    }
    sink.abandon()
    #expect(folder.names == [name + ".part"])
    #expect(ProbedStream(folder.file(name + ".part"), "v:0").packets.count >= 1)
  }

  @Test(
    "A partial file that was moved, replaced or removed is not renamed, and this is reported")
  func strayed() throws {
    let (file, away) = (folder.file("out.mov"), folder.file("away"))
    for (change, place) in [
      ("mv \(file).part \(away)", away),
      ("mv \(file).part \(away); echo mine > \(file).part", away),
      ("rm \(file).part", folder.file("out.recovered.mov")),
      ("rm \(file).part; echo mine > \(file).part", folder.file("out.recovered.mov")),
    ] {
      let (sink, frames) = try open(file)
      for index in 0..<3 { try sink.write(try frames.frame(index, at: Rational(Int64(index), 25))) }
      shell(change)
      let error = #expect(throws: EncodeError.self) { try sink.finish() }
      #expect(error?.description.contains("another program moved or removed \(file).part") == true)
      #expect(error?.description.contains(place) == true)
      #expect(ProbedStream(place, "v:0").times.count == 3)
      let isReplaced = change.contains("mine")
      #expect(
        folder.names.sorted()
          == ([String(place.split(separator: "/").last!)] + (isReplaced ? ["out.mov.part"] : []))
          .sorted())
      if isReplaced { #expect(shell("cat \(file).part") == "mine\n") }
      shell("rm -f \(folder.path)/*")
    }
  }

  @Test("Anything but a plain file of the user at the partial name is refused and left unchanged")
  func inTheWay() throws {
    let part = folder.file("out.mov.part")
    var cases = [
      ("echo mine > \(folder.file("a")); ln \(folder.file("a")) \(part)", "hard link"),
      ("echo mine > \(folder.file("a")); ln -s a \(part)", "a symbolic link"),
      ("mkfifo \(part)", "a FIFO"), ("mkdir \(part)", "a folder"),
    ]
    // Only root can change a file's owner.
    if geteuid() == 0 {
      cases.append(("echo mine > \(part); chown 65534 \(part)", "another user"))
    }
    for (command, word) in cases {
      shell(command)
      let before = shell("ls -Ali \(folder.path)")
      let error = #expect(throws: EncodeError.self) { try open(folder.file("out.mov")) }
      #expect(error?.description.contains("\(part) is in the way") == true)
      #expect(error?.description.contains(word) == true)
      #expect(error?.isUsageError == false)
      #expect(shell("ls -Ali \(folder.path)") == before)
      shell("rm -rf \(folder.path)/*")
    }
  }

  @Test(
    "A file that is renamed or removed between opening and locking is not written to",
    arguments: [true, false])
  func raced(isFinished: Bool) throws {
    let (place, part) = (folder.file("out.y4m"), folder.file("out.y4m.part"))
    // From a run that ends just then; a file with only a header need not be kept.
    shell("echo YUV4MPEG2 W64 > \(part)")
    var hasEnded = false
    let file = try PartialFile(place: place, name: place) {
      if hasEnded { return }
      hasEnded = true
      if isFinished { rename(part, place) } else { unlink(part) }
    }
    #expect(write(file.descriptor, "new", 3) == 3)
    #expect(file.recovered == nil)
    if isFinished { #expect(shell("cat \(place)") == "YUV4MPEG2 W64\n") }
    #expect(shell("cat \(part)") == "new")
  }

  @Test("Two runs cannot write the same file")
  func locked() throws {
    let (first, _) = try open(folder.file("out.mov"))
    let error = #expect(throws: EncodeError.self) { try open(folder.file("out.mov")) }
    #expect(error?.description.contains("another process") == true)
    first.abandon()
  }

  @Test("An output that was given up can be made again while a child process still starts")
  func lockedByChild() throws {
    let place = folder.file("out.mov")
    let file = try PartialFile(place: place, name: place)
    // What a child has between fork and exec.
    let copy = dup(file.descriptor)
    defer { close(copy) }
    _ = consume file
    let again = try PartialFile(place: place, name: place)
    #expect(again.descriptor >= 0)
  }

  @Test("A file size limit leaves a complete file of the encoded part")
  func limited() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 600_000, rlim_max: 600_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try fillDisk(TestFolder())
    }
  }

  @Test("A full disk leaves a complete file of the encoded part", .enabled(if: SmallDisk.canBeMade))
  func full() throws {
    let disk = try #require(SmallDisk(folder))
    try fillDisk(disk.folder)
  }

  @Test("A device without space is named")
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
    #expect(error?.description.contains("/dev/full: the file system is full") == true)
  }
}
