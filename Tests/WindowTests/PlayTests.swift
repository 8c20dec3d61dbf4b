import TestSupport
import Testing

/// The player in a real X server; its sound goes to SDL's driver that writes a file.
@Suite struct PlayTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ words: [String]) throws -> PlayerRun {
    try PlayerRun(words, in: folder)
  }

  private func makeClip(_ name: String, seconds: Int, rate: Int = 10, sound: String? = nil) throws {
    try PlayerRun.makeClip(folder.file(name), seconds: seconds, rate: rate, sound: sound)
  }

  @Test("a pause stays at its frame, and keys step by single frames and seek exactly")
  func steps() throws {
    try makeClip("clip.mp4", seconds: 10, sound: "sine=f=440:d=10")
    let player = try start(["clip.mp4"])
    try player.pause()
    try player.press("Home")
    try player.waitFor(0)
    try player.press("comma")
    try player.press("Right")
    try player.waitFor(50)
    try player.press("period")
    try player.waitFor(51)
    try player.press("period")
    try player.waitFor(52)
    try player.press("comma")
    try player.waitFor(51)
    // The frames before the place of the seek were never shown.
    for wanted in [50, 49, 48] {
      try player.press("comma")
      try player.waitFor(wanted)
    }
    try player.press("shift+Right")
    try player.waitFor(58)
    // Beyond the end is the last frame.
    try player.press("Up")
    try player.waitFor(99)
    try player.press("shift+Left")
    try player.waitFor(89)
    try player.quit()
  }

  @Test("the pointer goes to a place on the line of the progress")
  func pointer() throws {
    try makeClip("clip.mp4", seconds: 10)
    let player = try start(["clip.mp4"])
    try player.pause()
    try player.display.drag(to: 320, 346, button: "mousedown")
    try player.waitForPicture { abs(player.number($0) - 50) <= 1 }
    try player.display.drag(to: 170, 346, button: nil)
    try player.waitForPicture { abs(player.number($0) - 25) <= 2 }
    try player.display.drag(to: 170, 346, button: "mouseup")
    try player.quit()
  }

  @Test("a stretch repeats between its marks")
  func stretch() throws {
    try makeClip("clip.mp4", seconds: 10, sound: "sine=f=440:d=10")
    let player = try start(["clip.mp4"])
    try player.pause()
    try player.press("Home")
    try player.waitFor(0)
    try player.press("Right")
    try player.waitFor(50)
    try player.press("l")
    for wanted in 51...54 {
      try player.press("period")
      try player.waitFor(wanted)
    }
    try player.press("l")
    try player.press("space")
    var seen: [Int] = []
    try player.waitForPicture { picture in
      seen.append(player.number(picture))
      return zip(seen, seen.dropFirst()).count { $0 > $1 } >= 2
    }
    #expect(seen.allSatisfy { (50...55).contains($0) }, "\(seen)")
    try player.quit()
  }

  @Test("twice the speed takes half the time and keeps the pitch, and the end is heard")
  func speed() throws {
    try makeClip("clip.mp4", seconds: 4, sound: "sine=f=440:d=4")
    let player = try start(["clip.mp4", "--speed", "2", "--stats"])
    let end = player.wait()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("frames from the time of the sound"), "\(end)")
    let heard = try PlayTests.tone(folder)
    let seconds = Double(heard.count) / 48_000
    #expect(abs(seconds - 2) < 0.1, "\(seconds) s")
    try #require(heard.count > 60_000)
    let pitch = PlayTests.pitch(heard[24_000..<(heard.count - 24_000)])
    #expect(abs(pitch - 440) < 5, "\(pitch) Hz")
  }

  @Test(
    "-t and --end let each source end there, a seek cannot leave the part, and both together are refused",
    arguments: [(["-t", "1"], ["-t", "8"]), (["--end", "3"], ["--end", "10"])])
  func part(_ words: [String], _ longer: [String]) throws {
    try makeClip("clip.mp4", seconds: 20, sound: "sine=f=440:d=20")
    let end = try start(["clip.mp4", "--start", "2"] + words).wait()
    #expect(end.exitCode == 0, "\(end)")
    let seconds = try Double(PlayTests.tone(folder).count) / 48_000
    #expect(abs(seconds - 1) < 0.1, "\(seconds) s")
    let player = try start(["clip.mp4", "--start", "2"] + longer)
    try player.pause()
    try player.press("Up")
    try player.waitFor(99)
    try player.quit()
    let both = try KfrecProcess.run(["play", "clip.mp4", "-t", "1", "--end", "3"], in: folder)
    #expect(both.exitCode == 2 && both.errors.contains("contradict"), "\(both)")
  }

  /// Samples of a tone through zero, as its pitch in Hz.
  private static func pitch(_ samples: ArraySlice<Float>) -> Double {
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(crossings) * 48_000 / Double(samples.count)
  }

  @Test("the volume, the audio track and the mute that keys choose are heard")
  func heard() throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=white:s=320x180:r=10:d=100", "-f", "lavfi", "-i",
        "sine=f=440:d=100", "-f", "lavfi", "-i", "sine=f=880:d=100", "-map", "0", "-map", "1",
        "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le",
        folder.file("clip.mkv"),
      ])
    let player = try start(["clip.mkv", "--volume", "40"])
    try player.waitForPicture { !$0.isBlack }
    /// Waits until half a second of it is heard at the end of what was played.
    func waitFor(_ isRight: (ArraySlice<Float>) -> Bool) throws -> Bool {
      player.child.waitForOutput { _ in
        guard let samples = try? PlayTests.sound(folder, last: 24_000), samples.count == 24_000
        else { return false }
        return isRight(samples[...])
      }
    }
    // FFmpeg's tone has an eighth of the full volume, and less on two channels.
    func isTone(_ samples: ArraySlice<Float>, _ pitch: Double, volume: Double) -> Bool {
      let peak = Double(samples.map(abs).max() ?? 0)
      return abs(PlayTests.pitch(samples) - pitch) < pitch / 50
        && abs(peak - 0.125 * 0.5.squareRoot() * volume) < 0.002
    }
    #expect(try waitFor { isTone($0, 440, volume: 0.4) })
    try player.press("a")
    #expect(try waitFor { isTone($0, 880, volume: 0.4) })
    try player.press("0")
    #expect(try waitFor { isTone($0, 880, volume: 0.45) })
    try player.press("m")
    #expect(try waitFor { $0.allSatisfy { $0 == 0 } })
    try player.quit()
  }

  /// The left channel of what was heard: all of it, or as many samples at its end.
  private static func sound(_ folder: TemporaryFolder, last count: Int = .max) throws -> [Float] {
    let all = try readFile(folder.file("sound.raw"))
    let frame = 2 * MemoryLayout<Float>.size
    let frames = min(all.count / frame, count)
    let bytes = Array(all[(all.count / frame - frames) * frame..<all.count / frame * frame])
    return bytes.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Float.self)
      return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }
  }

  /// What was heard of a tone, without the silence around it and in it: a busy machine gives the player's threads no time for
  /// a while, and the driver has nothing to play then.
  private static func tone(_ folder: TemporaryFolder) throws -> [Float] {
    // Near zero is a tone of 440 Hz for three samples.
    var (heard, quiet): ([Float], ArraySlice<Float>) = ([], [])
    for sample in try sound(folder) {
      quiet.append(sample)
      guard abs(sample) > 0.01 else { continue }
      if quiet.count < 10 { heard += quiet }
      quiet = []
    }
    return heard
  }

  @Test("sources of folders and playlists follow each other, and one that cannot be played is told")
  func list() throws {
    try makeClip("a.mp4", seconds: 1)
    let list = "#EXTM3U\n#EXTINF:1,first\na.mp4\nmissing.mp4\na.mp4\n"
    try folder.write(Array(list.utf8), to: "l.m3u")
    let player = try start([folder.file("l.m3u"), "--stats"])
    let end = player.wait()
    #expect(end.exitCode == 3, "\(end)")
    #expect(end.errors.contains("missing.mp4"), "\(end)")
    let none = try start(["missing.mp4"]).wait()
    #expect(none.exitCode == 1, "\(none)")
    let hardware = try start(["a.mp4", "--hw", "vaapi"]).wait()
    #expect(hardware.exitCode == 0, "\(hardware)")
    #expect(hardware.errors.contains("is decoded by the processor (VA-API: "), "\(hardware)")
    let empty = try KfrecProcess.run(["play"], in: folder)
    #expect(empty.exitCode == 2 && empty.errors.contains("needs a source"), "\(empty)")
  }

  @Test("an image stays for a while, and the page of the control adds an effect to it")
  func still() throws {
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=white:s=320x180", "-frames:v", "1",
        folder.file("i.png"),
      ])
    let text = "vec4 effect(vec2 uv) { return vec4(0.0, 1.0, 0.0, 1.0); }\n"
    try folder.write(Array(text.utf8), to: "green.comp")
    let port = try HTTPClient.freePort()
    let player = try start(
      ["i.png", "--control", "\(port)", "--effects-dir", folder.file("")])
    try player.waitForPicture { $0.pixel(160, 150)[0] > 240 }
    try player.press("space")
    let answer = try HTTPClient.request(
      "POST", "/page/change", port: port, headers: ["Content-Type: application/json"],
      body: Array("{\"do\":\"add\",\"name\":\"green\"}".utf8))
    #expect(answer.status == 200, "\(answer.text)")
    let state = try HTTPClient.request("GET", "/page/state", port: port)
    #expect(state.text.contains("\"title\":\"i.png\""), "\(state.text)")
    try player.waitForPicture { $0.pixel(160, 150)[0] < 60 }
    try player.quit()
  }

  @Test("the value of a parameter holds after a seek, and another effect too")
  func parameters() throws {
    try makeClip("clip.mp4", seconds: 10)
    let text = """
      /*{"INPUTS": [
        {"NAME": "inputImage", "TYPE": "image"},
        {"NAME": "red", "TYPE": "float", "DEFAULT": 0.0, "MIN": 0.0, "MAX": 1.0}
      ]}*/
      void main() { gl_FragColor = vec4(red, 0.0, TIME < 4.0 ? 0.0 : 1.0, 1.0); }

      """
    try folder.write(Array(text.utf8), to: "red.fs")
    let player = try start(["clip.mp4", "-e", folder.file("red.fs")])
    try player.waitForPicture { !$0.isBlack || $0.width == 640 }
    try player.press("space")
    try player.press("Tab")
    try player.press("shift+Right")
    try player.press("shift+Right")
    try player.press("p")
    try player.press("Right")
    // 20 of 100 steps, and the time of the effect is that of the source.
    let shown = try player.waitForPicture { $0.pixel(320, 180)[2] > 240 }
    #expect(abs(Int(shown.pixel(320, 180)[0]) - 51) <= 3)
    try player.press("e")
    // The first effect makes no green.
    try player.waitForPicture { $0.pixel(320, 180)[1] > 40 }
    try player.press("Home")
    // The first frame as it is: dark blue. The first effect would make it red.
    try player.waitForPicture { player.number($0) == 0 && $0.pixel(320, 180)[2] > 40 }
    try player.quit()
  }
}
