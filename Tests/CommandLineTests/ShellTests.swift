import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import kfrec
import Settings

/// Tests of the completions in the shells themselves, and of the manual page with groff.
@Suite struct ShellTests {
  /// A folder with a program kfrec on the path, an effects folder, and files with odd names.
  private struct Desk {
    let folder: TemporaryFolder
    let environment: [String: String?]

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.file("effects"), withIntermediateDirectories: false)
      try folder.write(
        Array(
          """
          /*{"DESCRIPTION": "Odd.", "INPUTS": [
            {"NAME": "amount", "TYPE": "float"}, {"NAME": "angle", "TYPE": "float"},
            {"NAME": "mode", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["Soft light", "Hard"]},
            {"NAME": "back", "TYPE": "image"}]}*/
          vec4 effect(vec2 uv) { return framePixel(); }
          """.utf8), to: "effects/odd.comp")
      try folder.write([], to: "my film.mov")
      try folder.write([], to: "it's.mov")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/kfrec", withDestinationPath: KfrecProcess.path)
      for shell in CompletionScript.shells {
        try folder.write(Array(CompletionScript(named: shell).text.utf8), to: "kfrec." + shell)
      }
      let path = getenv("PATH").map { String(cString: $0) } ?? ""
      environment = [
        "PATH": folder.path + ":" + path, "KFREC_EFFECTS": folder.path + "/effects",
        "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path,
      ]
    }

    func run(_ program: String, _ words: [String]) throws -> [String] {
      let result = try ChildProcess(program, words, folder: folder.path, environment: environment)
        .wait()
      #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result)")
      return result.text.split(separator: "\n").map(String.init)
    }

    /// What bash would offer for a line, as it would insert it.
    ///
    /// Readline breaks words at `=` and `:`, which stand alone then.
    func bash(_ line: String, _ words: [String]) throws -> [String] {
      let list = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
      return try run(
        "bash",
        [
          "--norc", "-c",
          """
          source ./kfrec.bash
          COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1)
          COMP_LINE=$1 COMP_POINT=${#1}
          _kfrec
          printf '%s\\n' "${COMPREPLY[@]}"
          """, "bash", line,
        ])
    }

    func fish(_ line: String) throws -> [String] {
      try run("fish", ["--no-config", "-c", "source kfrec.fish; complete -C $argv[1]", line])
        .map { String($0.split(separator: "\t")[0]) }
    }

    /// What zsh gives to compadd for a line.
    func zsh(_ line: String) throws -> [String] {
      try run(
        "zsh",
        [
          "-f", "-c",
          """
          zmodload zsh/zpty
          zpty shell 'PS1= PS2= zsh -f -i'
          zpty -w shell 'unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -u -D; source ./kfrec.zsh'
          zpty -w shell 'compadd() { builtin compadd -O found "$@"; print -rl -- "OFFER:"$^found; builtin compadd "$@"; }'
          zpty -w shell 'show() { compstate[insert]=; compstate[list]=; _main_complete; print -r -- "DONE:" }'
          zpty -w shell "zle -C show complete-word show; bindkey '^T' show; stty -echo; print READY:"
          text=; while zpty -r shell piece; do [[ $piece == *READY:* && $piece != *print* ]] && break; done
          zpty -w -n shell "$1"$'\\024'
          while zpty -r shell piece; do
            for offer in ${(f)piece}; do
              [[ $offer == *OFFER:* ]] && print -r -- ${${offer##*OFFER:}%%$'\\r'*}
            done
            [[ $piece == *DONE:* ]] && break
          done
          zpty -d shell
          """, "zsh", line,
        ])
    }
  }

  @Test(
    "bash completes options, values, effects and their parameters, with its own breaks of words")
  func bash() throws {
    let desk = try Desk()
    #expect(try desk.bash("kfrec --eff", ["kfrec", "--eff"]) == ["--effect", "--effects-dir"])
    #expect(
      try desk.bash("kfrec --flip=", ["kfrec", "--flip", "="]) == ["h", "v"])
    #expect(try desk.bash("kfrec -e od", ["kfrec", "-e", "od"]) == ["odd"])
    #expect(
      try desk.bash("kfrec -e odd:a", ["kfrec", "-e", "odd", ":", "a"]) == ["amount=", "angle="])
    #expect(
      try desk.bash(
        "kfrec -y -e odd:amount=1,mode=",
        ["kfrec", "-y", "-e", "odd", ":", "amount", "=", "1,mode", "="])
        == ["Soft\\ light", "Hard"])
    #expect(
      try desk.bash(
        "kfrec -e \"odd:amount=1, mode=S", ["kfrec", "-e", "\"odd:amount=1, mode=S"])
        == ["odd:amount=1, mode=Soft light"])
    #expect(try desk.bash("kfrec -i my", ["kfrec", "-i", "my"]) == ["my film.mov"])
    #expect(
      try desk.bash("kfrec -e odd:back=my", ["kfrec", "-e", "odd", ":", "back", "=", "my"])
        == ["my\\ film.mov"])
    #expect(
      try desk.bash("kfrec -e odd:back=it", ["kfrec", "-e", "odd", ":", "back", "=", "it"])
        == ["it\\'s.mov"])
  }

  @Test("fish completes the same")
  func fish() throws {
    let desk = try Desk()
    #expect(try desk.fish("kfrec --eff") == ["--effect", "--effects-dir"])
    #expect(try desk.fish("kfrec --flip=") == ["--flip=h", "--flip=v"])
    #expect(try desk.fish("kfrec -e odd:a") == ["odd:amount=", "odd:angle="])
    #expect(try desk.fish("kfrec -e odd:amount=1,mode=S") == ["odd:amount=1,mode=Soft light"])
    #expect(try desk.fish("kfrec -i my").contains { $0.hasPrefix("my") })
  }

  @Test("zsh completes the same")
  func zsh() throws {
    let desk = try Desk()
    #expect(try desk.zsh("kfrec --eff") == ["--effect", "--effects-dir"])
    #expect(try desk.zsh("kfrec --flip=") == ["--flip=h", "--flip=v"])
    #expect(try desk.zsh("kfrec -e odd:a") == ["odd:amount=", "odd:angle="])
    #expect(try desk.zsh("kfrec -e odd:amount=1,mode=S") == ["odd:amount=1,mode=Soft light"])
    #expect(try desk.zsh("kfrec -i my").contains { $0.hasPrefix("my") })
  }

  @Test(
    "the manual page has every section, option and effect, and groff and man read it without a warning"
  )
  func manual() throws {
    let desk = try Desk()
    let result = try KfrecProcess.run(["man"], environment: desk.environment)
    #expect(result.exitCode == 0)
    try desk.folder.write(Array(result.text.utf8), to: "kfrec.1")
    for title in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EFFECTS", "EXIT STATUS",
      "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO",
    ] {
      #expect(result.text.contains(".SH \"\(title)\"\n"), "\(title)")
    }
    let pages = try desk.run(
      "groff", ["-ww", "-b", "-man", "-Kutf8", "-Tascii", "-P-cbou", "kfrec.1"])
    let flat = pages.joined(separator: " ")
    for option in optionTable { #expect(flat.contains("--" + option.long), "--\(option.long)") }
    #expect(flat.contains("odd"))
  }

  @Test("the manual page stays the same, and takes the day of SOURCE_DATE_EPOCH")
  func day() throws {
    let environment = ["SOURCE_DATE_EPOCH": Optional("86400")]
    let page = try KfrecProcess.run(["man"], environment: environment).text
    #expect(
      page.contains(".TH KFREC 1 1970\\-01\\-02 ") || page.contains(".TH KFREC 1 1970-01-02 "))
    #expect(try KfrecProcess.run(["man"], environment: environment).text == page)
  }

  @Test("a shell without completions is a usage error, and --version --json is one object")
  func words() throws {
    for typed in [["completions"], ["completions", "tcsh"], ["--json", "-i", "a", "-o", "b.mov"]] {
      let result = try KfrecProcess.run(typed)
      #expect(result.exitCode == 2 && result.output.isEmpty, "\(result)")
    }
    struct Version: Decodable {
      let program: String
      let version: String
      let commit: String?
      let libraries: [String: String]
    }
    let text = try KfrecProcess.run(["--version", "--json"]).text
    let version = try JSONDecoder().decode(Version.self, from: Data(text.utf8))
    #expect(version.program == "kfrec" && version.version == programVersion)
    // make build keeps it beside the program; a program that was built in another way does not know it.
    let commit = version.commit ?? ""
    let isMade = KfrecProcess.path == repositoryRoot + "/.build/release/kfrec"
    let isCheckout = (try? runTool("git", ["-C", repositoryRoot, "rev-parse", "HEAD"])) != nil
    #expect(!commit.isEmpty || !isMade || !isCheckout)
    #expect(commit.isEmpty || commit.prefix(40).count { $0.isHexDigit } == 40, "\(commit)")
    #expect(commit.isEmpty || ["", "-dirty"].contains(commit.dropFirst(40)), "\(commit)")
    #expect(Set(["ffmpeg", "libavcodec", "shaderc"]).isSubset(of: version.libraries.keys))
  }

  @Test("effects about a word are listed by name, category and description")
  func search() throws {
    let result = try KfrecProcess.run(["effects", "BLUR"])
    #expect(result.exitCode == 0)
    let names = result.text.split(separator: "\n").filter { $0.first != " " }
      .map { String($0.prefix { $0 != " " }) }
    #expect(Set(["boxBlur", "gaussianBlur", "zoomBlur"]).isSubset(of: names))
    #expect(!names.contains("invert"))
    #expect(try KfrecProcess.run(["effects", "zzzz"]).exitCode == 2)
    #expect(try KfrecProcess.run(["effects", "boxBlur"]).text.hasPrefix("boxBlur: "))
  }
}
