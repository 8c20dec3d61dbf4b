import TestSupport
import Testing

@Suite(
  "Audio of a microphone beside a camera, with the kernel's loopback device", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct MicrophoneTests {
  /// The times at which clicks were played and at which they are heard, in seconds of the output's time.
  private struct Clicks {
    var played: [Double] = []
    var heard: [Double]
    /// The durations of the audio and of the video, in seconds.
    var audio, picture: Double

    private static let rate = 16_000

    init(_ scene: Scene, arePlayed: Bool = true) throws {
      let result = try ChildProcess(
        "ffmpeg",
        [
          "-v", "error", "-i", try scene.path(".mov"), "-map", "0:a", "-ac", "1", "-ar",
          "\(Clicks.rate)", "-f", "s16le", "-",
        ]
      ).wait()
      try #require(result.exitCode == 0, "\(result)")
      heard = result.output.withUnsafeBytes { Clicks.places(in: $0.bindMemory(to: Int16.self)) }
      audio = Double(result.output.count / 2) / Double(Clicks.rate)
      picture = try #require(scene.end.duration)
      guard arePlayed else { return }
      let begin = try #require(scene.end.microphone?.begin, "\(scene)")
      played = try Machine.text(scene.name + ".clicks").split(separator: "\n").compactMap {
        Double($0).map { $0 - begin }
      }
      try #require(!played.isEmpty)
    }

    /// Returns the time in seconds of the loudest sample of each click.
    private static func places(in samples: UnsafeBufferPointer<Int16>) -> [Double] {
      var (found, index) = ([Double](), 0)
      while index < samples.count {
        guard samples[index].magnitude > 6000 else {
          index += 1
          continue
        }
        let near = index..<min(index + 100, samples.count)
        let place = near.max { samples[$0].magnitude < samples[$1].magnitude } ?? index
        found.append(Double(place) / Double(rate))
        // Clicks are at least half a second apart.
        index += rate / 4
      }
      return found
    }

    /// The clicks that were played while both audio and video were recorded, for recordings without a
    /// pause; one of the two streams may end a little earlier.
    var expected: [Double] { played.filter { $0 > 0.05 && $0 < min(picture, audio) - 0.05 } }

    /// Returns the distance in seconds from a time to the nearest click that is heard.
    func error(at time: Double) -> Double { heard.map { abs($0 - time) }.min() ?? .infinity }
  }

  /// The largest error of a click's time, in seconds.
  private static let limit = 0.02

  /// The largest distance between the ends of audio and video, in seconds: one frame at 5 frames per
  /// second and one AAC block at 16 kHz, the longest in these recordings.
  private static let tail = 0.2 + 1024.0 / 16000

  @Test(
    "audio is at the right time to 20 ms, with a true clock and one that is 0.1% slow",
    arguments: ["sound", "drift"])
  func inTime(_ name: String) throws {
    let scene = try Scene(name)
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
    let clicks = try Clicks(scene)
    #expect(abs(clicks.audio - clicks.picture) < MicrophoneTests.tail, "\(clicks)")
    #expect(clicks.expected.count >= (name == "drift" ? 60 : 8))
    let microphone = try #require(scene.end.microphone)
    // A busy host may stop the whole machine for longer than the device buffers audio, which kfrec
    // reports as a gap. Then some clicks are missing, with none near, and the others are in their
    // places.
    let errors = clicks.expected.map(clicks.error).filter { microphone.gaps == 0 || $0 < 0.2 }
    #expect(errors.count > clicks.expected.count / 2)
    let off = zip(clicks.expected, clicks.expected.map(clicks.error)).filter {
      $0.1 >= MicrophoneTests.limit
    }
    #expect(errors.allSatisfy { $0 < MicrophoneTests.limit }, "\(off) \(microphone)")
    // The rate is 48000 / 1.001 samples per second; it is measured less well on the pieces between gaps.
    let precision = microphone.gaps == 0 ? 100.0 : 250
    if name == "drift" { #expect(abs(microphone.driftPpm + 999) < precision, "\(microphone)") }
  }

  @Test("lost audio becomes silence, and the audio after it is at the right time")
  func overrun() throws {
    let scene = try Scene("overrun")
    #expect(scene.status == 0, "\(scene)")
    let microphone = try #require(scene.end.microphone)
    #expect(microphone.gaps >= 1 && microphone.silence > 1, "\(microphone)")
    #expect(scene.said.contains("lost audio"), "\(scene)")
    let clicks = try Clicks(scene)
    let heard = clicks.expected.filter { clicks.error(at: $0) < 0.2 }
    #expect(heard.allSatisfy { clicks.error(at: $0) < MicrophoneTests.limit }, "\(clicks)")
    // Some clicks before and after the gap, none inside it.
    #expect(heard.count >= 3 && heard.count < clicks.expected.count, "\(clicks)")
    #expect(heard.last ?? 0 > clicks.picture - 3, "\(clicks)")
  }

  @Test("audio pauses with the video")
  func pause() throws {
    let scene = try Scene("sound-pause")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
    let clicks = try Clicks(scene)
    #expect(abs(clicks.audio - clicks.picture) < MicrophoneTests.tail, "\(clicks)")
    // The audio starts at least 1.5 seconds before the pause.
    let first = try #require(clicks.heard.first)
    #expect(first < 1.5 && clicks.played.contains { abs($0 - first) < MicrophoneTests.limit })
    // The intervals between clicks differ, so only the length of the cut fits all clicks after it.
    let last = clicks.heard.filter { $0 > clicks.picture - 3 }
    #expect(last.count >= 2)
    let cut = stride(from: 2.0, to: 60, by: 0.005).first { cut in
      last.allSatisfy { heard in
        clicks.played.contains { abs($0 - heard - cut) < MicrophoneTests.limit / 2 }
      }
    }
    #expect(cut != nil, "\(clicks)")
  }

  @Test("audio becomes silence when the microphone is unplugged, and the video continues")
  func unplugged() throws {
    let scene = try Scene("sound-unplug")
    #expect(scene.status == 0, "\(scene)")
    #expect(scene.said.contains("was unplugged; there is silence instead"), "\(scene)")
    #expect(try scene.end.microphone?.loss?.contains("was unplugged") == true)
    try scene.expectWholeMovie()
    let clicks = try Clicks(scene, arePlayed: false)
    #expect(
      clicks.picture > 5 && abs(clicks.audio - clicks.picture) < MicrophoneTests.tail, "\(clicks)")
  }

  @Test("a microphone that is busy, forbidden or absent is refused with the reason")
  func refused() throws {
    let busy = try Scene("sound-busy")
    #expect(busy.status == 1, "\(busy)")
    #expect(busy.said.contains("is in use by kfrec (process "), "\(busy)")
    let missing = try Scene("sound-missing")
    #expect(missing.status == 1, "\(missing)")
    #expect(missing.said.contains("there is no microphone to record from"), "\(missing)")
    let forbidden = try Scene("mute")
    #expect(forbidden.status == 1, "\(forbidden)")
    #expect(
      forbidden.said.contains("belongs to the group audio; join it with sudo usermod -aG audio"),
      "\(forbidden)")
    for scene in [busy, missing, forbidden] { #expect(try !scene.hasMovie()) }
  }

  @Test("audio comes from the device that kfrec devices lists")
  func listing() throws {
    #expect(
      try Machine.text("devices.json").contains(
        "\"kind\":\"microphone\",\"name\":\"hw:CARD=Loopback,DEV=1\""))
    #expect(try Machine.text("devices.text").contains("--audio hw:CARD=Loopback,DEV=1"))
  }
}
