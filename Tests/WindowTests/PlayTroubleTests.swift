import Glibc
import TestSupport
import Testing

/// The player with sources that are slow, short or odd, and with effects that have errors.
@Suite struct PlayTroubleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeClip(_ name: String, seconds: Int, rate: Int = 10, sound: String? = nil) throws {
    try PlayerRun.makeClip(folder.file(name), seconds: seconds, rate: rate, sound: sound)
  }

  @Test("a source that is slower than its frames is waited for, and its frames are shown")
  func slowSource() throws {
    try makeClip("clip.mkv", seconds: 6, sound: "sine=f=440:d=6")
    let bytes = try readFile(folder.file("clip.mkv"))
    let player = try PlayerRun(["-", "--stats"], in: folder, input: .silence)
    // A tenth of a second brings six hundredths of the film.
    let share = bytes.count / 100
    for begin in stride(from: 0, to: bytes.count, by: share) {
      player.child.feed(Array(bytes[begin..<min(begin + share, bytes.count)]))
      _ = player.child.waitForOutput(seconds: 0.1) { _ in false }
    }
    player.child.feed(nil)
    let end = player.wait()
    #expect(end.exitCode == 0, "\(end)")
    // A busy machine leaves out some; PlayerTests has the rule.
    let words = end.errors.split(whereSeparator: \.isWhitespace)
    let shown = try #require(words.firstIndex(of: "shown,").flatMap { Int(words[$0 - 1]) })
    #expect(shown > 20, "\(end)")
  }

  @Test("a pipe is played to its end, and keys that go elsewhere do not end it")
  func pipe() throws {
    try makeClip("clip.mkv", seconds: 10)
    let player = try PlayerRun(
      ["-"], in: folder, input: .bytes(try readFile(folder.file("clip.mkv"))))
    let paused = try player.pause()
    try player.press("Left")
    try player.press("comma")
    try player.press("l")
    try player.press("space")
    try player.waitForPicture { player.number($0) > paused + 2 }
    #expect(player.wait().exitCode == 0)
  }

  @Test("a pipe whose effects changed can be paused, and then goes on frame by frame")
  func pipeWithOtherEffects() throws {
    try makeClip("clip.mkv", seconds: 60)
    // The same colours, behind green in the list of effects.
    for (name, color) in [("green", "vec4(0.0, 1.0, 0.0, 1.0)"), ("greenless", "framePixel()")] {
      let text = "vec4 effect(vec2 uv) { return \(color); }\n"
      try folder.write(Array(text.utf8), to: "\(name).comp")
    }
    let player = try PlayerRun(
      ["-", "-e", "green", "--effects-dir", folder.file("")], in: folder,
      input: .bytes(try readFile(folder.file("clip.mkv"))))
    try player.waitForPicture { $0.pixel(320, 180)[1] > 240 }
    try player.press("e")
    try player.waitForPicture { !$0.isBlack && $0.pixel(320, 180)[1] < 240 }
    var shown = try player.pause()
    for _ in 0..<6 {
      let before = shown
      try player.press("period")
      let picture = try player.waitForPicture { player.number($0) != before }
      shown = player.number(picture)
      // A machine that is too slow left out some that were on their way, and a pipe does not bring them again.
      #expect((1...10).contains((shown - before + 100) % 100))
    }
    try player.quit()
  }

  @Test("a clip whose audio ends early is played to its end, also from behind the audio")
  func shortAudio() throws {
    try makeClip("clip.mkv", seconds: 9, rate: 25, sound: "sine=f=440:d=2")
    let player = try PlayerRun(["clip.mkv"], in: folder)
    try player.pause()
    try player.press("Home")
    try player.waitFor(0)
    try player.press("Right")
    try player.waitFor(25)
    try player.press("space")
    let end = player.wait()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test(
    "a place behind the last frame shows the last frame, and a step back from the first one stays")
  func borders() throws {
    try makeClip("clip.ts", seconds: 3, sound: "sine=f=440:d=5")
    let player = try PlayerRun(["clip.ts"], in: folder)
    try player.pause()
    try player.press("Up")
    try player.waitFor(29)
    try player.press("Home")
    try player.waitFor(0)
    try player.press("comma")
    try player.press("comma")
    try player.press("period")
    try player.waitFor(1)
    try player.quit()
  }

  @Test("an effect with an error ends nothing, and the last effect can be taken away in a pause")
  func effects() throws {
    try makeClip("clip.mp4", seconds: 10)
    let green = "vec4 effect(vec2 uv) { return vec4(0.0, 1.0, 0.0, 1.0); }\n"
    try folder.write(Array(green.utf8), to: "green.comp")
    try folder.write(Array(green.replacing("1.0);", with: "wrong);").utf8), to: "wrong.comp")
    let port = try HTTPClient.freePort()
    let player = try PlayerRun(
      ["clip.mp4", "--control", "\(port)", "--effects-dir", folder.file("")], in: folder)
    func change(_ text: String) throws {
      let answer = try HTTPClient.request(
        "POST", "/page/change", port: port, headers: ["Content-Type: application/json"],
        body: Array(text.utf8))
      #expect(answer.status == 200, "\(answer.text)")
    }
    try player.pause()
    try player.press("Home")
    try player.waitFor(0)
    try player.press("Right")
    try player.waitFor(50)
    let stream = try HTTPClient.Connection(port: port)
    try stream.send("GET /page/picture HTTP/1.0\r\nHost: localhost\r\n\r\n")
    #expect(
      stream.read(until: "image/jpeg") != nil, "no picture of a recording that is not the first")
    try change("{\"do\":\"add\",\"name\":\"wrong\"}")
    #expect(player.child.waitForError("the effects stay as they are"))
    try change("{\"do\":\"add\",\"name\":\"green\"}")
    try player.waitForPicture { $0.pixel(320, 180)[1] > 240 && $0.pixel(320, 180)[0] < 20 }
    try change("{\"do\":\"remove\",\"effect\":2}")
    try player.waitFor(50)
    try player.press("period")
    try player.waitFor(51)
    try player.quit()
  }

  @Test("effects that take turns in a pause keep no file open")
  func switchedEffects() throws {
    try makeClip("clip.mp4", seconds: 10)
    let green = "vec4 effect(vec2 uv) { return vec4(0.0, 1.0, 0.0, 1.0); }\n"
    try folder.write(Array(green.utf8), to: "green.comp")
    let player = try PlayerRun(
      ["clip.mp4", "-e", "green", "--effects-dir", folder.file("")], in: folder)
    func isGreen(_ picture: WindowPicture) -> Bool {
      picture.pixel(320, 180)[1] > 240 && picture.pixel(320, 180)[0] < 20
    }
    try player.waitForPicture(isGreen)
    try player.press("space")
    func switchTwice() throws {
      try player.press("e")
      try player.waitForPicture { !isGreen($0) }
      try player.press("E")
      try player.waitForPicture(isGreen)
    }
    try switchTwice()
    let before = player.child.openDescriptors
    #expect(before > 0)
    for _ in 0..<4 { try switchTwice() }
    #expect(player.child.waitForOutput { _ in player.child.openDescriptors <= before + 2 })
    try player.quit()
  }

  @Test("a movie of what is seen can be played after a kill, and one that fails is told")
  func movies() throws {
    try makeClip("clip.mp4", seconds: 10)
    let killed = try PlayerRun(["clip.mp4", "--loop"], in: folder)
    try killed.waitForPicture { !$0.isBlack }
    try killed.press("r")
    let isThere = killed.child.waitForOutput { _ in
      folder.names.contains { $0.hasSuffix(".part") && frameCount(of: folder.file($0)) ?? 0 > 5 }
    }
    killed.child.send(SIGKILL)
    _ = killed.wait()
    #expect(isThere, "\(folder.names)")

    let place = folder.file("gone")
    #expect(mkdir(place, 0o755) == 0)
    let player = try PlayerRun([folder.file("clip.mp4")], in: folder, at: place)
    try player.waitForPicture { !$0.isBlack }
    #expect(rmdir(place) == 0)
    try player.press("r")
    #expect(player.child.waitForError("was not recorded whole"))
    try player.press("q")
    let end = player.wait()
    #expect(end.exitCode == 3, "\(end)")
  }
}
