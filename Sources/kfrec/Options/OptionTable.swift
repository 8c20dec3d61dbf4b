import Batch
import Capture
import Encode
import Frames
import Recorder
import Settings
import Terminal

/// A row of the table of all options.
typealias Option = OptionRow<Options>

/// Every option, in the order of the help; each feature has its own rows.
let optionTable: [Option] = Array(optionGroups.joined())

private let optionGroups: [[Option]] = [
  BatchRequest.options.within(\.batch),
  listOptions,
  FarmSettings.options.within(\.farm),
  playOptions,
  inputOptions,
  Recording.clipOptions.within(\.recording),
  SourceRequest.options.within(\.recording.source),
  rateOptions,
  PictureArrangement.options.within(\.recording.source.arrangement),
  Deinterlacing.options.within(\.recording.source.deinterlacing),
  Retiming.options.within(\.recording.source.retiming),
  SoundRequest.options.within(\.recording.source.sound),
  Recording.audioOptions.within(\.recording),
  Recording.subtitleOptions.within(\.recording),
  CameraRequest.options.within(\.recording.source.camera),
  SourceRequest.screenOptions.within(\.recording.source),
  Recording.microphoneOptions.within(\.recording),
  Recording.effectOptions.within(\.recording),
  presetOptions,
  controlOptions,
  Recording.automationOptions.within(\.recording),
  outputOptions,
  Recording.fileOptions.within(\.recording),
  EncodeSettings.splitOptions.within(\.recording.encoding),
  Recording.pictureOptions.within(\.recording),
  encoderOptions,
  EncodeSettings.options.within(\.recording.encoding),
  AudioSettings.options.within(\.recording.encoding.audio),
  EncodeSettings.animationOptions.within(\.recording.encoding),
  Recording.hardwareOptions.within(\.recording),
  messageOptions,
]

/// The option that a command calls by this name, which may mean another thing to another command; nil if it has none.
func option(_ name: String, of command: Command) -> Option? {
  optionTable.first { $0.long == name && $0.commands.contains(command) }
}

/// What a batch reads and prints.
private let listOptions: [Option] = [
  .value(
    "list", taking: .file(expected: "a file with a path on each line"), into: \.list,
    in: .batch, of: [.batch], traits: .once,
    help: "Also take the inputs of this list, a path on each line",
    details: """
      - is standard input. Empty lines are left out. Paths are relative to the current folder. A line that begins \
      with { is a JSON object with options for its input: {"input": "a.mov", "effects": ["vhs"], "options": \
      {"crf": 20, "start": "10"}, "output": "night/a.mkv"}. Only "input" is needed. "effects" takes the place of \
      all -e.
      """),
  .flag(
    "dry-run", in: .batch, of: [.batch], traits: .once,
    help: "Only print what would be made, and why"
  ) { $0.dryRun = true },
]

/// What is read.
private let inputOptions: [Option] = [
  .list(
    "input", short: "i", taking: .inputPart, into: \.inputs,
    in: .input, of: [.record, .preview], traits: .unsaved,
    help: "What to read",
    details: """
      See the list of sources below. Repeat -i for several inputs, which are played one after the other, with a transition if one of the effects is a transition. The \
      first input sets the size and the frame rate. ~start=, ~end= and ~duration= behind a name take a part of that input: \
      -i a.mov~start=1~duration=2. A file that has such a name is taken as it is. A generated source before another input \
      needs ~duration=.
      """)
]

/// The times of the output.
private let rateOptions: [Option] = [
  .value(
    "fps-mode",
    taking: .oneOf(
      "MODE",
      ["passthrough": .passthrough, "cfr": .constant, "nearest": .nearest, "blend": .blend]),
    into: \.frameRateMode, in: .input, of: [.record, .batch, .preview], traits: .recording,
    help: "Keep the timestamps, or make the frame rate constant",
    details: """
      Default: passthrough. With cfr kfrec repeats and drops frames, and counts them, to reach the frame rate \
      of --fps, or the nominal frame rate of the source: each frame goes to the nearest time. With nearest each \
      time shows the nearest frame. With blend it shows a mix of the frames before and after it, by the share of the \
      time between them, of the coded values (not of light); effects act on the mix. In a file, a gap of more than ten minutes without \
      video and audio is cut, with a warning.
      """),
  .value(
    "stop-at", taking: .stopTime, into: \.stopTime, in: .input, of: [.record, .batch, .preview],
    traits: [.machine, .once],
    help: "Stop at this time of day (the next 06:30), or after a span (+90m)",
    details: """
      The span counts from the start of kfrec: seconds or HH:MM:SS, or a number with s, m, h or d. A recording \
      is completed as after Ctrl-C, a batch stops as after Ctrl-C, and the exit code is 75; the same command \
      goes on with a batch. It is 0 if everything ended before that time.
      """),
]

/// What keeps a command line.
private let presetOptions: [Option] = [
  .value(
    "save-preset", taking: .file(), into: \.savedPreset,
    in: .effects, of: [.record], traits: .person,
    help: "Write the options and effects of this command to a file for --preset",
    details: """
      The first line is kfrec preset 1, and each line after it is an option as it is typed; # begins a comment. Paths \
      in it count from its folder. -i, -o, -y and -n are never stored, but you may write -i and -o into the file. Without \
      -o only the file is written. -y replaces a file that exists.
      """)
]

/// What is written and shown.
private let outputOptions: [Option] = [
  .list(
    "output", short: "o", taking: .text("OUTPUT", .output, expected: "an output's name"),
    into: \.recording.outputs,
    in: .output, of: [.record], traits: .unsaved,
    help: "What to write",
    details: """
      See the list of outputs below. A movie is written as OUTPUT.part and renamed when it is \
      complete. If a recording is killed, OUTPUT.part can be played, and the next run renames it to \
      the name with .recovered. Repeat -o for several outputs of \
      the same frames, for example a movie and a virtual camera; the camera never delays the movie and never \
      costs it a frame.
      """),
  .value(
    "preview", ifAlone: "window",
    taking: .oneOf(
      "WHERE",
      [
        "window": .window, "terminal": .terminal(nil), "sixel": .terminal(.sixel),
        "kitty": .terminal(.kitty), "iterm2": .terminal(.iterm2), "blocks": .terminal(.blocks),
      ]), into: \.preview, in: .output, of: [.record, .preview],
    help: "Also show the frames while they are made",
    details: """
      In a window, or with --preview=terminal in the terminal, as it draws best: pixels by sixel or by the protocols of \
      kitty and iTerm2, or coloured blocks. The other words force one of these. The view shows the newest finished \
      frame and never delays the recording. Keys: h shows them all, space pauses, q stops. kfrec preview shows a source \
      without recording it.
      """),
]

/// The preset of an encoder, and files of options.
private let encoderOptions: [Option] = [
  .value(
    "preset", taking: .encoderPreset, into: \.recording.encoding.preset,
    in: .encoding, of: [.record, .batch, .preview, .play], traits: .recording,
    help: "The encoder's preset, or a file of options that --save-preset wrote",
    details: """
      The encoder's: speed against file size. Default: for H.264 and HEVC about as fast as veryfast, with options of kfrec's own \
      that save more (see --crf); a preset that is named takes their place. A name that ends in .kfpreset or has a / is a file. Its \
      options count as if they were typed first: those that are typed win, and its effects come before those of -e. Paths \
      in it count from its folder. Several files may be given. -e look.kfpreset takes its effects alone, at this place of \
      the chain.
      """)
]

private let messageOptions: [Option] = [
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
    of: [.record, .batch], traits: .person, help: "Start this program at the end, with the result",
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
