import TestSupport
import Testing

/// Subtitles, chapters, covers, attached files, and what tracks are called: kept where the container has them.
@Suite struct ContentsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Matroska file with all of them.
  private func input() throws -> String {
    let text =
      "1\n00:00:00,500 --> 00:00:01,500\nHello\n\n2\n00:00:02,000 --> 00:00:02,800\n<i>Bye</i>\n"
    let subtitles = try folder.write(text.utf8, to: "a.srt")
    let metadata = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=1000
      END=3000
      title=Two
      """
    let chapters = try folder.write(metadata.utf8, to: "chapters.txt")
    let cover = try make(
      "cover.jpg", in: folder, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    return try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-i",
        subtitles, "-i", chapters, "-map", "0", "-map", "1", "-map", "1", "-map", "2",
        "-map_chapters", "3", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "alac", "-c:s",
        "srt", "-metadata:s:v:0", "title=Main", "-metadata:s:a:0", "title=Director",
        "-metadata:s:a:1", "language=fre", "-metadata:s:s:0", "language=eng", "-disposition:a:0",
        "0", "-disposition:a:1", "default+comment", "-attach", cover, "-metadata:s:t:0",
        "mimetype=image/jpeg", "-metadata:s:t:0", "filename=cover.jpg", "-attach", chapters,
        "-metadata:s:t:1", "mimetype=text/plain", "-metadata:s:t:1", "filename=notes.txt",
      ])
  }

  private func record(_ input: String, _ name: String, _ words: [String] = []) throws -> (
    output: String, errors: String
  ) {
    let output = folder.file(name)
    let result = try KfrecProcess.run(["-i", input, "-y", "-o", output] + words)
    #expect(result.exitCode == 0, "\(result)")
    return (output, result.errors)
  }

  private func text(_ path: String) throws -> [String] {
    try runTool("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"])
      .split(separator: "\n").map { String($0.filter { $0 != "\r" }) }
  }

  private func chapters(_ path: String) throws -> [String] {
    try Probe.rows(path, "chapter=start_time,end_time:chapter_tags=title").map {
      "\($0["tag:title"] ?? "") \($0["start_time"] ?? "") \($0["end_time"] ?? "")"
    }
  }

  @Test(
    "each container keeps what it can hold, and names the rest in one warning",
    arguments: [
      ("mkv", nil, "subrip", "title"), ("mp4", "an attached file", "mov_text", "handler_name"),
      (
        "mov", "a cover image, an attached file, flags of audio tracks (comment)", "mov_text",
        "handler_name"
      ),
    ])
  func kept(_ container: String, _ lost: String?, _ subtitles: String, _ title: String) throws {
    let input = try input()
    let (output, errors) = try record(input, "out.\(container)")
    let warnings = errors.split(separator: "\n").filter { $0.contains("left out") }
    #expect(warnings.count == (lost == nil ? 0 : 1), "\(errors)")
    if let lost { #expect(warnings.first?.hasSuffix("left out of the output: \(lost)") == true) }
    #expect(try Probe.stream(output, "codec_name", of: "s:0")["codec_name"] == subtitles)
    #expect(
      try text(output) == [
        "1", "00:00:00,500 --> 00:00:01,500", "Hello", "2", "00:00:02,000 --> 00:00:02,800",
        "<i>Bye</i>",
      ])
    #expect(
      try chapters(output) == ["One 0.000000 1.000000", "Two 1.000000 3.000000"])
    func tag(_ stream: String, _ name: String) throws -> String? {
      try Probe.rows(output, "stream_tags=\(name)", of: stream).first?["tag:\(name)"]
    }
    #expect(try tag("v:0", title) == "Main" && tag("a:0", title) == "Director")
    // Both are French; MOV has the second code alone.
    #expect(try tag("a:1", "language") == (container == "mov" ? "fra" : "fre"))
    #expect(try tag("s:0", "language") == "eng")
    let flags = try Probe.rows(output, "stream_disposition=default,comment", of: "a")
    #expect(flags.map { $0["disposition:default"] } == ["0", "1"])
    #expect(flags.last?["disposition:comment"] == (container == "mov" ? "0" : "1"))
    let covers = try Probe.rows(output, "stream_disposition=attached_pic", of: "v")
    #expect(covers.contains { $0["disposition:attached_pic"] == "1" } == (container != "mov"))
    if container == "mkv" {
      let names = try Probe.rows(output, "stream_tags=filename").compactMap { $0["tag:filename"] }
      #expect(names == ["cover.jpg", "notes.txt"])
    }
  }

  @Test(
    "a part has its own subtitles and chapters, moved and cut", arguments: ["out.mkv", "out.mp4"])
  func parts(_ name: String) throws {
    let (output, _) = try record(try input(), name, ["--start", "1", "-t", "1.4"])
    #expect(
      try text(output) == [
        "1", "00:00:00,000 --> 00:00:00,500", "Hello", "2", "00:00:01,000 --> 00:00:01,400",
        "<i>Bye</i>",
      ])
    #expect(try chapters(output) == ["Two 0.000000 1.400000"])
  }

  @Test("text of an MP4 becomes SubRip in Matroska, and --no-subtitles leaves it out unnamed")
  func converted() throws {
    let (packed, _) = try record(try input(), "in.mp4")
    let (output, _) = try record(packed, "out.mkv")
    #expect(try Probe.stream(output, "codec_name", of: "s:0")["codec_name"] == "subrip")
    #expect(try text(output)[2] == "Hello")
    let (none, errors) = try record(packed, "none.mkv", ["--no-subtitles"])
    #expect(try Probe.rows(none, "stream=codec_type", of: "s").isEmpty)
    #expect(!errors.contains("subtitle"), "\(errors)")
  }
}
