import Frames

/// Every option, in the order of the help.
let optionTable: [Option] =
  inputOptions + cameraOptions + effectOptions + outputOptions + encodingOptions + messageOptions

private let inputOptions: [Option] = [
  .list(
    "input", short: "i", taking: .text("SOURCE", expected: "a source's name"), into: \.inputs,
    in: .input,
    help: "What to read",
    details: """
      A camera by /dev/videoN, a path of /dev/v4l/by-id or part of its name, and without -i the \
      first camera with colours; a media file or URL; - for standard input; name.png or name.jpg for a still, \
      which stands for as long as --duration or --frames say (a movie of it needs one of them); \
      name-%04d.png for a numbered sequence, from its first number on; testsrc for a moving pattern (1280x720 at 30 frames \
      a second, endless unless --duration or --frames is given). Given several times, the inputs follow \
      each other, by a transition where one is among the effects; the first one sets the size.
      """),
  .value(
    "overlap", taking: .times, into: \.overlaps, in: .input,
    help: "How long the transition between two inputs takes",
    details: """
      1 second unless given. It begins that long before an input ends, with the beginning of the next \
      one. With more than two inputs it counts for each pair, unless there is a list with one value for \
      each; where it is 0 the next input follows by a cut.
      """),
  .value(
    "start", taking: .time(), into: \.start, in: .input, help: "Begin this far into the source",
    details: """
      Counted from the file's zero, as players do: from where its earliest stream starts, which is not \
      always its first picture. Where the source cannot seek, what comes before is read and dropped.
      """),
  .value(
    "duration", short: "t", taking: .time(positive: true), into: \.duration, in: .input,
    help: "Stop after this much output"),
  .value(
    "frames", taking: .number(in: 1...Int(Int32.max)), into: \.frames, in: .input,
    help: "Stop after this many frames of output"),
  .value(
    "fps", taking: .frameRate, into: \.frameRate, in: .input,
    help: "The rate of a sequence, testsrc or a generator, or a constant one for the output",
    details: """
      25 for a sequence and 30 for what kfrec draws unless given. A file's or a camera's frames keep their own \
      times, unless a rate is given: see --fps-mode cfr.
      """),
  .value(
    "fps-mode", taking: .oneOf("MODE", ["passthrough": .passthrough, "cfr": .constant]),
    into: \.frameRateMode, in: .input, help: "Keep the frames' times, or make the rate constant",
    details: """
      passthrough is the default. With cfr frames are repeated or left out, and counted, so that they \
      follow each other at the rate of --fps, or else at the source's nominal one. A gap of a file of \
      more than ten minutes without pictures or sound is cut, with a warning.
      """),
  .flag(
    "realtime", in: .input, help: "Read at the source's own pace, as if it were live",
    details: """
      Each frame comes when its time has come. What cannot be taken in time is dropped, the oldest \
      first, and counted; the others keep their times, and no sound is dropped.
      """
  ) { $0.realtime = true },
  .flag("no-audio", in: .input, help: "Leave the sound out") { $0.noAudio = true },
  .flag(
    "no-tags", in: .input, help: "Leave out what the input says of itself",
    details: """
      Title, author, comment, place and time of an input go to a movie, as far as its container has a \
      place for them; a camera's movie tells when it was recorded.
      """
  ) { $0.noTags = true },
  .value(
    "input-matrix",
    taking: .oneOf(
      "MATRIX",
      [
        "bt601": .smpte170m, "bt709": .bt709, "bt2020": .bt2020NonConstant, "bt470bg": .bt470bg,
        "smpte170m": .smpte170m, "smpte240m": .smpte240m, "fcc": .fcc,
        "ycgco": .yCgCo,
      ]), into: \.inputMatrix, in: .input,
    help: "Believe this matrix instead of the source's tag",
    details: "For a source that is tagged wrong, as are the two options that follow."),
  .value(
    "input-range", taking: .oneOf("RANGE", ["limited": .limited, "full": .full]),
    into: \.inputRange,
    in: .input, help: "Believe this range instead of the source's tag"),
  .value(
    "input-transfer",
    taking: .oneOf(
      "CURVE",
      [
        "bt709": 1, "gamma22": 4, "gamma28": 5, "bt601": 6, "smpte240m": 7, "linear": 8,
        "srgb": 13, "bt2020": 14, "pq": 16, "hlg": 18,
      ]), into: \.inputTransfer, in: .input,
    help: "Believe this transfer curve instead of the source's tag"),
]

private let effectOptions: [Option] = [
  .list(
    "effect", short: "e", taking: .effect, into: \.effects, in: .effects,
    help: "Apply an effect; repeat it for a chain, in order",
    details: """
      NAME or a path to an effect's file, then parameters if wanted: \
      NAME:param=value,param=value. Parts of a vector or colour are joined by / \
      (center=0.5/0.25, tint=ff8000); a picture is a file's path (background=back.png), and an event \
      has the seconds at which it fires instead of a value (flash@2@5). Keyframes are amount=0@0..1@2..0.5@4, value@second, with \
      ~smooth or ~step after the last where the way between them is not straight. Every effect also takes mix=0..1, how much of it is blended \
      over its input, and from= and to=, the seconds between which it acts. Files of the Interactive \
      Shader Format (name.fs), of Shadertoy (name.frag, name.json) and of gl-transitions (name.glsl) run as they are; where the first one is a generator no input is needed, \
      and --size, --fps and --duration say what it makes. kfrec effects lists \
      the names, kfrec effects NAME the parameters.
      """),
  .list(
    "effects-dir", taking: .text("DIR", expected: "a folder"), into: \.effectFolders, in: .effects,
    of: [.record, .effects, .check, .golden], help: "Look for effects in this folder first"),
  .flag(
    "reload", in: .effects, help: "Compile an effect anew when its file changes",
    details: """
      While it records: the new version acts from the next frame on. One with a mistake is told of, \
      and the last good one stays. What effects keep from frame to frame starts afresh.
      """
  ) { $0.reload = true },
  .value(
    "time", taking: .time(), into: \.time, in: .effects, help: "Effect time of the first frame",
    details: "0 unless given; with a still it picks the moment to render."),
  .value(
    "frame-index", taking: .number(in: 0...Int(Int32.max)), into: \.frameIndex, in: .effects,
    help: "Effect frame number of the first frame"),
  .value(
    "gpu", taking: .text("GPU", expected: "a GPU's number or part of its name"), into: \.gpu,
    in: .effects, of: [.record, .check, .golden], help: "Use the GPU with this number or name",
    details: "kfrec devices lists them; the most capable one is used unless told."),
  .value(
    "gpu-timeout", taking: .time(positive: true), into: \.gpuTimeout, in: .effects,
    of: [.record, .check, .golden], help: "How long the GPU may take for one frame",
    details: """
      30 seconds unless given. An effect that takes longer, perhaps because it never ends, ends \
      the recording; what was encoded until then is kept. The driver's compiler has as long for each \
      kernel.
      """),
  .flag(
    "force-gpu", in: .effects, help: "Take frames through the GPU even where it changes nothing",
    details:
      "Without effect, scaling, turn or conversion they pass it by, and need no Vulkan driver."
  ) { $0.forceGPU = true },
]

private let outputOptions: [Option] = [
  .list(
    "output", short: "o", taking: .text("OUTPUT", expected: "an output's name"), into: \.outputs,
    in: .output,
    help: "What to write",
    details: """
      A movie by its ending, .mov, .mp4 or .mkv; name.png for one frame; name-%04d.png for each \
      frame, numbered from 1; /dev/videoN of v4l2loopback for a camera that other programs can \
      open; - for standard output (y4m, which has no sound, unless --container \
      is given); null to write nothing. A movie is written as OUTPUT.part and renamed when it is \
      whole; what a killed live recording leaves there can be played, and is kept as \
      OUTPUT.recovered by the next run. Repeat it for several outputs of \
      the same frames, such as a movie and a virtual camera, which never holds up the movie nor costs \
      it a frame.
      """),
  .flag("overwrite", short: "y", in: .output, help: "Replace an output that exists") {
    $0.overwrite = true
  },
  .flag(
    "no-overwrite", short: "n", in: .output, help: "Keep an output that exists, and call that done",
    details:
      "Without this or --overwrite an output that exists is an error. Other outputs are written."
  ) { $0.noOverwrite = true },
  .value(
    "container",
    taking: .oneOf("KIND", ["mov": "mov", "mp4": "mp4", "mkv": "mkv", "y4m": "y4m"]),
    into: \.container, in: .output, help: "The kind of file where the output's name does not say",
    details: "For standard output and named pipes; of several outputs only for those."),
  .value(
    "size", taking: .size, into: \.size, in: .output,
    help: "The size of the output, or of testsrc and generators",
    details: "1280x720, or 1280x or x720 to keep the shape."),
  .value(
    "scale", taking: .oneOf("HOW", ["stretch": .stretch, "fit": .fit, "fill": .fill]),
    into: \.scale,
    in: .output, help: "How the picture takes another shape",
    details: "fit keeps it whole with bars (the default), fill crops what hangs over, stretch "
      + "distorts."),
  .value(
    "range",
    taking: .oneOf("RANGE", ["source": .source, "limited": .limited, "full": .full]), into: \.range,
    in: .output, help: "The colour range of the output", details: "The source's unless given."),
]

private let encodingOptions: [Option] = [
  .value(
    "codec", taking: .text("NAME", expected: "a codec's or encoder's name"), into: \.codec,
    in: .encoding,
    help: "The codec or FFmpeg encoder of the picture", details: "H.264 by libx264 unless given."),
  .value(
    "preset", taking: .text("NAME", expected: "a preset's name such as veryfast"), into: \.preset,
    in: .encoding, help: "Speed against size, in the encoder's own words",
    details: "veryfast unless given."),
  .value(
    "bitrate", taking: .bitrate, into: \.bitrate, in: .encoding, help: "Bits a second, such as 8M",
    details: """
      6M for 1280x720 at 30 frames a second, and in proportion, unless given. Without k or M it counts \
      single bits; below 100k that is doubted aloud.
      """),
  .value(
    "crf", taking: .number(in: 0...63), into: \.crf, in: .encoding,
    help: "Constant quality instead of a bit rate; smaller is better",
    details: "For H.264 0 loses nothing, 18 looks like the source, 51 is the worst."),
  .value(
    "gop", taking: .number(in: 1...Int(Int32.max)), into: \.gop, in: .encoding,
    help: "Frames from one key frame to the next at most"),
  .value(
    "pixel-format",
    taking: .oneOf(
      "FORMAT",
      [
        "auto": .automatic, "yuv420p": .given(.yuv420p), "yuv422p": .given(.yuv422p),
        "yuv444p": .given(.yuv444p), "yuv420p10le": .given(.yuv420p10le),
        "yuv422p10le": .given(.yuv422p10le), "yuv444p10le": .given(.yuv444p10le),
        "yuva444p10le": .given(.yuva444p10le),
      ]), into: \.pixelFormat, in: .encoding, help: "How pixels are stored",
    details: """
      auto is yuv420p, which every player takes, or the nearest to it that the encoder takes (prores: \
      yuv422p10le); it wants even sizes, and an odd one gets its last column or row twice. Those that \
      end with 10le keep the 10 bits of a source: good with --codec hevc, prores or ffv1; in H.264 few \
      players show them. yuva444p10le keeps transparency too, in prores and ffv1; ProRes 4444, which is \
      --codec prores --pixel-format yuv444p10le, also does.
      """),
]

private let messageOptions: [Option] = [
  .flag("quiet", in: .messages, help: "Print errors only") { $0.quiet = true },
  .flag(
    "verbose", in: .messages, help: "Also print the plan and FFmpeg's messages",
    details:
      "The plan says what comes in, each step on the GPU, what goes out, and who does it with "
      + "how many threads."
  ) {
    $0.verbose = true
  },
  .flag(
    "stats", in: .messages, help: "Print at the end where the time went",
    details: """
      For each stage the time that it was busy and that it waited for work and for room, the \
      GPU's by its own clock; queues, threads, start-up, latency, peak memory, and which stage \
      is the bottleneck. With --progress json it is also the member stats of the last object.
      """
  ) { $0.stats = true },
  .value(
    "progress",
    taking: .oneOf("STYLE", ["auto": .auto, "bar": .bar, "json": .json, "none": .none]),
    into: \.progress, in: .messages, help: "How to show progress",
    details: """
      auto is a line on a terminal and nothing elsewhere, bar always the line, json an object a \
      line on standard output for programs (on standard error when the output is -).
      """),
  .flag(
    "json", in: .messages, of: [.effects, .devices, .check, .golden],
    help: "Print JSON for programs",
    details:
      "Listings are an array with an object a line; a check or comparison is one object. "
      + "Numbers are numbers; a rate also stands as a fraction, under a name that ends in Exact."
  ) { $0.json = true },
  .flag("strict", in: .messages, of: [.check], help: "Let warnings fail the check, as errors do") {
    $0.strict = true
  },
  .flag(
    "update", in: .messages, of: [.golden], help: "Keep what is rendered where it is new or off",
    details: "Pictures within their limits stay as they are. Look at each before you commit it."
  ) { $0.update = true },
  .value(
    "report", taking: .text("DIR", expected: "a folder"), into: \.report, in: .messages,
    of: [.golden], help: "Write a page with all pictures side by side into this folder",
    details: "Where something is wrong there is one in a temporary folder all the same."),
  .flag(
    "help", short: "h", in: .messages, of: Command.allCases, help: "Print help; -h is the short one"
  ) { $0.help = .long },
  .flag("version", in: .messages, help: "Print the versions of kfrec and of what it uses") {
    $0.version = true
  },
]
