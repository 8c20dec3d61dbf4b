import TestSupport
import Testing

/// `kfrec play` in an X server of its own; its sound goes to SDL's driver that writes a file.
struct PlayerRun {
  let display: VirtualDisplay
  let child: ChildProcess

  /// Starts it with these words behind `play`; input is empty, or what a test feeds.
  init(
    _ words: [String], in folder: TemporaryFolder, at place: String? = nil,
    input: ChildProcess.Input = .nothing
  ) throws {
    display = try VirtualDisplay()
    let environment = display.environment.merging([
      "SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": folder.file("sound.raw"),
    ]) { $1 }
    child = try ChildProcess(
      KfrecProcess.path, ["play"] + words, folder: place ?? folder.path,
      environment: KfrecProcess.usualEnvironment.merging(environment) { $1 }, input: input)
  }

  /// Makes a clip whose frames are as bright as their numbers, and blue: nothing that the player draws over them is.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - seconds: The length of the video.
  ///   - rate: Frames a second.
  ///   - sound: A source of FFmpeg with `d` for its length; nil for no audio.
  /// - Throws: If FFmpeg fails.
  static func makeClip(
    _ path: String, seconds: Int, rate: Int = 10, sound: String? = nil
  ) throws {
    let audio = sound.map { ["-f", "lavfi", "-i", $0] } ?? []
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "nullsrc=s=16x16:r=\(rate):d=\(seconds),geq=lum='16+2*mod(N,100)':cb=160:cr=128"
          + ",scale=640:360:flags=neighbor,setsar=1",
      ] + audio + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "5", "-g", "25", "-pix_fmt", "yuv420p",
        "-c:a", "aac", path,
      ])
  }

  func press(_ key: String) throws { try display.press(key) }

  /// The number of the frame that a window of a clip shows.
  func number(_ picture: WindowPicture) -> Int {
    Int((Double(picture.pixel(320, 180)[0]) * 219 / 255 / 2).rounded())
  }

  @discardableResult
  func waitForPicture(_ condition: (WindowPicture) -> Bool) throws -> WindowPicture {
    try display.waitForPicture(child, condition)
  }

  /// Waits until the frame with a number is shown.
  func waitFor(_ wanted: Int) throws {
    let shown = try waitForPicture { number($0) == wanted }
    #expect(number(shown) == wanted)
  }

  /// Pauses, and returns the number of the frame that is shown then.
  @discardableResult
  func pause() throws -> Int {
    try waitForPicture { !$0.isBlack }
    try press("space")
    // While it is paused, the line of the progress stays, and the frame too.
    var last = -1
    try waitForPicture { picture in
      defer { last = number(picture) }
      // The line is white or gray, and lets a fifth of the picture through.
      func blue(_ x: Int, _ y: Int) -> Int {
        let pixel = picture.pixel(x, y)
        return Int(pixel[2]) - Int(pixel[0])
      }
      return number(picture) == last && blue(40, 346) * 2 < blue(320, 180)
    }
    return last
  }

  /// Waits until it has ended by itself.
  func wait() -> ChildResult { child.wait() }

  func quit() throws {
    try press("q")
    let end = wait()
    #expect(end.exitCode == 0, "\(end)")
  }
}
