import Capture
import CPosix
import Encode
import Glibc
import Settings
import ShaderEffects

/// `kfrec man`: the manual page, made from the tables of the help and from the headers of the effects.
struct ManualPage {
  let effects: [EffectDescription]

  /// The page for `man`, in the macros of man(7).
  var text: String {
    let roff = Roff()
    return [
      ".TH KFREC 1 \(Self.date) \"kfrec \(programVersion)\" \"User Commands\"\n",
      roff.section("NAME", "kfrec \\- \(roff.text(Command.record.summary))\n"),
      roff.section("SYNOPSIS", synopsis(roff)),
      roff.section("DESCRIPTION", description(roff)),
      roff.section("OPTIONS", options(roff)),
      roff.section("COMMANDS", commands(roff)),
      roff.section("EFFECTS", effectList(roff)),
      roff.section(
        "EXIT STATUS", roff.list(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })),
      roff.section(
        "ENVIRONMENT", roff.list(EnvironmentVariable.all.map { ($0.name, $0.meaning) })),
      roff.section(
        "FILES", Self.files.map { roff.entry(roff.italic($0.name), $0.meaning + ".") }.joined()),
      roff.section("EXAMPLES", examples(roff)),
      roff.section("SEE ALSO", Self.seeAlso),
    ].joined()
  }

  private static let seeAlso = ".BR ffmpeg (1),\n.BR v4l2\\-ctl (1),\n.BR vulkaninfo (1)\n"

  private static let files: [(name: String, meaning: String)] = [
    ("OUTPUT.part", "a movie while it is written; it can be played if kfrec is killed"),
    (
      "NAME.recovered.mov",
      "what the next recording of the same name makes of such a file; it is never deleted"
    ),
    ("~/.local/share/kfrec/effects", "your own effects, which are found by their names"),
    ("PREFIX/share/kfrec/effects", "the effects that come with kfrec"),
    ("~/.cache/kfrec", "compiled shaders; it may be removed at any time"),
    ("~/.config/kfrec/midi.map", "what --midi has learned"),
    ("DIR/.kfrec-batch.jsonl", "the journal of kfrec batch in its output folder"),
  ]

  /// The day of the program's file, so that the same program makes the same page; SOURCE_DATE_EPOCH overrides it.
  private static var date: String {
    var status = stat()
    var seconds = stat("/proc/self/exe", &status) == 0 ? status.st_mtim.tv_sec : 0
    if let given = getenv("SOURCE_DATE_EPOCH").flatMap({ Int(String(cString: $0)) }) {
      seconds = given
    }
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  private func synopsis(_ roff: Roff) -> String {
    Command.shown.map { command in
      let words = command.usage.split(separator: " ", maxSplits: command == .record ? 0 : 1)
        .map(String.init)
      let rest = command == .record ? command.usage : words.count > 1 ? words[1] : ""
      return roff.bold(command.title) + " " + roff.text(rest) + "\n"
    }.joined(separator: ".br\n")
  }

  private func description(_ roff: Roff) -> String {
    roff.paragraph(
      """
      kfrec applies GPU shader effects to camera, video and image input, and writes a video file that keeps the exact \
      timestamp of every frame. An effect is one text file, which kfrec compiles when it starts. Without a GPU, Mesa's \
      software driver does the work on the CPU.
      """)
      + roff.paragraph(
        """
        An option's value may be the next word, or follow an equals sign; behind -- no word is an option. A value that \
        may be left out must follow an equals sign.
        """)
  }

  private func options(_ roff: Roff) -> String {
    let groups = OptionCategory.allCases.map { category in
      let rows = optionTable.filter { $0.category == category }
      return rows.isEmpty
        ? "" : roff.part(category.rawValue) + rows.map { option($0, roff) }.joined()
    }
    return groups.joined()
      + roff.part("Sources, for --input")
      + roff.list(SourceKind.all.map { ($0.words, $0.summary) })
      + roff.part("Outputs, for --output")
      + roff.list(OutputKind.all.map { ($0.words, $0.summary) })
  }

  private func option(_ option: Option, _ roff: Roff) -> String {
    var title = option.short.map { roff.bold("-\($0)") + ", " } ?? ""
    title += roff.bold("--" + option.long)
    if let value = option.valueName {
      title +=
        option.valueIfAlone == nil ? " " + roff.italic(value) : "[=" + roff.italic(value) + "]"
    }
    var words = option.help
    if !option.choices.isEmpty { words += ": " + orList(option.choices) }
    words += "."
    if !option.details.isEmpty { words += " " + option.details }
    // An option of recordings needs no word about it.
    if !option.commands.contains(.record) {
      words += " For \(orList(option.commands.map(\.title)))."
    }
    return roff.entry(title, words)
  }

  private func commands(_ roff: Roff) -> String {
    roff.list(
      Command.shown.filter { $0 != .record }.map { ("kfrec " + $0.usage, $0.summary) })
  }

  private func effectList(_ roff: Roff) -> String {
    roff.paragraph(
      """
      -e takes the name of an effect or the path of its file. Parameters follow a colon, as in vignette:amount=0.5, \
      and each may have keyframes (amount=0@0..1@2) or a formula of time. kfrec effects NAME lists the parameters \
      of an effect. These effects are found by name:
      """)
      + effects.map { roff.entry(roff.bold($0.name), $0.problem == nil ? $0.description : "") }
      .joined()
  }

  private func examples(_ roff: Roff) -> String {
    roff.list(Command.shown.flatMap(\.examples).map { ($0.words, $0.what) })
  }
}

/// Text in the macros of man(7).
private struct Roff {
  /// Text that stands for itself: `\`, and a dot or a quotation mark at the beginning of a line, mean nothing.
  func text(_ text: String) -> String {
    let plain = visible(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
      .replacing("^", with: "\\(ha").replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
    return plain.first == "." ? "\\&" + plain : plain
  }

  func bold(_ text: String) -> String { "\\fB\(self.text(text))\\fR" }

  func italic(_ text: String) -> String { "\\fI\(self.text(text))\\fR" }

  func section(_ title: String, _ body: String) -> String {
    // A section begins a paragraph by itself.
    let body = body.hasPrefix(".PP\n") ? String(body.dropFirst(4)) : body
    return ".SH \"\(title)\"\n" + body
  }

  func part(_ title: String) -> String { ".SS \"\(text(title))\"\n" }

  func paragraph(_ text: String) -> String { ".PP\n" + lines(text) }

  /// A title that is already in the macros' form, and its text.
  func entry(_ title: String, _ words: String) -> String {
    ".TP\n\(title)\n" + (words.isEmpty ? "\\&\n" : lines(words))
  }

  /// Entries with bold titles, of texts without a full stop.
  func list(_ entries: [(title: String, words: String)]) -> String {
    entries.map { entry(bold($0.title), $0.words + ".") }.joined()
  }

  /// A sentence on each line, as the macros want it.
  private func lines(_ words: String) -> String {
    let flat = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var sentences = [""]
    for word in flat.split(separator: " ") {
      sentences[sentences.count - 1] += (sentences.last == "" ? "" : " ") + word
      if word.last == ".", word != "..." { sentences.append("") }
    }
    return sentences.filter { !$0.isEmpty }.map { text($0) + "\n" }.joined()
  }
}
