import Frames
import Glibc
import TestSupport
import Testing

@testable import kfrec

/// Tests with file names that are not text, or that contain control characters.
@Suite struct FileNameTests {
  @Test(
    "a name that is not UTF-8 is refused with its bytes shown, and no other file is changed",
    arguments: [
      #"-i testsrc --size 64x48 --frames 1 -y -o "$(printf 'caf\351.mkv')""#,
      #"-i testsrc --size 64x48 --frames 1 -y -o"$(printf 'caf\351.mkv')""#,
      #"-i "$(printf 'caf\351.mkv')" -y -o out.mkv"#,
      #"-i testsrc -e "$(printf './caf\351.mkv')" -o out.mkv"#,
      #"check "$(printf 'caf\351.mkv')""#,
    ])
  func notUTF8(_ words: String) throws {
    let folder = try TemporaryFolder()
    // The name that a repair of the bytes would give.
    try folder.write("mine".utf8, to: "caf\u{FFFD}.mkv")
    let result = try KfrecProcess.shell("exec \"$0\" " + words, in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.contains(#"caf\xe9.mkv is not UTF-8"#), "\(result)")
    #expect(folder.names == ["caf\u{FFFD}.mkv"])
    #expect(try readFile(folder.file("caf\u{FFFD}.mkv")) == Array("mine".utf8))
  }

  @Test("an environment variable with a folder that is not UTF-8 is refused, except for the help")
  func environment() throws {
    let folder = try TemporaryFolder()
    for name in ["KFREC_EFFECTS", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"] {
      let line = #"export \#(name)="$(printf '/caf\351')"; exec "$0" "#
      let result = try KfrecProcess.shell(line + "effects", in: folder)
      #expect(result.exitCode == 2, "\(result)")
      #expect(result.errors.contains(#"\#(name) is /caf\xe9, which is not UTF-8"#), "\(result)")
      #expect(try KfrecProcess.shell(line + "--help", in: folder).exitCode == 0)
    }
  }

  @Test("a link to a name that is not UTF-8 is refused, and a file with the repaired name is kept")
  func link() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine".utf8, to: "caf\u{FFFD}.mkv")
    let result = try KfrecProcess.shell(
      #"printf theirs >"$(printf 'caf\351.mkv')"; ln -s "$(printf 'caf\351.mkv')" out.mkv; "#
        + #"exec "$0" -i testsrc --size 64x48 --frames 1 -y -o out.mkv"#, in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(
      result.errors.contains("out.mkv is a link to a file whose path is not UTF-8"), "\(result)")
    #expect(try readFile(folder.file("caf\u{FFFD}.mkv")) == Array("mine".utf8))
    #expect(try readFile(folder.file("out.mkv")) == Array("theirs".utf8))
  }

  @Test("an effect whose file name is not UTF-8 is listed with the remedy")
  func effect() throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.shell(
      #"printf x >"$(printf 'caf\351.comp')"; exec "$0" effects --effects-dir ."#, in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains("its name is not UTF-8; rename the file"), "\(result.text)")
  }

  @Test("two names that differ only in how an accent is coded are two files for -n")
  func accents() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine".utf8, to: "caf\u{e9}.mkv")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "--frames", "1", "-n", "-o", "caf\u{e9}.mkv", "-o",
        "cafe\u{301}.mkv",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    #expect(try readFile(folder.file("caf\u{e9}.mkv")) == Array("mine".utf8))
    #expect(fileExists(folder.file("cafe\u{301}.mkv")))
  }

  @Test("a name with newlines or control characters is shown on one line")
  func control() throws {
    let folder = try TemporaryFolder()
    let name = "-a\nb\u{1b}[2J\u{202e}.mkv"
    try folder.write("mine".utf8, to: name)
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--size", "64x48", "--frames", "1", "-o", name], in: folder)
    #expect(result.exitCode == 2)
    #expect(
      result.errors.hasPrefix(#"kfrec: -a\x0ab\x1b[2J\u{202e}.mkv exists already"#), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
  }

  @Test("names of folders and keys of headers begin no line of a message or a listing")
  func forgedLines() throws {
    let folder = try TemporaryFolder()
    let name = "in\nkfrec: forged"
    mkdir(folder.file(name), 0o700)
    try folder.write("x".utf8, to: name + "/a\nkfrec: forged.mp4")
    try folder.write("x".utf8, to: name + "/b\nkfrec: forged.txt")
    try folder.write(
      #"/*{"DESCRIPTION": "x", "a\nkfrec: forged": 1}*/ vec4 effect(vec2 uv) { return vec4(1.); }"#
        .utf8,
      to: "k.comp")
    mkdir(folder.file("fx"), 0o700)
    try folder.write(
      "vec4 effect(vec2 uv) { return vec4(1.0); }".utf8, to: "fx/e\nkfrec: forged.comp")
    for words in [
      ["batch", ".", "--recursive", "--output-dir", "out", "--dry-run"],
      ["batch", ".", "--recursive", "--output-dir", "out"], ["check", "k.comp"],
      ["-i", "testsrc", "--frames", "1", "-e", "./k.comp", "-o", "out.mov"],
      ["batch", ".", "--recursive", "--output-dir", "farm", "--plan-only"],
      ["batch", "--status", "farm"], ["effects", "--effects-dir", "fx"], ["golden", "fx"],
    ] {
      let result = try KfrecProcess.run(words, in: folder)
      let lines = (result.text + result.errors).split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix("kfrec: forged") }, "\(result)")
      #expect(lines.contains { $0.contains(#"\x0akfrec: forged"#) }, "\(result)")
    }
  }

  @Test("what a library writes to standard error is shown as its own, and not with --quiet")
  func libraries() throws {
    let words = ["-i", "testsrc", "--frames", "1", "-e", "text:text=hi", "-o", "null"]
    let environment = ["FONTCONFIG_FILE": "/nonexistent"]
    let reported = try KfrecProcess.run(words, environment: environment)
    #expect(
      reported.exitCode == 0 && reported.errors.contains("kfrec: a library wrote: Fontconfig"))
    let quiet = try KfrecProcess.run(words + ["--quiet"], environment: environment)
    #expect(quiet.exitCode == 0 && quiet.errors.isEmpty, "\(quiet)")
  }

  @Test("a manifest that a library quotes neither steers the terminal nor forges a line")
  func manifests() throws {
    let folder = try TemporaryFolder()
    let text =
      "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" "
      + "profiles=\"urn:mpeg:dash:profile:isoff-main:2011\" type=\"static\"><Period>\n"
      + "<\u{1b}[2J\u{1b}]0;pwned\u{7}\u{9b}2J>\nkfrec: forged\u{1}\r\nkfrec: forged</Period></MPX>\n"
    mkdir(folder.file("fd"), 0o700)
    for name in ["a.mpd", "fd/22.mpd", "fd/2"] {
      try folder.write(text.utf8, to: name)
    }
    let frame = ["-i", "testsrc", "--frames", "1", "-o", "null"]
    for words in [
      ["-i", "a.mpd", "-o", "null"], ["-i", "./fd/22.mpd", "-o", "null"],
      ["-i", "./fd/2", "-o", "null"],
      frame + ["-e", "overlay:image=a.mpd"],
      ["-i", "testsrc", "--frames", "1", "--audio-in", "a.mpd", "-o", "out.mkv"],
    ] {
      for quiet in [[], ["--quiet"]] {
        let result = try KfrecProcess.run(words + quiet, in: folder)
        let shown = result.text + result.errors
        #expect(!shown.unicodeScalars.contains { $0.isObeyed && $0 != "\n" }, "\(words): \(shown)")
        let lines = shown.split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("kfrec: forged") }, "\(shown)")
        #expect(
          lines.contains { $0.contains(#"kfrec: a library wrote: <\x1b[2J"#) } == quiet.isEmpty,
          "\(words): \(shown)")
      }
    }
  }

  @Test("addresses are told without their secrets")
  func addresses() {
    let names = BrokenNames(["-i", "https://me:word@host:80/a/b.mp4?token=1~start=2"])
    #expect(
      names.message("https://me:word@host:80/a/b.mp4?token=1: no") == "https://host:80/a/b.mp4: no")
    #expect(ShownAddress.of("rtmp://host/app/key") == "rtmp://host")
    for (text, shown) in [
      ("'https://me:p@w@h/a.png?k=1': no (404)", "'https://h/a.png': no (404)"),
      ("see rtmp://h/app/key, srt://h:9?passphrase=x.", "see rtmp://h, srt://h:9."),
      ("kfrec -i x:y -o ://z @", "kfrec -i x:y -o ://z @"),
      (
        #"--effect=a:image="http://u:p@h/x?q",mix=1 file:///a/b"#,
        #"--effect=a:image="http://h/x",mix=1 file:///a/b"#
      ),
      ("t:a=http://h/x.png,b=http://n:p@h/y?k", "t:a=http://h/x.png,b=http://h/y"),
      ("https://u:p@h/http://n:p@i/x", "https://h/http://i/x"),
      ("http://a/?b=http://n:p@h/", "http://a/"),
    ] { #expect(ShownAddress.inText(text) == shown) }
    var others = BrokenNames(["-e", "tv:image=http://u:p@h/x"])
    let page = "http://10.0.0.1:9000/?token=abc"
    #expect(others.withoutSecrets("at \(page)") == "at http://10.0.0.1:9000/")
    others.show(address: page)
    #expect(
      others.withoutSecrets("http://u:p@h/x, at \(page), http://a/?b")
        == "http://h/x, at \(page), http://a/")
    #expect(ShownAddress.of("srt://host:1?passphrase=secret") == "srt://host:1")
    #expect(ShownAddress.of("a:b@c/d?e") == "a:b@c/d?e")
  }

  @Test("a message of several lines keeps its lines beside a name with a newline")
  func lines() {
    let names = BrokenNames(["-e", "./a\tb.comp:x=1", "c\nd.mov"])
    #expect(
      names.visible("./a\tb.comp:1:2: no\n  ^\nc\nd.mov")
        == "./a\\x09b.comp:1:2: no\n  ^\nc\\x0ad.mov")
  }
}
