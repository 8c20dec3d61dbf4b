import FoundationEssentials
import Frames
import TestSupport
import Testing

/// The results of one run of kfrec in the machine with cameras.
struct Scene: CustomStringConvertible {
  /// One line of kfrec's JSON output.
  struct Line: Decodable {
    var type: String
    var message: String?
    var framesIn, framesOut, dropped, lostByDriver, damaged, predictedTimes, exitCode: Int?
    var duration: Double?
    var incomplete: String?
    var microphone: Sound?
    var stats: Statistics?
  }

  /// The statistics in a line, about frames used in the camera's own buffers.
  struct Statistics: Decodable {
    struct InPlace: Decodable { var pictures, of: Int }
    var inPlace: InPlace?
  }

  /// The statistics in a line about a microphone.
  struct Sound: Decodable {
    var driftPpm, begin, silence: Double
    var gaps: Int
    var loss: String?
  }

  let name: String
  let status: Int?
  /// The text on standard error.
  let said: String
  let lines: [Line]

  init(_ name: String) throws {
    self.name = name
    status = Int(try Machine.text(name + ".status").split(separator: "\n").first ?? "")
    said = try Machine.text(name + ".said")
    lines = try Machine.text(name + ".json").split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  var description: String { "\(name): exit code \(status ?? -1), \(said)" }

  /// The last line of the JSON output.
  var end: Line {
    get throws { try #require(lines.last { $0.type == "end" }, "\(self)") }
  }

  /// Returns whether the recording continued after the failure: 15 frames came before, 30 were awaited
  /// after.
  func goesOn() throws -> Bool { try end.framesOut ?? 0 >= 45 }

  func path(_ ending: String) throws -> String { try Machine.folder().file(name + ending) }

  /// Returns whether a video file exists, complete or in part.
  func hasMovie() throws -> Bool {
    try fileExists(path(".mov")) || fileExists(path(".mov.part"))
  }

  /// Returns the timestamps of the video file's frames, in seconds.
  func times() throws -> [Rational] {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts", "-of", "csv=p=0",
        try path(".mov"),
      ])
    let base = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=time_base", "-of",
        "csv=p=0", try path(".mov"),
      ])
    let parts = base.split(whereSeparator: { !$0.isNumber }).compactMap { Int64($0) }
    try #require(parts.count == 2, "\(base)")
    return text.split(separator: "\n").compactMap { line in
      Int64(line.prefix { $0.isNumber || $0 == "-" }).map { Rational($0 * parts[0], parts[1]) }
    }.sorted()
  }

  /// Expects a complete video file: as many frames decode as kfrec reports.
  func expectWholeMovie(_ location: SourceLocation = #_sourceLocation) throws {
    let decoded = try frameCount(of: path(".mov"))
    let end = try end
    #expect(decoded == end.framesOut, "\(self)", sourceLocation: location)
    #expect(decoded ?? 0 > 0, "\(self)", sourceLocation: location)
  }

  /// Returns the size of the image and its pixels as red, green and blue bytes.
  func picture() throws -> (width: Int, height: Int, bytes: [UInt8]) {
    let size = try runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", try path(".png")])
    let numbers = size.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    try #require(numbers.count == 2, "\(self)")
    let result = try ChildProcess(
      "ffmpeg",
      ["-v", "error", "-i", try path(".png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    ).wait()
    try #require(result.output.count == numbers[0] * numbers[1] * 3, "\(result)")
    return (numbers[0], numbers[1], result.output)
  }
}
