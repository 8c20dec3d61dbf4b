import TestSupport
import Testing

/// The player in a real X server; its sound goes to SDL's driver that writes a file.
@Suite struct PlayTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ words: [String], on display: VirtualDisplay) throws -> ChildProcess {
    try KfrecProcess.start(
      ["play"] + words, in: folder, environment: environment(display), input: .nothing)
  }

  private func environment(_ display: VirtualDisplay) -> [String: String?] {
    display.environment.merging([
      "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": folder.file("sound.raw"),
    ]) { $1 }
  }

  /// Makes a clip of 10 frames a second; the gray of a frame is its number.
  private func makeClip(_ name: String, seconds: Int, sound: String? = nil) throws {
    let audio = sound.map { ["-f", "lavfi", "-i", "\($0):d=\(seconds)"] } ?? []
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "nullsrc=s=640x360:r=10:d=\(seconds),geq=lum='16+2*N':cb=128:cr=128",
      ] + audio + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "5", "-g", "25", "-pix_fmt", "yuv420p",
        "-c:a", "aac", folder.file(name),
      ])
  }

  /// The number of the frame that a window of a clip shows.
  private func number(_ picture: WindowPicture) -> Int {
    Int((Double(picture.pixel(320, 180)[0]) * 219 / 255 / 2).rounded())
  }

  /// Pauses, and returns the number of the frame that is shown then.
  private func pause(_ child: ChildProcess, _ display: VirtualDisplay) throws -> Int {
    _ = try display.waitForPicture(child) { !$0.isBlack }
    try display.press("space")
    // While it is paused, the line of the progress stays, and the frame too.
    var last = -1
    _ = try display.waitForPicture(child) { picture in
      defer { last = number(picture) }
      // Its part that was played is white, the other one dark gray; the first frames are black.
      let line = Int(picture.pixel(40, 346)[0]) - Int(picture.pixel(320, 180)[0])
      return number(picture) == last && abs(line) > 20
    }
    return last
  }

  private func waitFor(_ wanted: Int, _ child: ChildProcess, _ display: VirtualDisplay) throws {
    let shown = try display.waitForPicture(child) { number($0) == wanted }
    #expect(number(shown) == wanted)
  }

  private func quit(_ child: ChildProcess, _ display: VirtualDisplay) throws {
    try display.press("q")
    let end = child.wait(seconds: 60)
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("a pause stays at its frame, and keys step by single frames and seek exactly")
  func steps() throws {
    try makeClip("clip.mp4", seconds: 10, sound: "sine=f=440")
    let display = try VirtualDisplay()
    let child = try start(["clip.mp4"], on: display)
    _ = try pause(child, display)
    try display.press("Home")
    try waitFor(0, child, display)
    try display.press("comma")
    try display.press("Right")
    try waitFor(50, child, display)
    try display.press("period")
    try waitFor(51, child, display)
    try display.press("period")
    try waitFor(52, child, display)
    try display.press("comma")
    try waitFor(51, child, display)
    // The frames before the place of the seek were never shown.
    for wanted in [50, 49, 48] {
      try display.press("comma")
      try waitFor(wanted, child, display)
    }
    try display.press("shift+Right")
    try waitFor(58, child, display)
    // Beyond the end is the last frame.
    try display.press("Up")
    try waitFor(99, child, display)
    try display.press("shift+Left")
    try waitFor(89, child, display)
    try quit(child, display)
  }

  @Test("the pointer goes to a place on the line of the progress")
  func pointer() throws {
    try makeClip("clip.mp4", seconds: 10)
    let display = try VirtualDisplay()
    let child = try start(["clip.mp4"], on: display)
    _ = try pause(child, display)
    try display.drag(to: 320, 346, button: "mousedown")
    _ = try display.waitForPicture(child) { abs(number($0) - 50) <= 1 }
    try display.drag(to: 170, 346, button: nil)
    _ = try display.waitForPicture(child) { abs(number($0) - 25) <= 2 }
    try display.drag(to: 170, 346, button: "mouseup")
    try quit(child, display)
  }

  @Test("a stretch repeats between its marks")
  func stretch() throws {
    try makeClip("clip.mp4", seconds: 10, sound: "sine=f=440")
    let display = try VirtualDisplay()
    let child = try start(["clip.mp4"], on: display)
    _ = try pause(child, display)
    try display.press("Home")
    try waitFor(0, child, display)
    try display.press("Right")
    try waitFor(50, child, display)
    try display.press("l")
    for wanted in 51...54 {
      try display.press("period")
      try waitFor(wanted, child, display)
    }
    try display.press("l")
    try display.press("space")
    var seen: [Int] = []
    _ = try display.waitForPicture(child) { picture in
      seen.append(number(picture))
      return zip(seen, seen.dropFirst()).count { $0 > $1 } >= 2
    }
    #expect(seen.allSatisfy { (50...55).contains($0) }, "\(seen)")
    try quit(child, display)
  }

  @Test("twice the speed takes half the time and keeps the pitch, and the end is heard")
  func speed() throws {
    try makeClip("clip.mp4", seconds: 4, sound: "sine=f=440")
    let display = try VirtualDisplay()
    let child = try start(["clip.mp4", "--speed", "2", "--stats"], on: display)
    let end = child.wait(seconds: 60)
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.errors.contains("frames from the time of the sound"), "\(end)")
    let samples = try sound()
    let heard = try #require(samples.indices.filter { abs(samples[$0]) > 0.01 }.minAndMax())
    let seconds = Double(heard.max - heard.min) / 48_000
    #expect(abs(seconds - 2) < 0.1, "\(seconds) s")
    let middle = samples[(heard.min + 24_000)..<(heard.max - 24_000)]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    let pitch = Double(crossings) * 48_000 / Double(middle.count)
    #expect(abs(pitch - 440) < 5, "\(pitch) Hz")
  }

  /// The left channel of what was heard.
  private func sound() throws -> [Float] {
    let bytes = try readFile(folder.file("sound.raw"))
    return bytes.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Float.self)
      return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }
  }

  @Test("sources of folders and playlists follow each other, and one that cannot be played is told")
  func list() throws {
    try makeClip("a.mp4", seconds: 1)
    let list = "#EXTM3U\n#EXTINF:1,first\na.mp4\nmissing.mp4\na.mp4\n"
    try folder.write(Array(list.utf8), to: "l.m3u")
    let display = try VirtualDisplay()
    let child = try start([folder.file("l.m3u"), "--stats"], on: display)
    let end = child.wait(seconds: 60)
    #expect(end.exitCode == 3, "\(end)")
    #expect(end.errors.contains("missing.mp4"), "\(end)")
    let none = try KfrecProcess.run(
      ["play", "missing.mp4"], in: folder, environment: environment(display))
    #expect(none.exitCode == 1, "\(none)")
    let hardware = try start(["a.mp4", "--hw", "vaapi"], on: display).wait(seconds: 60)
    #expect(hardware.exitCode == 0, "\(hardware)")
    #expect(hardware.errors.contains("is decoded by the processor (vaapi: "), "\(hardware)")
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
    let display = try VirtualDisplay()
    let port = try HTTPClient.freePort()
    let child = try start(
      ["i.png", "--control", "\(port)", "--effects-dir", folder.file("")], on: display)
    _ = try display.waitForPicture(child) { $0.pixel(160, 150)[0] > 240 }
    try display.press("space")
    let answer = try HTTPClient.request(
      "POST", "/page/change", port: port, headers: ["Content-Type: application/json"],
      body: Array("{\"do\":\"add\",\"name\":\"green\"}".utf8))
    #expect(answer.status == 200, "\(answer.text)")
    let state = try HTTPClient.request("GET", "/page/state", port: port)
    #expect(state.text.contains("\"title\":\"i.png\""), "\(state.text)")
    _ = try display.waitForPicture(child) { $0.pixel(160, 150)[0] < 60 }
    try quit(child, display)
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
    let display = try VirtualDisplay()
    let child = try start(["clip.mp4", "-e", folder.file("red.fs")], on: display)
    _ = try display.waitForPicture(child) { !$0.isBlack || $0.width == 640 }
    try display.press("space")
    try display.press("Tab")
    try display.press("shift+Right")
    try display.press("shift+Right")
    try display.press("p")
    try display.press("Right")
    // 20 of 100 steps, and the time of the effect is that of the source.
    let shown = try display.waitForPicture(child) { $0.pixel(320, 180)[2] > 240 }
    #expect(abs(Int(shown.pixel(320, 180)[0]) - 51) <= 3)
    try display.press("e")
    _ = try display.waitForPicture(child) { $0.pixel(320, 180)[2] < 200 }
    try display.press("Home")
    try waitForGray(child, display)
    try quit(child, display)
  }

  /// Waits for a picture that the first effect, which makes red and blue, did not make.
  private func waitForGray(_ child: ChildProcess, _ display: VirtualDisplay) throws {
    _ = try display.waitForPicture(child) { picture in
      let pixel = picture.pixel(320, 180)
      return pixel[0] == pixel[1] && pixel[1] == pixel[2]
    }
  }
}

extension Collection where Element: Comparable {
  fileprivate func minAndMax() -> (min: Element, max: Element)? {
    guard let least = self.min(), let most = self.max() else { return nil }
    return (least, most)
  }
}
