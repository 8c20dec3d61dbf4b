import Glibc
import TestSupport
import Testing

/// Tests with the real binary that a file that is read is never overwritten, whatever its name.
@Suite struct ReadFileTests {
  /// A scene, the command line that would overwrite a file in it, and the two names that must be
  /// reported.
  struct Case: Sendable, CustomTestStringConvertible {
    let scene: @Sendable (TemporaryFolder) throws -> Void
    let words: String
    let names: [String]
    let title: String
    /// A shell command line, where arguments alone are not enough.
    var shell: String?

    var testDescription: String { title }
  }

  private static func film(_ name: String, _ folder: TemporaryFolder) throws {
    let result = try KfrecProcess.run(
      words("-i testsrc --size 64x48 --frames 2 --container mkv -o film.mkv"), in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(rename(folder.file("film.mkv"), folder.file(name)) == 0)
  }

  private static func picture(_ name: String, _ folder: TemporaryFolder) throws {
    let result = try KfrecProcess.run(words("-i testsrc --size 64x48 -o made.png"), in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(rename(folder.file("made.png"), folder.file(name)) == 0)
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  private static let effect = """
    #include "tail.mkv"
    vec4 effect(vec2 uv) { return framePixel().bgra; }

    """

  static let cases = [
    Case(
      scene: { try film("a.mkv.part", $0) }, words: "-i a.mkv.part -o a.mkv",
      names: ["a.mkv would be written over a.mkv.part, the input:"], title: "the partial name"),
    Case(
      scene: { folder in
        try film("a.mkv", folder)
        try folder.write("ffconcat version 1.0\nfile 'a.mkv'\n".utf8, to: "in.ffconcat")
      }, words: "-y -i in.ffconcat -o a.mkv",
      names: ["a.mkv would be written over a.mkv, which in.ffconcat names:"], title: "a list"),
    Case(
      scene: { folder in
        try film("a.mkv", folder)
        #expect(link(folder.file("a.mkv"), folder.file("b.mkv")) == 0)
        try folder.write(
          #"#EXTM3U\#n#EXT-X-MAP:URI="a.mkv",BYTERANGE="9@0"\#n"#.utf8, to: "in.m3u8")
        try folder.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nin.m3u8\n".utf8, to: "all.m3u8")
      }, words: "-y -i all.m3u8 -o b.mkv",
      names: ["b.mkv would be written over a.mkv, which all.m3u8 names, which is b.mkv too:"],
      title: "a playlist of playlists"),
    Case(
      scene: { folder in
        try film("s-00002.mkv", folder)
        try folder.write(
          #"<MPD><SegmentTemplate media="s-$Number%05d$.mkv"/></MPD>"#.utf8, to: "in.mpd")
      }, words: "-y -i in.mpd -o s-00002.mkv",
      names: ["s-00002.mkv would be written over s-00002.mkv, which in.mpd names:"],
      title: "DASH"),
    Case(
      scene: { folder in
        try film("in.mkv", folder)
        #expect(link(folder.file("in.mkv"), folder.file("a.mkv.part")) == 0)
      }, words: "-i in.mkv -o a.mkv",
      names: ["a.mkv would be written over in.mkv, the input, which is a.mkv.part too:"],
      title: "a hard link at the partial name"),
    Case(
      scene: { try film("a.mkv.part", $0) }, words: "", names: ["a.mkv", "standard input"],
      title: "standard input", shell: "exec \"$0\" -i - -o a.mkv <a.mkv.part"),
    Case(
      scene: { try film("a.mkv", $0) }, words: "", names: ["standard output", "a.mkv, the input"],
      title: "standard output", shell: "exec \"$0\" -i a.mkv -o - >>a.mkv"),
    Case(
      scene: { folder in
        try film("a.mkv.part", folder)
        #expect(symlink(folder.path, folder.file("here")) == 0)
      }, words: "-i testsrc~duration=1 -i file://HERE/here/a.mkv.part -e crossfade -o a.mkv",
      names: ["a.mkv would be written over", "the input"], title: "a URL of the second input"),
    Case(
      scene: { try picture("p-0002.png", $0) }, words: "-y -i p-0002.png -t 1 -o p-%04d.png",
      names: ["p-%04d.png", "input"], title: "a picture of the sequence"),
    Case(
      scene: { folder in
        try picture("in.png", folder)
        #expect(symlink("in.png", folder.file("p-0002.png")) == 0)
      }, words: "-y -i in.png -t 1 -o p-%04d.png",
      names: ["p-%04d.png would be written over in.png, the input, which is p-0002.png too:"],
      title: "a link in the sequence"),
    Case(
      scene: { folder in
        for number in 0...1 { try picture("in-\(number).png", folder) }
        #expect(link(folder.file("in-1.png"), folder.file("a.mkv.part")) == 0)
      }, words: "-i in-%d.png -o a.mkv", names: ["a.mkv", "in-1.png"], title: "numbered pictures"),
    Case(
      scene: { try picture("a.png.part", $0) },
      words: "-i testsrc --size 64x48 -e chromaKey:background=a.png.part -o a.png",
      names: ["a.png would be written over a.png.part, an image of effect 'chromaKey':"],
      title: "an effect's picture"),
    Case(
      scene: { folder in for number in 1...3 { try picture("p-\(number).png", folder) } },
      words: "-y -i testsrc --size 64x48 -e chromaKey:background=p-%d.png -o p-%d.png",
      names: ["p-%d.png would be written over p-1.png, an image of effect 'chromaKey'"],
      title: "an effect's numbered pictures"),
    Case(
      scene: { folder in for number in 1...3 { try picture("p-\(number).png", folder) } },
      words: "-y -i blank --size 64x48 --frames 1 -e chromaKey:background=p-%d.png~loop -o p-2.png",
      names: ["p-2.png would be written over p-2.png, an image of effect 'chromaKey'"],
      title: "one of an effect's numbered pictures"),
    Case(
      scene: { try film("a.mkv", $0) },
      words: "-y -i testsrc --size 64x48 -e chromaKey:background=file://HERE/a.mkv -o a.mkv",
      names: ["a.mkv would be written over", "an image of effect 'chromaKey'"],
      title: "a URL of an effect's video"),
    Case(
      scene: { try $0.write(effect.utf8.dropFirst(20), to: "own.comp") },
      words: "-y -i testsrc --size 64x48 -e ./own.comp --container mkv -o own.comp",
      names: ["own.comp would be written over ./own.comp, the text of effect 'own'"],
      title: "an effect's text"),
    Case(
      scene: { folder in
        try folder.write(effect.utf8, to: "own.comp")
        try folder.write("// nothing\n".utf8, to: "tail.mkv")
      }, words: "-y -i testsrc --size 64x48 -e ./own.comp -o tail.mkv",
      names: ["tail.mkv would be written over", "a text that effect 'own' includes"],
      title: "what an effect includes"),
    Case(
      scene: { try $0.write("kfrec preset 1\n-e sepia\n".utf8, to: "look.kfpreset") },
      words:
        "-y -i testsrc --size 64x48 --frames 2 --preset look.kfpreset --container mkv -o look.kfpreset",
      names: ["look.kfpreset would be written over", "the preset"], title: "a preset"),
    Case(
      scene: { try $0.write("kfrec preset 1\n-e sepia\n".utf8, to: "look.kfpreset") },
      words:
        "-y -i testsrc --size 64x48 --frames 2 -e ./look.kfpreset --framehash look.kfpreset -o a.mkv",
      names: ["--framehash look.kfpreset would be written over", "the preset"],
      title: "hashes over a preset that -e names"),
    Case(
      scene: { try film("sound.mkv", $0) },
      words:
        "-y -i testsrc --size 64x48 --frames 2 --audio-in sound.mkv --framehash sound.mkv -o a.mkv",
      names: ["--framehash sound.mkv would be written over sound.mkv, the added audio"],
      title: "hashes over the added audio"),
    Case(
      scene: { try $0.write(effect.utf8.dropFirst(20), to: "own.comp") },
      words: "-y -i testsrc --size 64x48 --frames 2 -e ./own.comp --framehash own.comp -o a.mkv",
      names: ["--framehash own.comp would be written over ./own.comp, the text of effect 'own'"],
      title: "hashes over an effect"),
    Case(
      scene: { try film("in.mkv", $0) },
      words: "-y -i in.mkv -e sepia --save-preset in.mkv --frames 1 -o o.mkv",
      names: ["--save-preset in.mkv would be written over in.mkv, the input"],
      title: "a saved preset over the input"),
    Case(
      scene: { try $0.write(effect.utf8.dropFirst(20), to: "own.comp") },
      words: "-y -i testsrc -e ./own.comp --save-preset own.comp",
      names: ["--save-preset own.comp would be written over ./own.comp, an effect"],
      title: "a saved preset over an effect"),
    Case(
      scene: { try $0.write("mine\n".utf8, to: "notes") }, words: "-y -e sepia --save-preset notes",
      names: ["notes exists and is no preset"], title: "a saved preset over another file"),
    Case(
      scene: { try $0.write("kfrec preset 1\n-e sepia\n".utf8, to: "a.kfpreset") },
      words: "-y -e a.kfpreset --save-preset a.kfpreset",
      names: ["--save-preset a.kfpreset would be written over a.kfpreset, the preset"],
      title: "a saved preset over one that is read"),
    Case(
      scene: { folder in
        try folder.write("kfrec preset 1\n-e sepia\n".utf8, to: "real")
        #expect(symlink("real", folder.file("a.kfpreset")) == 0)
      }, words: "-y -e bloom --save-preset a.kfpreset",
      names: ["the preset a.kfpreset is a symbolic link"], title: "a saved preset through a link"),
    Case(
      scene: { _ in }, words: "-y -i testsrc -e sepia --frames 1 --save-preset a.mkv -o a.mkv",
      names: ["--save-preset a.mkv is the place of -o too"],
      title: "a saved preset at the place of the output"),
  ]

  @Test(
    "an output, or its partial file, never overwrites a file that is read",
    arguments: cases)
  func isKept(_ testCase: Case) throws {
    let folder = try TemporaryFolder()
    try testCase.scene(folder)
    let before = try folder.names.map { try contents(folder.file($0)) }
    let names = folder.names
    let result: ChildResult
    if let shell = testCase.shell {
      result = try KfrecProcess.shell(shell, in: folder)
    } else {
      let typed = testCase.words.split(separator: " ").map {
        $0.replacing("HERE", with: folder.path)
      }
      result = try KfrecProcess.run(typed.map(String.init), in: folder)
    }
    #expect(result.exitCode == 2, "\(result)")
    for name in testCase.names { #expect(result.errors.contains(name), "\(result)") }
    #expect(folder.names == names)
    #expect(try folder.names.map { try contents(folder.file($0)) } == before)
  }

  /// Returns a file's bytes; a folder has none.
  private func contents(_ path: String) throws -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    return try readFile(path)
  }

  @Test("an output is not written over another output's partial file")
  func twoOutputs() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      Self.words(
        "-i testsrc --size 64x48 --frames 2 -o a.mkv -o a.mkv.part --container mkv"), in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains("a.mkv and a.mkv.part name the same place"), "\(result)")
    #expect(folder.names.isEmpty)
  }
}
