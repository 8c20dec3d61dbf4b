import FoundationEssentials
import Frames
import TestSupport
import Testing

@Suite(
  "kfrec as a virtual camera beside a video file", .serialized,
  .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
struct TwoOutputsTests {
  private struct End: Decodable {
    struct Output: Decodable {
      var output: String
      var frames, dropped: Int?
      var incomplete: String?
    }
    var outputs: [Output]
  }

  private static let frameBytes = 320 * 180 * 3 / 2

  private func frames(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: TwoOutputsTests.frameBytes).map {
      bytes[$0..<min($0 + TwoOutputsTests.frameBytes, bytes.count)]
    }
  }

  private func read(_ name: String) throws -> [ArraySlice<UInt8>] {
    frames(try readFile(Machine.folder().file(name + ".yuv")))
  }

  /// Returns the frames of a scene's video file, whose codec is lossless.
  private func recorded(_ scene: Scene) throws -> [ArraySlice<UInt8>] {
    frames(
      try ChildProcess(
        "ffmpeg",
        [
          "-v", "error", "-i", try scene.path(".mov"), "-fps_mode", "passthrough", "-f", "rawvideo",
          "-pix_fmt", "yuv420p", "-",
        ]
      ).wait().output)
  }

  private func outputs(_ scene: Scene) throws -> [End.Output] {
    let line = try #require(
      try Machine.text(scene.name + ".json").split(separator: "\n").last, "\(scene)")
    return try JSONDecoder().decode(End.self, from: Data(line.utf8)).outputs
  }

  /// Expects every frame that was read in the movie, in its order, and returns how many different ones
  /// there were.
  private func expectShown(
    _ read: [ArraySlice<UInt8>], of movie: [ArraySlice<UInt8>]
  ) throws -> Int {
    var place = 0
    var different = Set<Int>()
    for frame in read {
      let found = movie[place...].firstIndex(of: frame)
      // A test that fails prints the expression's parts, which would be all pixels.
      place = try #require(found, "a frame that is none")
      different.insert(place)
    }
    return different.count
  }

  @Test("a camera's frames reach both outputs through an effect, with the same pixels")
  func both() throws {
    let scene = try Scene("both")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
    let movie = try recorded(scene)
    let read = try read("both-3") + read("both-9")
    #expect(read.count == 10)
    #expect(try expectShown(read, of: movie) > 1)
    // The driver's bars have no white but black, which the effect turns white.
    let brightest = try #require(movie.first?.prefix(320).max())
    #expect(brightest > 225)
    let outputs = try outputs(scene)
    #expect(outputs.map(\.output) == ["both.mov", "/dev/video23"])
    #expect(outputs.allSatisfy { $0.incomplete == nil && $0.frames ?? 0 > 0 })
    #expect(outputs.first?.frames == movie.count)
  }

  @Test("during a pause the virtual camera shows the last frame, and neither output has a gap")
  func paused() throws {
    let scene = try Scene("paused")
    #expect(scene.status == 0, "\(scene)")
    try scene.expectWholeMovie()
    let read = try read("paused")
    let reader = try Machine.text("paused.reader")
    #expect(read.count == 10, "\(reader)")
    let isHeld = Set(read).count == 1
    #expect(isHeld)
    #expect(try expectShown(read, of: recorded(scene)) == 1)
    let times = try scene.times()
    // The pause was 4 seconds long.
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < Rational(3) })
  }

  @Test("a video file is played at its own pace, and every frame of it is recorded")
  func watched() throws {
    let scene = try Scene("watched")
    #expect(scene.status == 0, "\(scene)")
    let end = try scene.end
    #expect(end.framesIn == 90 && end.framesOut == 90 && end.dropped == 0)
    let movie = try recorded(scene)
    let source = frames(
      try ChildProcess(
        "ffmpeg",
        [
          "-v", "error", "-i", try Machine.folder().file("source.mkv"), "-frames:v", "90", "-f",
          "rawvideo", "-",
        ]
      ).wait().output)
    let isSame = movie == source
    #expect(isSame)
    // Rounded as in the Matroska source: 30 frames per second, four times slower.
    let times = (0..<90).map { 4 * (Rational(Int64($0) * 100, 3) + Rational(1, 2)).floor }
    #expect(try scene.times() == times.map { Rational($0, 1000) })
    let read = try read("watched")
    let reader = try Machine.text("watched.reader")
    #expect(read.count == 20, "\(reader)")
    #expect(try expectShown(read, of: source) > 5)
    // The video file comes first, whatever the order of the options was.
    #expect(try outputs(scene).map(\.output) == ["watched.mov", "/dev/video23"])
  }

  @Test("a virtual camera that disappears is reported, and the video file continues to its end")
  func parted() throws {
    let scene = try Scene("parted")
    #expect(scene.status == 3, "\(scene)")
    #expect(try scene.goesOn())
    try scene.expectWholeMovie()
    let sentence = try #require(try outputs(scene).last?.incomplete)
    #expect(
      sentence.hasPrefix("/dev/video1 (vivid)")
        && sentence.hasSuffix("; the recording goes on without this output"))
    #expect(scene.lines.contains { $0.type == "warning" && $0.message == sentence })
    #expect(try outputs(scene).first?.incomplete == nil)
  }

  @Test("a full disk ends the recording, and the encoded part is a complete video file")
  func full() throws {
    let scene = try Scene("full")
    #expect(scene.status == 3, "\(scene)")
    #expect(scene.said.contains("the file system is full"), "\(scene)")
    // Some frames were given to the encoder and did not fit on the disk.
    let frames = try #require(try outputs(scene).first?.frames)
    #expect(frames == (try recorded(scene).count) && 0 < frames && frames < 900)
  }

  @Test("outputs that do not go together are refused, and no file is left")
  func refused() throws {
    let unlike = try Scene("unlike")
    #expect(unlike.status == 2, "\(unlike)")
    #expect(try !unlike.hasMovie())
    #expect(unlike.said.contains("does not take yuv444p: add --pixel-format yuv420p"), "\(unlike)")
    let twice = try Scene("twice")
    #expect(twice.status == 2, "\(twice)")
    #expect(try !twice.hasMovie())
    #expect(twice.said.contains("-o /dev/video23 was given twice"), "\(twice)")
  }
}
