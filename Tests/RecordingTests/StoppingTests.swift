import Glibc
import TestSupport
import Testing

/// Tests that a first stop finishes the recording, and only a second Ctrl-C aborts it.
@Suite struct StoppingTests {
  /// Starts an endless recording and returns when it is running.
  private func start(_ folder: TemporaryFolder, _ words: [String] = []) throws -> ChildProcess {
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "--size", "64x48", "-o", "out.mov", "--progress", "bar"] + words, in: folder
    )
    #expect(child.waitForError(" fps"))
    return child
  }

  @Test(
    "the first signal finishes the file, which plays to its end",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func finished(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let child = try start(folder)
    #expect(folder.names == ["out.mov.part"])
    child.send(signal)
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(folder.names == ["out.mov"])
    let output = folder.file("out.mov")
    let frames = try Probe.rows(output, "packet=pts", of: "v:0").count
    #expect(frames > 0)
    #expect(result.errors.contains("\(frames) frames in, \(frames) out"), "\(result)")
    // Any damage would be reported on standard error.
    let played = try ChildProcess("ffmpeg", ["-v", "error", "-i", output, "-f", "null", "-"]).wait()
    #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
  }

  @Test(
    "signals that are no second Ctrl-C finish the file, however many come",
    arguments: [
      [SIGHUP, SIGHUP], [SIGTERM, SIGHUP], [SIGTERM, SIGTERM, SIGINT], [SIGINT, SIGHUP],
      [SIGINT, SIGINT],
    ])
  func finishedOnce(_ signals: [Int32]) throws {
    let folder = try TemporaryFolder()
    // Slow enough to be still at it when the last signal comes.
    let child = try start(
      folder, ["--size", "640x480", "--preset", "placebo", "--realtime"])
    usleep(1_000_000)
    for signal in signals {
      child.send(signal)
      usleep(1000)
    }
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(folder.names == ["out.mov"])
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("timeout, which sends its signal twice, finishes the file")
  func timeLimit() throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess(
      "timeout",
      [
        "-s", "INT", "2", KfrecProcess.path, "-i", "testsrc", "--size", "64x48", "--realtime", "-o",
        "out.mov",
      ], folder: folder.path, environment: KfrecProcess.usualEnvironment)
    let result = child.wait()
    // The exit code is the one of `timeout`.
    #expect(result.exitCode == 124 && !result.timedOut, "\(result)")
    #expect(folder.names == ["out.mov"] || result.errors.contains("before the first frame"))
  }

  @Test("a terminal that is closed under bash finishes the recording in it")
  func closedTerminal() throws {
    let folder = try TemporaryFolder()
    let child = try TerminalProcess(
      "bash",
      [
        "-i", "-c", "\"$0\" -i testsrc --size 640x480 --realtime -o out.mov; true",
        KfrecProcess.path,
      ],
      folder: folder.path, environment: KfrecProcess.usualEnvironment)
    waitUntil { (try? readFile(folder.file("out.mov.part")).count) ?? 0 >= 3000 }
    child.hangUp()
    waitUntil { fileExists(folder.file("out.mov")) }
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("the first signal ends the filling of a gap at a constant rate")
  func gapEnds() throws {
    let folder = try TemporaryFolder()
    // 500,000 frames between the first one and the second.
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.08", "-vf", "setpts='PTS+N*500/TB'",
        "-fps_mode", "passthrough", "-c:v", "libx264",
      ])
    let child = try KfrecProcess.start(
      ["-i", "in.mkv", "--fps", "1000", "-o", "out.mov", "--progress", "bar"], in: folder)
    #expect(child.waitForError(" fps"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    let frames = try Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").count
    #expect(frames > 1 && frames < 400_000)
  }

  @Test("the first signal ends the wait for a FIFO's reader", arguments: ["out.mov", "out.mkv"])
  func readerThatDoesNotCome(name: String) throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file(name), 0o600)
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "--size", "64x48", "--frames", "1", "-o", name], in: folder)
    // Nothing reports that it waits; a stop before that ends it in the same way.
    child.waitUntilItHearsSignals()
    #expect(!child.waitForError("out of the question", seconds: 1))
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("stopped before the first frame"), "\(result)")
  }

  @Test("a second Ctrl-C aborts at once with exit code 130, also while a reader does not read")
  func givenUp() throws {
    let folder = try TemporaryFolder()
    // The reader does not read, so the recording cannot end.
    mkfifo(folder.file("full"), 0o600)
    let reader = open(folder.file("full"), O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "-o", "full", "--container", "y4m"], in: folder)
    var polled = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 600_000) == 1, "the first frame is on its way")
    child.send(SIGINT)
    #expect(child.waitForError("press Ctrl-C again to abort"))
    usleep(200_000)
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 130 && !result.timedOut, "\(result)")
  }

  @Test("the recorded part of an aborted file stays as .part")
  func partStays() throws {
    let folder = try TemporaryFolder()
    let child = try start(folder, ["--preset", "placebo"])
    child.send(SIGINT)
    #expect(child.waitForError("press Ctrl-C again to abort"))
    usleep(200_000)
    child.send(SIGINT)
    let result = child.wait()
    // So small a file may be finished before the second signal arrives, and the signal may arrive
    // before the program ends.
    #expect(result.exitCode == 130 || result.exitCode == 0, "\(result)")
    guard folder.names != ["out.mov.part"] else {
      #expect(result.exitCode == 130)
      return
    }
    #expect(folder.names == ["out.mov"])
    #expect(try Probe.rows(folder.file("out.mov"), "frame=pts", of: "v:0").count > 0)
  }

  @Test("a live recording that is killed is playable, and the next one does not overwrite it")
  func killed() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "testsrc", "--size", "64x48", "-o", "out.mov", "--realtime"]
    let child = try KfrecProcess.start(words + ["--progress", "bar"], in: folder)
    let part = folder.file("out.mov.part")
    var played: [[String: String]] = []
    waitUntil(child, every: 0.1) {
      played = (try? Probe.rows(part, "packet=pts", of: "v:0")) ?? []
      return played.count >= 20
    }
    child.send(SIGKILL)
    _ = child.wait()
    let count = try Probe.rows(part, "packet=pts", of: "v:0").count
    #expect(count >= 20)
    let errors = try ChildProcess("ffmpeg", ["-v", "error", "-i", part, "-f", "null", "-"]).wait()
    #expect(errors.exitCode == 0 && errors.errors.isEmpty, "\(errors)")
    let next = try KfrecProcess.run(words + ["--frames", "5"], in: folder)
    #expect(next.exitCode == 0 && next.errors.contains("kept as"), "\(next)")
    #expect(folder.names.sorted() == ["out.mov", "out.recovered.mov"])
    #expect(
      try Probe.rows(folder.file("out.recovered.mov"), "packet=pts", of: "v:0").count == count)
  }

  @Test(
    "a rendering of a file that is killed plays up to its last second, with its sound",
    arguments: ["mov", "mp4", "mkv", "webm"])
  func killedRendering(_ container: String) throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=120", "-f", "lavfi", "-i", "sine=d=120",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
      ])
    let words = ["-i", "in.mp4", "-e", "invert", "-o", "out.\(container)"]
    let child = try KfrecProcess.start(words + ["--progress", "json"], in: folder)
    let part = folder.file("out.\(container).part")
    waitUntil(child) { (try? Probe.rows(part, "packet=pts", of: "v:0").count) ?? 0 >= 50 }
    child.send(SIGKILL)
    let reported = child.wait().text.matches(of: /"framesOut":(\d+)/).last.flatMap { Int($0.1) }
    let errors = try ChildProcess("ffmpeg", ["-v", "error", "-i", part, "-f", "null", "-"]).wait()
    #expect(errors.exitCode == 0 && errors.errors.isEmpty, "\(errors)")
    let (frames, audio) = try (
      Probe.rows(part, "packet=pts", of: "v:0").count,
      Probe.rows(part, "packet=pts", of: "a:0").count
    )
    #expect(frames >= 50 && audio >= frames, "\(frames), \(audio)")
    // The encoder holds frames, and so does libavformat until sound has come.
    #expect(frames >= (reported ?? 0) - 75, "\(frames) of \(reported ?? 0)")
    let next = try KfrecProcess.run(words + ["-t", "1"], in: folder)
    #expect(next.exitCode == 0 && next.errors.contains("kept as"), "\(next)")
    let kept = folder.file("out.recovered.\(container)")
    #expect(try Probe.rows(kept, "packet=pts", of: "v:0").count == frames)
    // What is complete is an ordinary file.
    let whole = try readFile(folder.file("out.\(container)"))
    #expect(whole.firstRange(of: Array("moof".utf8)) == nil)
  }

  @Test(
    "a recording killed after its first frame plays, and the next one does not overwrite it",
    arguments: ["mov", "mkv", "y4m"])
  func killedEarly(_ container: String) throws {
    let folder = try TemporaryFolder()
    let output = "out.\(container)"
    // The second frame is far in the future.
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "64x48", "--fps", "1/1000", "--realtime", "-o", output,
        "--codec", "mjpeg", "--range", "full",
      ], in: folder)
    let part = folder.file("\(output).part")
    waitUntil(child) { (try? Probe.rows(part, "packet=pts", of: "v:0").isEmpty) == false }
    child.send(SIGKILL)
    _ = child.wait()
    #expect(try Probe.rows(part, "packet=pts", of: "v:0").count == 1)
    let next = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "1", "-o", output], in: folder)
    #expect(next.exitCode == 0 && next.errors.contains("kept as"), "\(next)")
    #expect(Set(folder.names) == [output, "out.recovered.\(container)"])
    #expect(
      try Probe.rows(folder.file("out.recovered.\(container)"), "packet=pts", of: "v:0").count == 1)
  }

  @Test("a partial file that was moved gives an error with the recording's place")
  func takenAway() throws {
    let folder = try TemporaryFolder()
    let child = try start(folder)
    rename(folder.file("out.mov.part"), folder.file("mine"))
    child.send(SIGINT)
    let result = child.wait()
    #expect(
      result.exitCode == 1 && result.errors.contains("the recorded part is now "), "\(result)")
    #expect(folder.names == ["mine"])
    #expect(try !Probe.rows(folder.file("mine"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("an output path that became a folder gives an error, and the recording is kept")
  func taken() throws {
    let folder = try TemporaryFolder()
    let child = try start(folder, ["-y"])
    mkdir(folder.file("out.mov"), 0o700)
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 1 && result.errors.contains("out.mov.part"), "\(result)")
    #expect(folder.names.sorted() == ["out.mov", "out.mov.part"])
    #expect(try !Probe.rows(folder.file("out.mov.part"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("a hang-up that nohup ignores does not stop the recording")
  func nohup() throws {
    let folder = try TemporaryFolder()
    let child = try KfrecProcess.startShell(
      "trap '' HUP; exec \"$0\" -i testsrc --size 64x48 --progress bar -o out.mov", in: folder)
    #expect(child.waitForError(" fps"))
    child.send(SIGHUP)
    child.send(SIGHUP)
    usleep(50_000)
    #expect(folder.names == ["out.mov.part"])
    child.send(SIGINT)
    #expect(child.wait().exitCode == 0)
    #expect(folder.names == ["out.mov"])
  }

  @Test("a reader that closes the pipe ends the recording with one sentence")
  func closedPipe() throws {
    let result = try KfrecProcess.shell(
      """
      "$0" -i testsrc --size 64x48 -o - --container mkv | head -c 20000 >/dev/null
      exit ${PIPESTATUS[0]}
      """)
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("closed the pipe"))
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
    #expect(!result.errors.contains("Vulkan validation"))
  }

  @Test(
    "what is stopped before its first frame says so and leaves no file; a preview has done what it was asked for",
    arguments: [true, false])
  func beforeFirstFrame(isPreview: Bool) throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("source"), 0o600)
    let words =
      isPreview
      ? ["preview", "--no-window", "--control", "\(try HTTPClient.freePort())", "-i", "source"]
      : ["-i", "source", "-o", "out.mov"]
    let child = try KfrecProcess.start(words, in: folder)
    // Returns when kfrec has opened the other end.
    let writer = open(folder.file("source"), O_WRONLY | O_CLOEXEC)
    child.send(SIGINT)
    #expect(child.waitForError("press Ctrl-C again to abort"))
    close(writer)
    let result = child.wait()
    #expect(result.exitCode == (isPreview ? 0 : 1) && !result.timedOut, "\(result)")
    #expect(result.errors.contains("stopped before the first frame"), "\(result)")
    #expect(folder.names == ["source"])
  }

  @Test("a recording that waits for an image from a pipe is stopped too, and leaves no file")
  func picturePipe() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("picture"), 0o600)
    try folder.write(
      """
      /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}]}*/
      vec4 effect(vec2 uv) { return back(uv); }
      """.utf8, to: "back.comp")
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "--frames", "2", "-e", "./back.comp:back=picture", "-o", "out.mov"],
      in: folder)
    // Returns when kfrec has opened the other end.
    let writer = open(folder.file("picture"), O_WRONLY | O_CLOEXEC)
    child.send(SIGINT)
    let result = child.wait()
    close(writer)
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("stopped before the first frame"))
    #expect(folder.names == ["back.comp", "picture"])
  }

  @Test("a mistake in an effect is reported at once, also while the source's pipe has no writer")
  func wrongEffect() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("source"), 0o600)
    try folder.write("vec4 effect(vec2 uv) { return nothing; }".utf8, to: "bad.comp")
    let result = try KfrecProcess.run(
      ["-i", "source", "-e", "./bad.comp", "-o", "out.mov"], in: folder)
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("./bad.comp:1:31: error: 'nothing'"))
    #expect(folder.names == ["bad.comp", "source"])
  }

  @Test("a stop ends the wait for a server that gives no audio")
  func silentServer() throws {
    let folder = try TemporaryFolder()
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 4) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    #expect(isBound)
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a.wav"
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "-t", "1", "--audio-in", url, "-o", "out.mov"], in: folder)
    var asked = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    #expect(poll(&asked, 1, 60_000) == 1)
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("stopped before the first frame"), "\(result)")
    #expect(folder.names.isEmpty)
  }
}
