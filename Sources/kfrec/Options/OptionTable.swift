import Capture
import Encode
import Frames
import Terminal

/// Every option, in the order of the help.
let optionTable: [Option] =
  (batchOptions + farmOptions + playOptions + inputOptions + fieldOptions + timeOptions
  + soundOptions + subtitleOptions
  + cameraOptions
  + effectOptions + lookOptions
  + controlOptions
  + outputOptions + pictureOptions + fileOptions
  + encodingOptions + hardwareOptions + animationOptions
  + messageOptions).map(\.forBatchToo).map(\.forPreviewToo).map(\.forPlayToo)

/// The option that a command calls by this name, which may mean another thing to another command; nil if it has none.
func option(_ name: String, of command: Command) -> Option? {
  optionTable.first { $0.long == name && $0.commands.contains(command) }
}

private let inputOptions: [Option] = [
  .list(
    "input", short: "i", taking: .inputPart, into: \.inputs,
    in: .input,
    help: "What to read",
    details: """
      See the list of sources below. Repeat -i for several inputs, which are played one after the other, with a transition if one of the effects is a transition. The \
      first input sets the size and the frame rate. ~start=, ~end= and ~duration= behind a name take a part of that input: \
      -i a.mov~start=1~duration=2. A file that has such a name is taken as it is. A generated source before another input \
      needs ~duration=.
      """),
  .value(
    "overlap", taking: .times, into: \.overlaps, in: .input,
    help: "The length of the transition between two inputs",
    details: """
      Default: 1 second. The next input starts this long before the input before it ends. \
      With more than two inputs the value is used for each pair; a list such as 1,0,2 gives one value for each \
      pair. 0 makes a cut.
      """),
  .value(
    "start", taking: .time(), into: \.start, in: .input, help: "Start at this time of the source",
    details: """
      The time counts from the start of the earliest stream, as in players; this is not always the first frame. \
      If the source cannot seek, kfrec reads and drops everything before this time.
      """),
  .value(
    "end", taking: .time(positive: true), into: \.end, in: .input,
    help: "End before this time of the source",
    details: "It counts as --start does: --start 10 --end 15. Give --end or --duration, not both."),
  .value(
    "duration", short: "t", taking: .time(positive: true), into: \.duration, in: .input,
    help: "Stop when the output has this length",
    details: """
      It counts the output, whatever --speed, --loop and several inputs make of the sources. With --reverse the part that \
      fills this length is taken from the start of the source and then turned round.
      """),
  .value(
    "frames", taking: .number(in: 1...Int(Int32.max)), into: \.frames, in: .input,
    help: "Stop after this many frames of output"),
  .value(
    "stop-at", taking: .stopTime, into: \.stopTime, in: .input, of: [.record, .batch],
    help: "Stop at this time of day (the next 06:30), or after a span (+90m)",
    details: """
      The span counts from the start of kfrec: seconds or HH:MM:SS, or a number with s, m, h or d. A recording \
      is completed as after Ctrl-C, a batch stops as after Ctrl-C, and the exit code is 75; the same command \
      goes on with a batch. It is 0 if everything ended before that time.
      """),
  .value(
    "frame-range", taking: .frameRange, into: \.frameRange, in: .input,
    help: "Render only these frames of the source",
    details: """
      A-B, or one number. Frame 0 is the first frame that the source gives. Effects get the times and the frame \
      numbers that they have in the whole, and the earlier frames that they read, so a frame is the same as in a \
      recording of the whole, unless an effect keeps its results or hears the audio. The times of the output start at 0. In a MOV or MP4 kfrec goes to the frame; in other \
      files it decodes and counts the frames before. Cameras and pipes have no frame numbers.
      """),
  .value(
    "variant", taking: .variant, into: \.variant, in: .input,
    help: "Which video of several is used, by its number or width too",
    details: """
      Default: best, the one with the largest image. worst has the smallest, N is a number from 1 in the order of the input, and 1280x \
      the largest one that is at most so many pixels wide (the smallest, if all are wider). This is for the variants of an HLS or DASH stream, \
      the programs of a transport stream, and the video tracks of a file. Audio that belongs to others is left out, and of a stream \
      they are not fetched.
      """),
  .value(
    "program", taking: .text("PROGRAM", expected: "a program's number or a part of its name"),
    into: \.program, in: .input,
    help: "Which program of a transport stream is used",
    details: """
      Its number in the stream, or a part of its name; a wrong one lists them. Default: the one with the video that \
      --variant chooses. Only its audio and its subtitles are used.
      """),
  .value(
    "network-timeout", taking: .time(positive: true), into: \.networkTimeout, in: .input,
    help: "Time limit for a server that gives no data",
    details: """
      Default: 60 seconds. Then the recording ends as at the end of the input, with exit code 3. kfrec says when it \
      has waited for 5 seconds.
      """),
  .value(
    "fps", taking: .frameRate, into: \.frameRate, in: .input,
    help: "The frame rate of a sequence, of a generated source, or of the output",
    details: """
      Default: 25 for a sequence, 30 for a generated source. Frames of a file or a camera keep their \
      timestamps; if this option is given, the output gets this constant frame rate (see --fps-mode).
      """),
  .value(
    "fps-mode",
    taking: .oneOf(
      "MODE",
      ["passthrough": .passthrough, "cfr": .constant, "nearest": .nearest, "blend": .blend]),
    into: \.frameRateMode, in: .input, help: "Keep the timestamps, or make the frame rate constant",
    details: """
      Default: passthrough. With cfr kfrec repeats and drops frames, and counts them, to reach the frame rate \
      of --fps, or the nominal frame rate of the source: each frame goes to the nearest time. With nearest each \
      time shows the nearest frame. With blend it shows a mix of the frames before and after it, by the share of the \
      time between them, of the coded values (not of light); effects act on the mix. In a file, a gap of more than ten minutes without \
      video and audio is cut, with a warning.
      """),
  .flag(
    "realtime", in: .input, help: "Read a file in real time, as if it were a live source",
    details: """
      Each frame is read at its timestamp. Frames that cannot be processed in time are dropped, the oldest \
      first, and counted. The others keep their timestamps. Audio is never dropped.
      """
  ) { $0.realtime = true },
  .flag("no-audio", in: .input, help: "Leave out the audio") { $0.noAudio = true },
  .flag(
    "no-tags", in: .input, help: "Leave out the metadata of the input",
    details: """
      Without this option a movie gets the title, author, comment, place and time of the input, if the container \
      can store them. A recording of a camera gets the time when it was made.
      """
  ) { $0.noTags = true },
  .value(
    "crop", taking: .area, into: \.crop, in: .input, help: "Use this part of the picture alone",
    details: """
      The left and top edge, the width and the height, in pixels of the picture as the source shows it: \
      --crop 0,140,1920,800, or as X11 programs write it, 1920x800+0+140. Of a screen only this part is read. It comes before --rotate and --flip. With several inputs it \
      counts for each, as the three options after it do. --crop auto leaves out the black bars of a file: what is \
      black in frames from all over it, beside a straight edge of the picture. It says what it found, so that \
      you can give the numbers.
      """),
  .value(
    "rotate", taking: .oneOf("DEGREES", ["90": 1, "180": 2, "270": 3]), into: \.rotate,
    in: .input, help: "Turn the picture clockwise",
    details: "Besides the turn that the source itself asks for. Effects see the turned picture."),
  .value(
    "flip", taking: .oneOf("HOW", ["h": .horizontal, "v": .vertical]), into: \.flip, in: .input,
    help: "Mirror the picture: h swaps left and right, v top and bottom",
    details: "After --rotate."),
  .value(
    "aspect", taking: .shape, into: \.aspect, in: .input,
    help: "Show the picture in this shape",
    details:
      "For a source whose pixels have the wrong shape: 16:9, 4:3 or 2.39. The pixels stay as they are."
  ),
  .value(
    "input-matrix",
    taking: .oneOf(
      "MATRIX",
      [
        "bt601": .smpte170m, "bt709": .bt709, "bt2020": .bt2020NonConstant, "bt470bg": .bt470bg,
        "smpte170m": .smpte170m, "smpte240m": .smpte240m, "fcc": .fcc,
        "ycgco": .yCgCo,
      ]), into: \.inputMatrix, in: .input,
    help: "Override the matrix tag of the source",
    details: "For a source with wrong tags, like the two options that follow."),
  .value(
    "input-range", taking: .oneOf("RANGE", ["limited": .limited, "full": .full]),
    into: \.inputRange,
    in: .input, help: "Override the range tag of the source"),
  .value(
    "input-transfer",
    taking: .oneOf(
      "CURVE",
      [
        "bt709": 1, "gamma22": 4, "gamma28": 5, "bt601": 6, "smpte240m": 7, "linear": 8,
        "srgb": 13, "bt2020": 14, "pq": 16, "hlg": 18,
      ]), into: \.inputTransfer, in: .input,
    help: "Override the transfer tag of the source"),
]

private let effectOptions: [Option] = [
  .list(
    "effect", short: "e", taking: .effect, into: \.effects, in: .effects,
    help: "Apply an effect; repeat it for a chain, in order",
    details: """
      NAME or the path of an effect file, with parameters if needed: \
      NAME:param=value,param=value. The parts of a vector or a colour are separated by / \
      (center=0.5/0.25, tint=ff8000). An image input takes whatever -i takes (background=back.png); add ~loop, ~hold or \
      ~start=5 for a video. An event has the seconds at which it fires instead of a value (flash@2@5). Keyframes are \
      written value@second (amount=0@0..1@2..0.5@4); add ~smooth or ~step after the last one for other than straight \
      lines between them. A formula of time gives each frame its value ('amount=0.5+0.5*sin(time*2)', with time, frame, \
      fps, pi, and the audio as level, low, mid, high, onset and beat). Every effect also takes mix=0..1, the share of the effect that is blended \
      over its input, and from= and to=, the seconds between which it acts. Files of the Interactive \
      Shader Format (name.fs), of Shadertoy (name.frag, name.json) and of gl-transitions (name.glsl) run unchanged. If the \
      first effect is a generator, no input is needed; --size, --fps and --duration set what it makes. kfrec effects \
      lists the names, kfrec effects NAME the parameters. FILE.kfpreset stands for the effects of a preset file.
      """),
  .list(
    "effects-dir", taking: .text("DIR", expected: "a folder"), into: \.effectFolders, in: .effects,
    of: [.record, .effects, .check, .golden], help: "Search this folder for effects first"),
  .list(
    "allow-read", taking: .text("DIR", expected: "a folder"), into: \.readableFolders,
    in: .effects, of: [.record, .effects, .check, .golden],
    help: "Let effects read files of this folder; repeat for more",
    details: """
      Without this option the files that an effect itself names (includes, imported pictures, golden inputs) must lie in \
      the effect's own folder, below it, or in the include folder of a folder of effects, also behind links. A file that \
      you give to an input of an effect may lie anywhere. A preset cannot have this option.
      """),
  .flag(
    "reload", in: .effects, help: "Recompile an effect when its file changes",
    details: """
      The new version is used from the next frame on. If it has errors, they are reported, and the last good \
      version stays in use. State that effects keep from frame to frame is reset.
      """
  ) { $0.reload = true },
  .value(
    "time", taking: .time(), into: \.time, in: .effects, help: "Effect time of the first frame",
    details: "Default: 0. With a single image it selects the time to render."),
  .value(
    "frame-index", taking: .number(in: 0...Int(Int32.max)), into: \.frameIndex, in: .effects,
    help: "Frame number that effects see for the first frame"),
  .value(
    "gpu", taking: .text("GPU", expected: "a GPU's number, name, UUID or PCI address"), into: \.gpu,
    in: .effects, of: [.record, .check, .golden],
    help: "Use the GPU with this number, name, UUID or PCI address",
    details: """
      kfrec devices lists them. Default: the one that a scheduler gave to this process (CUDA_VISIBLE_DEVICES or \
      SLURM_JOB_GPUS), else the most capable one.
      """),
  .flag(
    "require-gpu", in: .effects, help: "Fail if there is no hardware GPU",
    details: """
      Without this option the software driver, which needs the processor alone, is used if there is no other. A \
      batch checks it before it begins; a single recording that needs no GPU is not affected.
      """
  ) { $0.requireGPU = true },
  .value(
    "gpu-timeout", taking: .time(positive: true), into: \.gpuTimeout, in: .effects,
    of: [.record, .check, .golden], help: "Time limit for one frame on the GPU",
    details: """
      Default: 30 seconds. If an effect takes longer, perhaps because it never ends, the recording ends; \
      the frames that are encoded by then are kept. The limit is also that of the processor time for each kernel \
      that the driver compiles.
      """),
  .flag(
    "force-gpu", in: .effects, help: "Always use the GPU, even if it would change nothing",
    details:
      "Without this option frames that need no effect, subtitles, scaling, crop, flip, rotation, deinterlacing, "
      + "blending or conversion bypass the GPU, and no Vulkan driver is needed."
  ) { $0.forceGPU = true },
]

private let outputOptions: [Option] = [
  .list(
    "output", short: "o", taking: .text("OUTPUT", expected: "an output's name"), into: \.outputs,
    in: .output,
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
      ]), into: \.preview, in: .output, help: "Also show the frames while they are made",
    details: """
      In a window, or with --preview=terminal in the terminal, as it draws best: pixels by sixel or by the protocols of \
      kitty and iTerm2, or coloured blocks. The other words force one of these. The view shows the newest finished \
      frame and never delays the recording. Keys: h shows them all, space pauses, q stops. kfrec preview shows a source \
      without recording it.
      """),
  .flag("overwrite", short: "y", in: .output, help: "Replace an existing output") {
    $0.overwrite = true
  },
  .flag(
    "no-overwrite", short: "n", in: .output,
    help: "Leave an existing output as it is; this is not an error",
    details:
      "Without -n or -y an existing output is an error. Other outputs are written."
  ) { $0.noOverwrite = true },
  .value(
    "framehash", taking: .text("FILE", expected: "a file's name"), into: \.frameHashes, in: .output,
    help: "Also write a hash of each frame of the movie to this file",
    details: """
      In the format of FFmpeg's framehash, with SHA256, or MD5 if the name ends in .framemd5. A lossless movie \
      (--codec ffv1, or 8-bit H.264 with --crf 0) is what was rendered if ffmpeg -copyts -i out.mkv -map 0:v -fps_mode passthrough \
      -enc_time_base -1 (FFmpeg 9: demux) -f framehash - prints the same lines, apart from #software, and from the durations with \
      FFmpeg 6 and later. With several outputs it is \
      about the first movie.
      """),
  .value(
    "container",
    taking: .oneOf("KIND", containerNames()),
    into: \.container, in: .output,
    help: "The container, if the name of the output does not tell it",
    details: """
      For standard output, named pipes and a batch; the kinds of pictures are for a batch. With several outputs it is used \
      for those whose names do not tell it.
      """),
  .value(
    "size", taking: .size, into: \.size, in: .output,
    help: "The size of the output, or of a generated source",
    details:
      "1280x720; 1280x or x720 keeps the aspect ratio. It acts before the effects, which see this size."
  ),
  .value(
    "scale", taking: .oneOf("HOW", ["stretch": .stretch, "fit": .fit, "fill": .fill]),
    into: \.scale,
    in: .output, help: "How to fit a different aspect ratio",
    details: "fit adds bars (the default), fill crops, stretch distorts."),
  .value(
    "pad-color", taking: .color, into: \.padColor, in: .output,
    help: "The colour of the bars that --scale fit adds",
    details:
      "Default: black. A name, or red, green and blue as #ff8000; with alpha as #ff800080 or white@0.5."
  ),
  .value(
    "range",
    taking: .oneOf("RANGE", ["source": .source, "limited": .limited, "full": .full]), into: \.range,
    in: .output, help: "The colour range of the output",
    details:
      "Default: the range of the source, if the output can say it; limited for a camera."),
]

private let encodingOptions: [Option] = [
  .value(
    "codec", taking: .text("NAME", expected: "a codec's or encoder's name"), into: \.codec,
    in: .encoding,
    help: "The video codec, or the name of an FFmpeg encoder",
    details: "Default: H.264 by libx264, and for WebM VP9 by libvpx-vp9."
  ),
  .value(
    "preset", taking: .encoderPreset, into: \.preset,
    in: .encoding, help: "The encoder's preset, or a file of options that --save-preset wrote",
    details: """
      The encoder's: speed against file size. Default: for H.264 and HEVC about as fast as veryfast, with options of kfrec's own \
      that save more (see --crf); a preset that is named takes their place. A name that ends in .kfpreset or has a / is a file. Its \
      options count as if they were typed first: those that are typed win, and its effects come before those of -e. Paths \
      in it count from its folder. Several files may be given. -e look.kfpreset takes its effects alone, at this place of \
      the chain.
      """),
  .value(
    "bitrate", taking: .bitrate, into: \.bitrate, in: .encoding,
    help: "Bits per second, such as 8M",
    details: """
      Default: constant quality (see --crf). Encoders without it get 6M for 1280x720 at 30 frames per second, and in \
      proportion for others; that is also the limit of a live source, measured over two seconds, unless --crf or \
      --bitrate is given. Without k or M the number is in bits; kfrec warns below 100k.
      """),
  .value(
    "crf", taking: .number(in: 0...63), into: \.crf, in: .encoding,
    help: "Constant quality instead of a bit rate; smaller is better",
    details: """
      Default: about the quality of ffmpeg's own default, and up to 1.4 times its size: 21.6 for H.264, 26.8 for HEVC, 31 for VP9 and \
      35 for AV1, with options of the encoder that no preset has, unless --preset or --bitrate is given or the source is live. For \
      H.264 with 8 bits, 0 is lossless, 18 looks like the source, 51 is the worst.
      """),
  .list(
    "encoder-option", taking: .encoderOption, into: \.encoderOptions, in: .encoding,
    help: "An option of the encoder itself, such as tune=grain",
    details: """
      Repeat it for several. The option's name and value are checked before anything is recorded; \
      x264-params=... adds parameters of x264.
      """),
  .value(
    "gop", taking: .number(in: 1...Int(Int32.max)), into: \.gop, in: .encoding,
    help: "Maximum number of frames from one key frame to the next"),
  .value(
    "pixel-format",
    taking: .oneOf(
      "FORMAT",
      [
        "auto": .automatic, "yuv420p": .given(.yuv420p), "yuv422p": .given(.yuv422p),
        "yuv444p": .given(.yuv444p), "yuv420p10le": .given(.yuv420p10le),
        "yuv422p10le": .given(.yuv422p10le), "yuv444p10le": .given(.yuv444p10le),
        "yuv420p12le": .given(.yuv420p12le), "yuv422p12le": .given(.yuv422p12le),
        "yuv444p12le": .given(.yuv444p12le), "yuv420p16le": .given(.yuv420p16le),
        "yuv422p16le": .given(.yuv422p16le), "yuv444p16le": .given(.yuv444p16le),
        "yuva420p": .given(.yuva420p), "yuva422p": .given(.yuva422p), "yuva444p": .given(.yuva444p),
        "yuva420p10le": .given(.yuva420p10le), "yuva422p10le": .given(.yuva422p10le),
        "yuva444p10le": .given(.yuva444p10le), "yuva422p12le": .given(.yuva422p12le),
        "yuva444p12le": .given(.yuva444p12le), "yuva420p16le": .given(.yuva420p16le),
        "yuva422p16le": .given(.yuva422p16le), "yuva444p16le": .given(.yuva444p16le),
        "gray": .given(.gray), "gray10le": .given(.gray10le), "gray12le": .given(.gray12le),
        "gray16le": .given(.gray16le), "gray16be": .given(.gray16be), "gray16": .given(.gray16be),
        "rgb24": .given(.rgb24), "rgba": .given(.rgba),
        "bgr0": .given(.bgr0), "bgra": .given(.bgra), "argb": .given(.argb),
        "gbrp": .given(.gbrp), "gbrap": .given(.gbrap), "gbrp10le": .given(.gbrp10le),
        "gbrp12le": .given(.gbrp12le), "gbrp16le": .given(.gbrp16le),
        "gbrap10le": .given(.gbrap10le), "gbrap12le": .given(.gbrap12le),
        "gbrap16le": .given(.gbrap16le), "rgb48be": .given(.rgb48be), "rgb48": .given(.rgb48be),
        "rgba64be": .given(.rgba64be), "rgba64": .given(.rgba64be),
      ]), into: \.pixelFormat, in: .encoding, help: "How pixels are stored",
    details: """
      auto is yuv420p with 8 bits for H.264, which every player can show, and for most codecs. HEVC, VP9 and AV1 have 10 \
      bits (yuv420p10le) if the source has more than 8. Lossless codecs (ffv1, png, qtrle, utvideo, ...) and PNG have the \
      format that is nearest to the source's own, and lose nothing if they have one that holds it. prores is \
      yuv422p10le. If the source has transparency or an effect makes some, and the codec and the container keep it, it is \
      the nearest format with alpha (vp9: yuva420p; prores: yuva444p10le). yuv420p needs even sizes; with an odd size the \
      last column or row is repeated. docs/outputs.md has a table of sources and codecs, and lists what each output holds.
      """),
]

private let messageOptions: [Option] = [
  .flag("quiet", in: .messages, help: "Print errors only") { $0.quiet = true },
  .flag(
    "verbose", in: .messages, of: [.record, .devices],
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
    "stats", in: .messages, help: "Print statistics at the end",
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
    into: \.progress, in: .messages, help: "How to show progress",
    details: """
      auto shows a line on a terminal and nothing elsewhere. bar always shows the line. json prints one object \
      per line on standard output, for programs (on standard error if the output is -). openjd prints lines \
      such as openjd_progress: 12.5 there, which render farms of the Open Job Description read. none shows nothing.
      """),
  .value(
    "on-end", taking: .text("PROGRAM", expected: "a program"), into: \.onEnd, in: .messages,
    of: [.record, .batch], help: "Start this program at the end, with the result",
    details: """
      Without a shell and without arguments. Its standard input has the last object of --progress json: the counts and the exit \
      code, or the error. kfrec waits 30 seconds for it. Its own exit code changes nothing, but a warning names it. Only the \
      command line can have it: a preset, a list, a plan and the page cannot.
      """),
  .flag(
    "json", in: .messages, of: [.record, .batch, .effects, .devices, .check, .golden],
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
    "report", taking: .text("DIR", expected: "a folder"), into: \.report, in: .messages,
    of: [.golden], help: "Write a page with all images side by side to this folder",
    details: "If a comparison fails, there is always a page in a temporary folder."),
  .flag(
    "help", short: "h", in: .messages, of: Command.allCases,
    help: "Print help; -h prints the short help"
  ) { $0.help = .long },
  .flag("version", in: .messages, help: "Print the versions of kfrec and of its libraries") {
    $0.version = true
  },
]
