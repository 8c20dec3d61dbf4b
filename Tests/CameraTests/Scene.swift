import FoundationEssentials
import Frames
import TestSupport
import Testing

/// What one run of kfrec in the machine with cameras has left.
struct Scene: CustomStringConvertible {
  /// A line of its JSON.
  struct Line: Decodable {
    var type: String
    var message: String?
    var framesIn, framesOut, dropped, lostByDriver, damaged, predictedTimes, exitCode: Int?
    var duration: Double?
    var incomplete: String?
    var microphone: Sound?
    var stats: Statistics?
  }

  /// What a line says of the way that frames went.
  struct Statistics: Decodable {
    struct InPlace: Decodable { var pictures, of: Int }
    var inPlace: InPlace?
  }

  /// What a line says of a microphone.
  struct Sound: Decodable {
    var driftPpm, begin, silence: Double
    var gaps: Int
    var loss: String?
  }

  let name: String
  let status: Int?
  /// On standard error.
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

  /// How it ended.
  var end: Line {
    get throws { try #require(lines.last { $0.type == "end" }, "\(self)") }
  }

  /// It went on behind what happened to it: 15 frames were there before, and 30 were waited for.
  func goesOn() throws -> Bool { try end.framesOut ?? 0 >= 45 }

  func path(_ ending: String) throws -> String { try Machine.folder().file(name + ending) }

  /// The movie is there, whole or in part.
  func hasMovie() throws -> Bool {
    try fileExists(path(".mov")) || fileExists(path(".mov.part"))
  }

  /// When the frames of the movie are shown, in seconds.
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

  /// The movie is whole: as many pictures can be decoded as kfrec says that it holds.
  func expectWholeMovie(_ location: SourceLocation = #_sourceLocation) throws {
    let count = try runTool(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
        "stream=nb_read_frames", "-of", "csv=p=0", try path(".mov"),
      ])
    let decoded = Int(count.prefix { $0.isNumber })
    let end = try end
    #expect(decoded == end.framesOut, "\(self)", sourceLocation: location)
    #expect(decoded ?? 0 > 0, "\(self)", sourceLocation: location)
  }

  /// The pixels of the picture as red, green and blue bytes, and its size.
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
