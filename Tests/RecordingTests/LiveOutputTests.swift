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
    #expect(frameCount(of: folder.file("out.m3u8")) == 225)
    let whole = try Probe.rows(input, "packet=pts", of: "a:0").count
    #expect(try Probe.rows(folder.file("out.m3u8"), "packet=pts", of: "a:0").count == whole)
    let times = try Timeline(folder.file("out.m3u8")).times
    #expect(times.map { $0 - times[0] } == Timeline(input).from(Timeline(input).start).times)
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
      while !list().contains("out-00002.m4s") { usleep(20_000) }
      #expect(!list().contains("ENDLIST"))
      child.send(signal)
      let result = child.wait(seconds: 30)
      let listed = list().split(separator: "\n").count { $0.hasSuffix(".m4s") }
      #expect(list().contains("ENDLIST") == (signal == SIGINT), "\(result)")
      #expect(listed >= 2)
      let played = try ChildProcess(
        "ffmpeg",
        [
          "-v", "error", "-live_start_index", "0", "-i", folder.file("out-media.m3u8"), "-frames:v",
          "\(listed * 60)", "-f", "framecrc", "-",
        ]
      ).wait()
      #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
      #expect(played.text.split(separator: "\n").count { !$0.hasPrefix("#") } >= listed * 30)
      // What the killed run left would look like a list that grows.
      unlink(folder.file("out-media.m3u8"))
    }
  }

  @Test(
    "a full disk ends a playlist with a sentence, and it lists whole segments",
    .enabled(if: getuid() == 0, "only root may mount a small disk"))
  func fullDisk() throws {
    mkdir(folder.file("disk"), 0o755)
    let mounted = try ChildProcess(
      "mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", folder.file("disk")]
    ).wait()
    // Root in a container may not be allowed to mount either.
    guard mounted.exitCode == 0 else { return }
    defer { _ = try? runTool("umount", [folder.file("disk")]) }
    let result = try KfrecProcess.run([
      "-i", "testsrc", "--size", "320x240", "--frames", "900", "--bitrate", "2M", "-o",
      folder.file("disk/out.m3u8"),
    ])
    #expect(result.exitCode == 3 && result.errors.contains("the file system is full"), "\(result)")
    let played = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("disk/out-media.m3u8"), "-f", "null", "-"]
    ).wait()
    #expect(played.exitCode == 0 && played.errors.isEmpty, "\(played)")
  }

  /// Waits until a socket is bound to a port of the machine.
  private func waitForPort(_ port: Int, _ kind: String) throws {
    let place = ":" + String(port, radix: 16, uppercase: true) + " "
    while !String(decoding: try readFile("/proc/net/\(kind)"), as: UTF8.self).contains(place) {
      usleep(10_000)
    }
  }

  /// A port that was free a moment ago.
  private func freePort(_ type: __socket_type) -> Int {
    let file = socket(AF_INET, Int32(type.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(file, $0, size)
        getsockname(file, $0, &size)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  @Test(
    "a server gets the frames and the audio of a file in real time, also beside a movie",
    arguments: [("rtmp", false), ("srt", false), ("rtmp", true), ("udp", true)])
  func sent(_ scheme: String, besideMovie: Bool) throws {
    let input = try makeInput(seconds: 2)
    let port = freePort(scheme == "rtmp" ? SOCK_STREAM : SOCK_DGRAM)
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
    let served = server.wait(seconds: 30)
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
    let address = "rtmp://127.0.0.1:\(freePort(SOCK_STREAM))/live/secret"
    let words = ["-i", "testsrc", "--size", "64x48", "-t", "3"]
    let absent = try KfrecProcess.run(words + ["-o", address], in: folder)
    #expect(absent.exitCode == 1 && absent.errors.contains("cannot connect to rtmp://127.0.0.1"))
    #expect(!absent.errors.contains("secret"), "\(absent)")
    for beside in [[], ["-o", "out.mov"]] {
      let server = try ChildProcess(
        "ffmpeg", ["-v", "error", "-listen", "1", "-i", address, "-t", "0.5", "-f", "null", "-"])
      let port = Int(address.split(separator: ":")[2].prefix { $0.isNumber })!
      try waitForPort(port, "tcp")
      let child = try KfrecProcess.start(words + ["-o", address] + beside, in: folder)
      _ = server.wait(seconds: 30)
      let result = child.wait(seconds: 60)
      #expect(result.exitCode == 3 && result.errors.contains("was lost"), "\(result)")
      #expect(!result.errors.contains("secret"), "\(result)")
      if !beside.isEmpty { #expect(frameCount(of: folder.file("out.mov")) == 90) }
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
