import Settings

struct MessageSettings: Sendable {
  var quiet = false
  var verbose = false
  var stats = false
  var progress: ProgressStyle?
  /// The program that is started at the end.
  var onEnd: String?
  var json = false
  var strict = false
  var update = false
  /// The folder of a golden report.
  var report: String?
  var help: HelpLength?
  var version = false

  static let options: [OptionRow<MessageSettings>] = [
    .flag(
      "quiet", in: .messages, of: [.record, .batch, .preview, .play], traits: .machine,
      help: "Print errors only"
    ) { $0.quiet = true },
    .flag(
      "verbose", in: .messages, of: [.record, .devices, .batch, .preview, .play], traits: .machine,
      help: "Also print the plan and FFmpeg's messages",
      details:
        """
        The plan lists the source, each step on the GPU, the outputs, and the decoder and encoders with their threads. \
        kfrec devices also lists the hardware that does not encode or decode, and why.
        """
    ) {
      $0.verbose = true
    },
    .flag(
      "stats", in: .messages, of: [.record, .preview, .play], help: "Print statistics at the end",
      details: """
        For each stage the time in which it was busy, waited for input and waited for room; the time of the \
        GPU by its own clock; queues, threads, start-up, latency, peak memory, and the stage that \
        is the bottleneck. With --progress json the last object has them as its member stats.
        """
    ) { $0.stats = true },
    .value(
      "progress",
      taking: .oneOf(
        "STYLE", ["auto": .auto, "bar": .bar, "json": .json, "openjd": .openjd, "none": .none]),
      into: \.progress, in: .messages, of: [.record, .batch, .preview], traits: .machine,
      help: "How to show progress",
      details: """
        auto shows a line on a terminal and nothing elsewhere. bar always shows the line. json prints one object \
        per line on standard output, for programs (on standard error if the output is -). openjd prints lines \
        such as openjd_progress: 12.5 there, which render farms of the Open Job Description read. none shows nothing.
        """),
    .value(
      "on-end", taking: .text("PROGRAM", expected: "a program"), into: \.onEnd, in: .messages,
      of: [.record, .batch], traits: .person,
      help: "Start this program at the end, with the result",
      details: """
        Without a shell and without arguments. Its standard input has the last object of --progress json: the counts and the exit \
        code, or the error. kfrec waits 30 seconds for it. Its own exit code changes nothing, but a warning names it. Only the \
        command line can have it: a preset, a list, a plan and the page cannot.
        """),
    .flag(
      "json", in: .messages, of: [.record, .batch, .effects, .devices, .check, .golden],
      traits: .person,
      help: "Print JSON for programs",
      details:
        "A listing is an array with one object per line; a check, a comparison, a status or --version is one object. "
        + "Numbers are JSON numbers; each frame rate also has its exact fraction, under a name that ends in Exact."
    ) { $0.json = true },
    .flag("strict", in: .messages, of: [.check], help: "Treat warnings as errors") {
      $0.strict = true
    },
    .flag(
      "update", in: .messages, of: [.golden],
      help: "Write golden images that are new or no longer match",
      details:
        "Golden images within their limits are not changed. Look at each image before you commit it."
    ) { $0.update = true },
    .value(
      "report", taking: .folder(), into: \.report, in: .messages, of: [.golden],
      help: "Write a page with all images side by side to this folder",
      details: "If a comparison fails, there is always a page in a temporary folder."),
    .flag(
      "help", short: "h", in: .messages, of: Command.allCases, traits: .person,
      help: "Print help; -h prints the short help"
    ) { $0.help = .long },
    .flag(
      "version", in: .messages, of: [.record, .preview], traits: .person,
      help: "Print the versions of kfrec and of its libraries"
    ) {
      $0.version = true
    },
  ]
}

enum ProgressStyle: Sendable { case auto, bar, json, openjd, none }

/// How much a help text says about each option: one line, or everything.
enum HelpLength: Sendable { case short, long }
