import Frames
import TestSupport

/// `ffprobe` and `ffmpeg` as independent judges of a file.
enum Probe {
  /// Returns one dictionary for each stream, packet or frame that `entries` (such as
  /// `packet=pts,duration`) names.
  static func rows(_ path: String, _ entries: String, of stream: String? = nil) throws
    -> [[String: String]]
  {
    let selection = stream.map { ["-select_streams", $0] } ?? []
    let text = try runTool(
      "ffprobe",
      ["-v", "error"] + selection
        + ["-show_entries", entries, "-of", "compact=p=0", path])
    return text.split(separator: "\n").map { line in
      var row: [String: String] = [:]
      for field in line.split(separator: "|") {
        let parts = field.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { row[String(parts[0])] = String(parts[1]) }
      }
      return row
    }
  }

  /// Returns the fields of one stream.
  static func stream(_ path: String, _ fields: String, of stream: String = "v:0") throws
    -> [String: String]
  {
    // Matroska's streams have tags, which some versions print on separate lines.
    try rows(path, "stream=\(fields)", of: stream).first ?? [:]
  }

  /// Returns the decoded frames one after another as bytes in a pixel format; nil keeps the stored
  /// format and every value (full range in a named format would become limited).
  ///
  /// `decoder` is for streams that FFmpeg's usual decoder reads without alpha.
  static func pixels(
    _ path: String, _ format: String? = nil, filters: [String] = [], decoder: String? = nil
  ) throws -> [UInt8] {
    var words = ["-v", "error", "-noautorotate"]
    if let decoder { words += ["-c:v", decoder] }
    words += ["-i", path, "-map", "0:v:0"]
    if !filters.isEmpty { words += ["-vf", filters.joined(separator: ",")] }
    words += ["-fps_mode", "passthrough"]
    if let format { words += ["-pix_fmt", format] }
    let result = try ChildProcess("ffmpeg", words + ["-f", "rawvideo", "-"]).wait()
    guard result.exitCode == 0 else { throw TestSupportError("ffmpeg: \(result)") }
    return result.output
  }
}

/// The packets of a stream in display order, with exact times in seconds.
struct Timeline {
  struct Entry: Equatable, CustomStringConvertible {
    var time: Rational
    var duration: Rational?
    var description: String { "\(time)+\(duration.map { "\($0)" } ?? "?")" }
  }

  var entries: [Entry]

  init(_ path: String, of stream: String = "v:0") throws {
    let rows = try Probe.rows(path, "stream=time_base:packet=pts,duration", of: stream)
    let base = try Timeline.rational(rows.lazy.compactMap { $0["time_base"] }.first)
    entries = rows.compactMap { row in
      guard let pts = row["pts"].flatMap({ Int64($0) }) else { return nil }
      let duration = row["duration"].flatMap { Int64($0) }.map { Rational($0) * base }
      return Entry(time: Rational(pts) * base, duration: duration)
    }.sorted { $0.time < $1.time }
  }

  /// Returns the timeline shifted so that `zero` is at 0.
  func from(_ zero: Rational) -> Timeline {
    var moved = self
    for index in moved.entries.indices { moved.entries[index].time = entries[index].time - zero }
    return moved
  }

  /// The entries, each lasting until the next; the last one keeps its own duration.
  var withoutGaps: [Entry] {
    var result = entries
    for index in result.indices.dropLast() {
      result[index].duration = result[index + 1].time - result[index].time
    }
    return result
  }

  var start: Rational { entries.first?.time ?? .zero }
  var times: [Rational] { entries.map(\.time) }

  /// Parses a fraction such as "1/12800".
  static func rational(_ text: String?) throws -> Rational {
    let parts = (text ?? "").split(separator: "/").compactMap { Int64($0) }
    guard parts.count == 2 else { throw TestSupportError("\(text ?? "nothing") is no fraction") }
    return Rational(parts[0], parts[1])
  }
}

/// Makes an input with `ffmpeg` and returns its path.
@discardableResult
func make(_ name: String, in folder: TemporaryFolder, _ words: [String]) throws -> String {
  let path = folder.file(name)
  try runTool("ffmpeg", ["-v", "error", "-y"] + statingColors(words) + [path])
  return path
}

/// Makes a MOV or MP4 with the packets of another one, whose picture is turned clockwise; returns its path.
///
/// The matrix is written into the header: since FFmpeg 7 `rotate` is no tag, and 5.1 has no option for it.
@discardableResult
func makeTurned(_ name: String, from plain: String, by degrees: Int, in folder: TemporaryFolder)
  throws -> String
{
  let path = try make(name, in: folder, ["-i", plain, "-c", "copy"])
  var bytes = try readFile(path)
  guard let header = bytes.firstRange(of: Array("tkhd".utf8)), bytes[header.upperBound] == 0 else {
    throw TestSupportError("\(name) has no header of a track")
  }
  // ISO 14496-12, 8.3.2: the matrix, the width and the height follow 40 bytes.
  let matrix = header.upperBound + 40
  func number(_ place: Int) -> Int32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int32($1) }
  }
  let (width, height, one) = (number(matrix + 36), number(matrix + 40), Int32(0x10000))
  let (cosine, sine) =
    [0: (one, 0), 90: (0, one), 180: (-one, 0), 270: (0, -one)][degrees] ?? (0, 0)
  let (right, down) =
    [
      90: (height, Int32(0)), 180: (width, height), 270: (0, width),
    ][degrees] ?? (0, 0)
  for (index, value) in [cosine, sine, 0, -sine, cosine, 0, right, down, 0x4000_0000].enumerated() {
    let place = matrix + 4 * index
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
  }
  return try folder.write(bytes, to: name)
}

/// Returns words of ffmpeg whose colour tags belong to the frames that are encoded: since FFmpeg 7 options of an encoder
/// that differ from its frames mean nothing, or convert them.
private func statingColors(_ words: [String]) -> [String] {
  let names = [
    "-color_range": "range", "-colorspace": "colorspace", "-color_primaries": "color_primaries",
    "-color_trc": "color_trc",
  ]
  guard !words.contains("copy"), !words.contains("-filter_complex") else { return words }
  var (kept, tags) = ([String](), [String]())
  var index = 0
  while index < words.count {
    if let name = names[words[index]] {
      tags.append("\(name)=\(words[index + 1])")
      // Without it 7.1 converts the full range for encoders that may have both, such as FFV1.
      if name == "range" { kept += words[index...index + 1] }
      index += 2
    } else {
      kept.append(words[index])
      index += 1
    }
  }
  guard !tags.isEmpty else { return words }
  let filter = "setparams=" + tags.joined(separator: ":")
  guard let place = kept.lastIndex(of: "-vf") else { return kept + ["-vf", filter] }
  kept[place + 1] += "," + filter
  return kept
}
