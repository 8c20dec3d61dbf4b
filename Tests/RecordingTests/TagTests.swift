import TestSupport
import Testing

@Suite("The tags of an input") struct TagTests {
  private static let tags = [
    "title": "Über den Wolken", "artist": "A. Flyer", "comment": "two words", "date": "2019",
    "creation_time": "2019-05-04T10:20:30.000000Z",
  ]

  /// Makes a clip with all of the tags, and two audio tracks in two languages.
  private func clip(_ name: String, in folder: TemporaryFolder) throws -> String {
    let tone = ["-f", "lavfi", "-i", "sine=r=44100:d=0.5"]
    let named = TagTests.tags.sorted { $0.key < $1.key }.flatMap {
      ["-metadata", "\($0.key)=\($0.value)"]
    }
    return try make(
      name, in: folder,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.5"] + tone + tone
        + ["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast"]
        + ["-timecode", "01:00:00:00", "-metadata:s:a:0", "language=ita"]
        + ["-metadata:s:a:1", "language=spa"] + named)
  }

  private func tags(_ path: String) throws -> [String: String] {
    let text = try runTool(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", path])
    return text.split(separator: "\n").reduce(into: [:]) { tags, line in
      let parts = line.dropFirst("TAG:".count).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { tags[parts[0].lowercased()] = String(parts[1]) }
    }
  }

  private func languages(_ path: String) throws -> [String] {
    let text = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a", "-show_entries", "stream_tags=language", "-of",
        "csv=p=0", path,
      ])
    return text.split(separator: "\n").map(String.init)
  }

  @Test(
    "the output has the input's tags, with the languages of its audio",
    arguments: [
      ("in.mov", "out.mov"), ("in.mp4", "out.mp4"), ("in.mkv", "out.mkv"), ("in.mkv", "out.mov"),
    ])
  func kept(_ input: String, _ output: String) throws {
    let folder = try TemporaryFolder()
    let source = try clip(input, in: folder)
    let path = folder.file(output)
    let result = try KfrecProcess.run(["-i", source, "-e", "invert", "-o", path])
    #expect(result.exitCode == 0, "\(result)")
    let found = try tags(path)
    for (name, text) in TagTests.tags { #expect(found[name] == text, "\(name) in \(found)") }
    #expect(try languages(path) == ["ita", "spa"])
    // Tags about the input's own bytes are left out; Matroska's muxer names itself.
    #expect(found["timecode"] == nil && found["encoder"] ?? "Lavf" == "Lavf", "\(found)")
    #expect(try Probe.rows(path, "stream=codec_type").count == 3)
  }

  @Test("with --no-tags, or without tags in the input, the output has no tags")
  func left() throws {
    let folder = try TemporaryFolder()
    let source = try clip("in.mov", in: folder)
    for words in [["-i", source, "--no-tags"], ["-i", "testsrc", "-t", "0.2"]] {
      let path = folder.file("out.mov")
      let result = try KfrecProcess.run(words + ["-y", "-o", path])
      #expect(result.exitCode == 0, "\(result)")
      let structural: Set = ["major_brand", "minor_version", "compatible_brands"]
      #expect(try Set(tags(path).keys).subtracting(structural).isEmpty)
    }
  }

  @Test(
    "--title takes the place of the input's title, and an empty one leaves it out",
    arguments: ["out.mov", "out.mp4", "out.mkv", "out.webm"])
  func title(_ output: String) throws {
    let folder = try TemporaryFolder()
    let source = try clip("in.mov", in: folder)
    for (words, title) in [
      (["--title", "Über uns"], "Über uns"), (["--title="], nil),
      (["--no-tags", "--title", "Only"], "Only"),
    ] {
      let result = try KfrecProcess.run(
        ["-i", source, "--no-audio", "-y"] + words + ["-o", folder.file(output)])
      #expect(result.exitCode == 0, "\(result)")
      let found = try tags(folder.file(output))
      #expect(found["title"] == title, "\(words)")
      #expect((found["artist"] == nil) == words.contains("--no-tags"), "\(words)")
    }
  }

  @Test("--title replaces a title in every spelling and language")
  func everyTitle() throws {
    let folder = try TemporaryFolder()
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "libx264"]
    let loud = try make("loud.mkv", in: folder, picture + ["-metadata", "TITLE=Old"])
    let foreign = try make(
      "ita.mov", in: folder, picture + ["-metadata", "title-ita=Vecchio", "-metadata", "title=Old"])
    for (input, words, title) in [
      (loud, "--title=", nil), (foreign, "--title=", nil), (foreign, "--title=New", "New"),
    ] {
      let result = try KfrecProcess.run(["-i", input, words, "-y", "-o", folder.file("out.mkv")])
      #expect(result.exitCode == 0, "\(result)")
      let found = try tags(folder.file("out.mkv")).filter { $0.key.hasPrefix("title") }
      #expect(found == (title.map { ["title": $0] } ?? [:]), "\(input) \(words)")
    }
  }

  @Test("a paced recording, which is first written in fragments, has the tags")
  func fragments() throws {
    let folder = try TemporaryFolder()
    let source = try clip("in.mp4", in: folder)
    let path = folder.file("out.mov")
    let result = try KfrecProcess.run(["-i", source, "--realtime", "-o", path])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try tags(path)["title"] == TagTests.tags["title"])
    #expect(try languages(path) == ["ita", "spa"])
  }
}
