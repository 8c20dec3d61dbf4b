import Frames
import Glibc
import TestSupport
import Testing

/// HLS playlists and streams to a server, with FFmpeg as the player and the server.
@Suite struct LiveOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeInput(seconds: Int = 6) throws -> String {
    try make(
      "in.mp4", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)", "-f", "lavfi", "-i",
        "sine=440:d=\(seconds)", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
        "-shortest",
      ])
  }

  /// The number of frames that a player of a playlist gets.
  private func frames(_ name: String) throws -> Int {
    try Timeline(folder.file(name)).times.count
  }

  @Test("a playlist and its segments have every frame and the audio, and end")
  func playlist() throws {
    let input = try makeInput(seconds: 9)
    let result = try KfrecProcess.run(
      ["-i", input, "--verify", "full", "-o", "out.m3u8"], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      folder.names == [
        "in.mp4", "out-00001.m4s", "out-00002.m4s", "out-00003.m4s", "out-init.mp4",
        "out-media.m3u8", "out.m3u8",
      ])
    let media = String(decoding: try readFile(folder.file("out-media.m3u8")), as: UTF8.self)
    #expect(media.hasSuffix("#EXT-X-ENDLIST\n") && media.contains("#EXT-X-MAP"))
    let master = String(decoding: try readFile(folder.file("out.m3u8")), as: UTF8.self)
    #expect(master.contains("CODECS=\"avc1.") && master.contains("RESOLUTION=64x48"), "\(master)")
    let whole = try Probe.rows(input, "packet=pts", of: "a:0").count
    #expect(try Probe.rows(folder.file("out.m3u8"), "packet=pts", of: "a:0").count == whole)
    let times = try Timeline(folder.file("out.m3u8")).times
    let source = try Timeline(input)
    #expect(times.count == 225)
    #expect(times.map { $0 - times[0] } == source.times.map { $0 - source.start })
    let again = try KfrecProcess.run(["-i", input, "-o", "out.m3u8"], in: folder)
    #expect(again.exitCode == 2 && again.errors.contains("out.m3u8 exists already"), "\(again)")
    unlink(folder.file("out.m3u8"))
    let others = try KfrecProcess.run(["-i", input, "-o", "out.m3u8"], in: folder)
    #expect(others.exitCode == 2 && others.errors.contains("exists already"), "\(others)")
    let replaced = try KfrecProcess.run(["-i", input, "-y", "-o", "out.m3u8"], in: folder)
    #expect(replaced.exitCode == 0, "\(replaced)")
  }

  @Test("a live playlist can be played while it grows; a kill leaves whole segments, Ctrl-C an end")
  func livePlaylist() throws {
    let words = [
      "-i", "testsrc", "--size", "64x48", "--realtime", "-y", "-o", "out.m3u8", "--progress", "bar",
    ]
    func list() -> String {
      (try? String(decoding: readFile(folder.file("out-media.m3u8")), as: UTF8.self)) ?? ""
    }
    for signal in [SIGKILL, SIGINT] {
      let child = try KfrecProcess.start(words, in: folder)
      #expect(child.waitForError(" fps"))
      waitUntil(child) { list().contains("out-00002.m4s") }
      #expect(!list().contains("ENDLIST"))
      child.send(signal)
      let result = child.wait()
      let listed = list().split(separator: "\n").count { $0.hasSuffix(".m4s") }
      #expect(list().contains("ENDLIST") == (signal == SIGINT), "\(result)")
      #expect(listed >= 2)
      // A list without an end would make a player wait for more.
      let ended = list() + (list().contains("ENDLIST") ? "" : "#EXT-X-ENDLIST\n")
      try folder.write(ended.utf8, to: "ended.m3u8")
      let played = try ChildProcess(
        "ffmpeg", ["-v", "error", "-i", folder.file("ended.m3u8"), "-f", "framecrc", "-"]
      ).wait()
      #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
      // A busy machine drops frames of a live source.
      #expect(played.text.split(separator: "\n").count { !$0.hasPrefix("#") } >= listed * 5)
      // What the killed run left would look like a list that grows.
      unlink(folder.file("out-media.m3u8"))
    }
  }

  @Test(
    "a full disk ends a playlist with a sentence, and it lists whole segments",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDisk() throws {
    guard let disk = try SmallDisk(in: folder, size: "400k") else { return }
    defer { withExtendedLifetime(disk) {} }
    let result = try KfrecProcess.run([
      "-i", "testsrc", "--size", "320x240", "--frames", "900", "--bitrate", "2M", "-o",
      folder.file("disk/out.m3u8"),
    ])
    #expect(result.exitCode == 3 && result.errors.contains("the file system is full"), "\(result)")
    let played = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("disk/out-media.m3u8"), "-f", "null", "-"]
    ).wait()
    #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
    let frames = try self.frames("disk/out-media.m3u8")
    #expect(result.errors.contains(" \(frames) out"), "\(result)")
  }

  @Test(
    "a full disk before the first whole segment is an error, and leaves nothing",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDiskAtOnce() throws {
    guard let disk = try SmallDisk(in: folder, size: "60k") else { return }
    defer { withExtendedLifetime(disk) {} }
    let result = try KfrecProcess.run([
      "-i", "testsrc", "--size", "320x240", "--frames", "150", "--bitrate", "2M", "-o",
      folder.file("disk/out.m3u8"),
    ])
    #expect(result.exitCode == 1 && result.errors.contains("the file system is full"), "\(result)")
    #expect(try runTool("ls", ["-A", folder.file("disk")]) == "")
  }

  @Test("a playlist is written neither over its source nor over another output")
  func apart() throws {
    func record(_ words: [String]) throws -> ChildResult {
      try KfrecProcess.run(["-i", "testsrc", "--size", "64x48", "-t", "1"] + words, in: folder)
    }
    let made = try record(["-o", "b.m3u8"])
    #expect(made.exitCode == 0, "\(made)")
    let names = folder.names
    for input in ["b-media.m3u8", "b.m3u8", "b-init.mp4", "b-00001.m4s"] {
      let result = try KfrecProcess.run(["-i", input, "-o", "b.m3u8", "-y"], in: folder)
      #expect(
        result.exitCode == 2 && result.errors.contains("is both input and output"), "\(result)")
    }
    // Nor is what a playlist lists written over while it is read.
    for (input, output) in [
      ("b.m3u8", "b-init.mp4"), ("b-media.m3u8", "b.m3u8"), ("b-media.m3u8", "b-init.mp4"),
    ] {
      let result = try KfrecProcess.run(
        ["-i", folder.file(input), "-o", folder.file(output), "-y"])
      #expect(result.exitCode == 2, "\(input), \(output): \(result)")
    }
    for others in [
      ["c.m3u8", "c-init.mp4"], ["c.m3u8", "c-media.m3u8"], ["c-media.m3u8", "./c.m3u8"],
    ] {
      let result = try record(["-y"] + others.flatMap { ["-o", $0] })
      #expect(result.exitCode == 2 && result.errors.contains("name the same place"), "\(result)")
    }
    #expect(try folder.names == names && frames("b.m3u8") == 30)
    // Another recording beside it is no conflict.
    let beside = try record(["-o", "b-2.m3u8", "-o", "b-2.mov"])
    #expect(beside.exitCode == 0, "\(beside)")
  }

  @Test("a recording that is killed before its first segment leaves the one that it replaces whole")
  func killedEarly() throws {
    let words = ["-i", "testsrc", "--size", "64x48"]
    let live = words + ["--realtime", "--progress", "bar", "-o", "out.m3u8"]
    // The first run has nothing to replace, and must not be in the way of the next one.
    let first = try KfrecProcess.start(live, in: folder)
    #expect(first.waitForError(" fps"))
    first.send(SIGKILL)
    _ = first.wait()
    let old = try KfrecProcess.run(words + ["-t", "9", "-o", "out.m3u8"], in: folder)
    #expect(old.exitCode == 0, "\(old)")
    let names = folder.names.filter { !$0.hasSuffix(".part") }
    let second = try KfrecProcess.start(live + ["-y"], in: folder)
    #expect(second.waitForError(" fps"))
    second.send(SIGKILL)
    _ = second.wait()
    #expect(folder.names.filter { !$0.hasSuffix(".part") } == names)
    #expect(try frames("out.m3u8") == 270)
    let new = try KfrecProcess.run(words + ["-t", "1", "-o", "out.m3u8", "-y"], in: folder)
    #expect(try new.exitCode == 0 && frames("out.m3u8") == 30, "\(new)")
  }

  @Test("a folder in the way of the first segment leaves what would be replaced as it is")
  func blocked() throws {
    let words = ["-i", "testsrc", "--size", "64x48", "-t", "1", "-o", "out.m3u8", "-y"]
    let old = try KfrecProcess.run(words, in: folder)
    #expect(old.exitCode == 0, "\(old)")
    unlink(folder.file("out-00001.m4s"))
    mkdir(folder.file("out-00001.m4s"), 0o755)
    let kept = ["out.m3u8", "out-media.m3u8", "out-init.mp4"]
    let (names, before) = (folder.names, try kept.map { try readFile(folder.file($0)) })
    let new = try KfrecProcess.run(words, in: folder)
    #expect(
      new.exitCode == 1 && new.errors.contains("out-00001.m4s is a folder; remove it"), "\(new)")
    #expect(folder.names == names)
    #expect(try kept.map { try readFile(folder.file($0)) } == before)
  }

  @Test(
    "a playlist whose name no playlist can hold is refused",
    arguments: [
      "Talk: part 1.m3u8", "./#1.m3u8", #"say "hi".m3u8"#, #"back\s.m3u8"#, "http:x.m3u8",
      "why?.m3u8", "two\nlines.m3u8", "50%.m3u8",
    ])
  func unlistedName(_ name: String) throws {
    let result = try KfrecProcess.run(["-i", "testsrc", "--frames", "2", "-o", name], in: folder)
    #expect(result.exitCode == 2 && result.errors.contains("choose another name"), "\(result)")
    #expect(folder.names == [])
  }

  @Test("a playlist may lie in a folder whose name has a %")
  func percent() throws {
    mkdir(folder.file("50%d"), 0o755)
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "25", "-o", "50%d/x.m3u8"], in: folder)
    #expect(result.exitCode == 0 && result.errors.contains("25 out"), "\(result)")
    #expect(try frames("50%d/x.m3u8") == 25)
  }

  /// Waits until a socket is bound to a port of the machine.
  private func waitForPort(_ port: Int, _ kind: String) throws {
    let place = ":" + String(port, radix: 16, uppercase: true) + " "
    try waitUntil {
      String(decoding: try readFile("/proc/net/\(kind)"), as: UTF8.self).contains(place)
    }
  }

  @Test(
    "a server gets the frames and the audio of a file in real time, also beside a movie",
    arguments: [("rtmp", false), ("srt", false), ("rtmp", true), ("udp", true)])
  func sent(_ scheme: String, besideMovie: Bool) throws {
    let input = try makeInput(seconds: 2)
    let port = try HTTPClient.freePort()
    let address = "\(scheme)://127.0.0.1:\(port)"
    let listening =
      switch scheme {
      case "rtmp": ["-listen", "1", "-i", "\(address)/live/secret"]
      case "srt": ["-i", "\(address)?mode=listener"]
      default: ["-i", "\(address)?timeout=3000000"]
      }
    let server = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-y"] + listening + ["-map", "0", "-c", "copy", folder.file("got.mkv")])
    try waitForPort(port, scheme == "rtmp" ? "tcp" : "udp")
    let result = try KfrecProcess.run(
      ["-i", input, "-o", scheme == "rtmp" ? "\(address)/live/secret" : address]
        + (besideMovie ? ["-o", "out.mov"] : []), in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(!result.errors.contains("secret") && result.errors.contains(address), "\(result)")
    let served = server.wait()
    #expect(!served.timedOut, "\(served)")
    let got = folder.file("got.mkv")
    let audio = try Probe.rows(input, "packet=pts", of: "a:0").count
    if !besideMovie {
      #expect(frameCount(of: got) == 50)
      #expect(try Probe.rows(got, "packet=pts", of: "a:0").count == audio)
    } else {
      // Beside a movie a busy machine may cost frames of the stream, and none of the movie.
      #expect((frameCount(of: got) ?? 0) > 5)
      #expect(frameCount(of: folder.file("out.mov")) == 50)
    }
  }

  @Test("a server that is not there, or goes away, is a sentence, and a movie beside it is whole")
  func lost() throws {
    let address = "rtmp://127.0.0.1:\(try HTTPClient.freePort())/live/secret"
    let absent = try KfrecProcess.run(["-i", "testsrc", "-o", address], in: folder)
    #expect(absent.exitCode == 1 && absent.errors.contains("cannot connect to rtmp://127.0.0.1"))
    #expect(!absent.errors.contains("secret"), "\(absent)")
    let port = Int(address.split(separator: ":")[2].prefix { $0.isNumber })!
    for beside in [[], ["-o", "out.mov"]] {
      let server = try ChildProcess(
        "ffmpeg", ["-v", "error", "-listen", "1", "-i", address, "-c", "copy", "-f", "null", "-"])
      try waitForPort(port, "tcp")
      let child = try KfrecProcess.start(
        ["-i", "testsrc", "--size", "64x48", "--realtime", "--progress", "bar", "-o", address]
          + beside,
        in: folder)
      #expect(child.waitForError("0:01."))
      server.send(SIGKILL)
      #expect(child.waitForError("was lost"))
      if !beside.isEmpty { child.send(SIGINT) }
      let result = child.wait()
      #expect(result.exitCode == 3, "\(result)")
      #expect(!result.errors.contains("secret"), "\(result)")
      // A server keeps nothing of which kfrec would know.
      #expect(!result.errors.contains("what was encoded until then is in rtmp"), "\(result)")
      guard !beside.isEmpty else { continue }
      let frames = try #require(frameCount(of: folder.file("out.mov")))
      #expect(result.errors.contains("\(frames) out"), "\(result)")
    }
  }

  @Test(
    "what a stream cannot carry is refused",
    arguments: [
      ("-o rtmp://127.0.0.1/a/secret --codec hevc", "RTMP does not carry libx265"),
      ("-o srt://127.0.0.1:1 --codec ffv1", "MPEG-TS does not carry ffv1"),
      ("-o rtmp:///a", "names no server"),
      ("-o out.m3u8 --codec ffv1", "MP4 does not hold ffv1"),
      ("-o out.m3u8 --split 1", "--split cuts movies in files"),
      ("-o udp://127.0.0.1:9 --split 1", "--split cuts movies in files"),
      ("-o rtp://127.0.0.1:9/app/secret", "rtp://127.0.0.1:9: kfrec does not send with rtp"),
      ("-o rtp://127.0.0.1:9/app/secret.mp4", "rtp://127.0.0.1:9: kfrec does not send with rtp"),
      ("-o rtmp://127.0.0.1/a/secret -o rtmp://127.0.0.1/a/secret", "was given twice"),
    ])
  func refused(_ words: String, _ message: String) throws {
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--frames", "2"] + words.split(separator: " ").map(String.init), in: folder)
    #expect(result.exitCode == 2 && result.errors.contains(message), "\(result)")
    #expect(!result.errors.contains("secret") && folder.names == [], "\(result)")
  }

  @Test("a batch makes no playlists")
  func batch() throws {
    _ = try makeInput(seconds: 1)
    let result = try KfrecProcess.run(
      ["batch", "in.mp4", "--output-dir", "out", "--name", "{stem}.m3u8"], in: folder)
    #expect(result.exitCode == 2 && result.errors.contains("would be several files"), "\(result)")
  }
}
