import Settings

extension Command {
  /// The commands that people type; the others are for shells.
  static let shown = allCases.filter { $0 != .complete }

  /// Whether it reads, writes or tries what FFmpeg has.
  var usesFFmpeg: Bool {
    switch self {
    case .record, .preview, .play, .batch, .devices, .check, .golden: true
    case .effects, .completions, .man, .complete, .help: false
    }
  }

  /// Whether it is for those who install kfrec, and not part of the short help.
  var isForInstalling: Bool { self == .completions || self == .man }

  /// The command that a first word calls; nil if it is none.
  init?(typed word: String) {
    guard !word.isEmpty else { return nil }
    self.init(rawValue: word)
  }

  /// The words that call the command.
  var title: String { self == .record ? "kfrec" : "kfrec " + rawValue }

  /// The usage after "kfrec ".
  var usage: String {
    switch self {
    case .record: "[-i SOURCE] [-e EFFECT[:param=value,...]]... -o OUTPUT [OPTION]..."
    case .preview: "preview [-i SOURCE] [-e EFFECT[:param=value,...]]... [OPTION]..."
    case .play: "play SOURCE... [-e EFFECT[:param=value,...]]... [OPTION]..."
    case .batch: "batch INPUT... --output-dir DIR [-e EFFECT]... [OPTION]..."
    case .effects: "effects [NAME|WORD] [--json]"
    case .devices: "devices [CAMERA] [--verbose] [--json]"
    case .check: "check EFFECT[:param=value,...]|FOLDER... [--strict] [--json]"
    case .golden: "golden [EFFECT|FOLDER]... [--update] [--report DIR] [--json]"
    case .completions: "completions bash|zsh|fish"
    case .man: "man"
    case .complete: "complete -- [WORD]..."
    case .help: "help [COMMAND]"
    }
  }

  /// One line, without a full stop.
  var summary: String {
    switch self {
    case .record: "pass the frames of a source through effects into a file"
    case .preview: "show a source with effects in a window, without a file"
    case .play: "play files, folders, playlists and URLs with effects and sound"
    case .batch: "record many inputs into a folder, and only what is missing there"
    case .effects: "list the effects, or those about a word, or describe one"
    case .devices: "list cameras, microphones, GPUs and video hardware, or one camera"
    case .check: "compile effects and try them on built-in frames"
    case .golden: "compare what effects render with the golden images beside them"
    case .completions: "print the completions of kfrec for a shell"
    case .man: "print the manual page of kfrec"
    case .complete: "print what may stand in the place of the last word"
    case .help: "print the help of kfrec or of a command"
    }
  }

  /// The operands of a command: a name for them, and their largest number.
  var operand: (name: String, limit: Int) {
    switch self {
    case .record, .preview: ("", 0)
    case .play: ("SOURCE", .max)
    case .batch: ("INPUT", .max)
    case .devices: ("CAMERA", 1)
    case .effects: ("NAME", 1)
    case .check: ("EFFECT or FOLDER", .max)
    case .golden: ("EFFECT or FOLDER", .max)
    case .completions: ("SHELL", 1)
    case .man: ("", 0)
    case .complete: ("WORD", .max)
    case .help: ("COMMAND", 1)
    }
  }

  /// The options that the short help shows first, by their long names; others fill it up.
  var commonOptions: [String] {
    switch self {
    case .record: ["input", "effect", "output", "start", "duration", "size"]
    case .preview: ["input", "effect", "size", "control", "reload", "midi"]
    case .play: ["effect", "start", "loop", "speed", "volume", "size"]
    case .batch: ["output-dir", "effect", "name", "crf", "jobs", "dry-run"]
    case .effects, .devices, .check, .golden, .completions, .man, .complete, .help: []
    }
  }

  /// Example command lines and what they do, for the help.
  var examples: [(words: String, what: String)] {
    switch self {
    case .record:
      [
        ("kfrec -e separateRGB -o out.mov", "the first camera, until Ctrl-C"),
        ("kfrec -i clip.mp4 -e separateRGB -o out.mov", "an animated RGB split"),
        ("kfrec -i clip.mp4 -e separateRGB:amount=2 -o out.mov", "twice as wide"),
        ("kfrec -i clip.mp4 -e vignette:amount=0@0..1@2 -o out.mov", "growing for two seconds"),
        ("kfrec -i in.png -e separateRGB --time 1.5 -o out.png", "one image at one moment"),
        ("kfrec -i a.mov -i b.mov -e crossfade --overlap 2 -o t.mov", "one after the other"),
        ("kfrec -i clip.mp4 --start 10 -t 5 -o part-%04d.png", "five seconds as images"),
        ("kfrec --audio default -o out.mov", "the first camera, with audio"),
        ("kfrec -e vignette -o /dev/video10", "a camera for other programs"),
        ("kfrec -e vignette -o out.mov -o /dev/video10", "and a movie at the same time"),
        ("kfrec -i testsrc --size 640x360 -t 2 --crf 18 -o test.mkv", "a test pattern"),
      ]
    case .preview:
      [
        ("kfrec preview -e vhs", "the first camera, in a window"),
        ("kfrec preview -i clip.mp4 -e ./mine.comp --reload", "an effect that is being written"),
        ("kfrec preview -i testsrc --size 1280x720 -e crt --scale fill", "a test pattern"),
      ]
    case .play:
      [
        ("kfrec play clip.mp4 -e vhs", "a clip with an effect; h shows the keys"),
        ("kfrec play clips --loop", "the clips of a folder, again and again"),
        ("kfrec play list.m3u --start 1:30 --speed 1.5", "a playlist, faster"),
      ]
    case .batch:
      [
        ("kfrec batch clips -e vhs --output-dir out", "every clip of a folder"),
        ("kfrec batch a.mov b.mov --output-dir out --crf 20", "two clips, without an effect"),
        ("kfrec batch clips -e vhs --output-dir out --name {stem}-vhs{ext}", "with other names"),
        ("kfrec batch clips -e vhs --output-dir out --dry-run", "what is missing, and why"),
        ("kfrec batch --list clips.txt --output-dir out", "the inputs of a list"),
        (
          "kfrec batch clips -e vhs --output-dir out --slurm=--partition=gpu", "on a farm, by Slurm"
        ),
        ("kfrec batch --status out", "what is done, failed and missing"),
      ]
    case .effects:
      [
        ("kfrec effects", "every effect with its summary"),
        ("kfrec effects separateRGB", "its parameters with their ranges"),
        ("kfrec effects blur", "those whose name, category or description has the word"),
        ("kfrec effects --json", "the list for programs"),
      ]
    case .devices:
      [
        ("kfrec devices", "every camera with its formats, every microphone, every GPU"),
        ("kfrec devices /dev/video0", "one camera with its controls"),
      ]
    case .check:
      [
        ("kfrec check ./mine.comp", "what is wrong with it, with lines and carets"),
        ("kfrec check --strict Effects", "of the effects in a folder; warnings fail too"),
        ("kfrec check ./mine.comp:amount=2", "with other values than the defaults"),
        ("kfrec check --json ./mine.comp", "for an editor"),
      ]
    case .golden:
      [
        ("kfrec golden", "every effect that has a golden.json"),
        ("kfrec golden ./mine.comp --update", "keep what it renders now"),
        ("kfrec golden Effects --report report", "with a page to look at"),
      ]
    case .completions:
      [
        ("kfrec completions bash", "source <(kfrec completions bash) uses it"),
        ("kfrec completions zsh", "a file _kfrec for a folder of $fpath"),
        ("kfrec completions fish", "for ~/.config/fish/completions/kfrec.fish"),
      ]
    case .man: [("kfrec man", "kfrec man | man -l - shows it")]
    case .complete: [("kfrec complete -- --ef", "how --ef may go on")]
    case .help: [("kfrec help effects", "the same as kfrec effects --help")]
    }
  }
}
