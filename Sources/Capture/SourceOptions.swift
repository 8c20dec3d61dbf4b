import Frames
package import Settings

extension SourceRequest {
  /// What is read of a source.
  package static let options: [OptionRow<SourceRequest>] = [
    .value(
      "start", taking: .time(), into: \.start, in: .input, of: [.record, .batch, .preview, .play],
      traits: .recording, help: "Start at this time of the source",
      details: """
        The time counts from the start of the earliest stream, as in players; this is not always the first frame. \
        If the source cannot seek, kfrec reads and drops everything before this time.
        """),
    .value(
      "end", taking: .time(positive: true), into: \.end, in: .input,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "End before this time of the source",
      details: "It counts as --start does: --start 10 --end 15. Give --end or --duration, not both."
    ),
    .value(
      "duration", short: "t", taking: .time(positive: true), into: \.duration, in: .input,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Stop when the output has this length",
      details: """
        It counts the output, whatever --speed, --loop and several inputs make of the sources. With --reverse the part that \
        fills this length is taken from the start of the source and then turned round.
        """),
    .value(
      "frames", taking: .number(in: 1...Int(Int32.max)), into: \.frames, in: .input,
      of: [.record, .batch, .preview], traits: .recording,
      help: "Stop after this many frames of output"),
    .value(
      "frame-range", taking: .frameRange, into: \.range, in: .input,
      of: [.record, .batch, .preview], traits: .recording,
      help: "Render only these frames of the source",
      details: """
        A-B, or one number. Frame 0 is the first frame that the source gives. Effects get the times and the frame \
        numbers that they have in the whole, and the earlier frames that they read, so a frame is the same as in a \
        recording of the whole, unless an effect keeps its results or hears the audio. The times of the output start at 0. In a MOV or MP4 kfrec goes to the frame; in other \
        files it decodes and counts the frames before. Cameras and pipes have no frame numbers.
        """),
    .value(
      "variant", taking: .variant, into: \.video, in: .input,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Which video of several is used, by its number or width too",
      details: """
        Default: best, the one with the largest image. worst has the smallest, N is a number from 1 in the order of the input, and 1280x \
        the largest one that is no wider than that many pixels, else the smallest. This is for the variants of an HLS or DASH stream, \
        the programs of a transport stream, and the video tracks of a file. Audio that belongs to others is left out, and of a stream \
        they are not fetched.
        """),
    .value(
      "program", taking: .text("PROGRAM", expected: "a program's number or a part of its name"),
      into: \.program, in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Which program of a transport stream is used",
      details: """
        Its number in the stream, or a part of its name; a wrong one lists them. Default: the one with the video that \
        --variant chooses. Only its audio and its subtitles are used.
        """),
    .value(
      "network-timeout", taking: .time(positive: true), into: \.networkTimeout, in: .input,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Time limit for a server that gives no data",
      details: """
        Default: 60 seconds. Then the recording ends as at the end of the input, with exit code 3. kfrec says when it \
        has waited for 5 seconds.
        """),
    .flag(
      "realtime", in: .input, of: [.record, .preview],
      help: "Read a file in real time, as if it were a live source",
      details: """
        Each frame is read at its timestamp. Frames that cannot be processed in time are dropped, the oldest \
        first, and counted. The others keep their timestamps. Audio is never dropped.
        """
    ) { $0.isPaced = true },
    .flag(
      "no-audio", in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Leave out the audio"
    ) { $0.includesAudio = false },
    .flag(
      "no-tags", in: .input, of: [.record, .batch], traits: .recording,
      help: "Leave out the metadata of the input",
      details: """
        Without this option a movie gets the title, author, comment, place and time of the input, if the container \
        can store them. A recording of a camera gets the time when it was made.
        """
    ) { $0.includesTags = false },
    .flag(
      "no-subtitles", in: .input, of: [.record, .batch, .preview], traits: .recording,
      help: "Leave out the subtitles",
      details: """
        Without this option a movie gets the subtitles of its one input: as they are, or text as the text of the container, \
        MOV text or SubRip. Bitmaps are only in .mkv.
        """
    ) { $0.ignoresSubtitles = true },
    .value(
      "input-matrix",
      taking: .oneOf(
        "MATRIX",
        [
          "bt601": .smpte170m, "bt709": .bt709, "bt2020": .bt2020NonConstant, "bt470bg": .bt470bg,
          "smpte170m": .smpte170m, "smpte240m": .smpte240m, "fcc": .fcc,
          "ycgco": .yCgCo,
        ]), into: \.tagOverrides.matrix, in: .input, of: [.record, .batch, .preview, .play],
      traits: .recording,
      help: "Override the matrix tag of the source",
      details: "For a source with wrong tags, like the two options that follow."),
    .value(
      "input-range", taking: .oneOf("RANGE", ["limited": .limited, "full": .full]),
      into: \.tagOverrides.range,
      in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Override the range tag of the source"),
    .value(
      "input-transfer",
      taking: .oneOf(
        "CURVE",
        [
          "bt709": 1, "gamma22": 4, "gamma28": 5, "bt601": 6, "smpte240m": 7, "linear": 8,
          "srgb": 13, "bt2020": 14, "pq": 16, "hlg": 18,
        ]), into: \.tagOverrides.transfer, in: .input, of: [.record, .batch, .preview, .play],
      traits: .recording,
      help: "Override the transfer tag of the source"),
    .value(
      "fps", taking: .frameRate, into: \.frameRate, in: .input, of: [.record, .batch, .preview],
      traits: .recording,
      help: "The frame rate of a sequence, of a generated source, or of the output",
      details: """
        Default: 25 for a sequence, 30 for a generated source. Frames of a file or a camera keep their \
        timestamps; if this option is given, the output gets this constant frame rate (see --fps-mode).
        """),
  ]
}

extension SourceRequest {
  /// How a screen is recorded.
  package static let screenOptions: [OptionRow<SourceRequest>] = [
    .value(
      "cursor", taking: .oneOf("HOW", ["on": true, "off": false]), into: \.showsPointer,
      in: .camera,
      of: [.record, .preview],
      help: "Whether the pointer is recorded with a screen or a window", details: "Default: on.")
  ]
}

extension ValueGrammar where Value == FrameRange {
  /// Frame numbers from 0: the first and the last one, or a single one.
  fileprivate static let frameRange = Self(
    name: "A-B", expected: "two frame numbers from 0 with a dash, such as 100-199"
  ) { word in
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let first = parts.first.flatMap(wholeNumber),
      let last = parts.last.flatMap(wholeNumber), first <= last, last < Int(Int32.max)
    else { return nil }
    return FrameRange(first: first, last: last)
  }
}

extension ValueGrammar where Value == VideoChoice {
  /// One of several videos.
  fileprivate static let variant = Self(
    name: "VARIANT", expected: "best, worst, a number from 1, or a width such as 1280x",
    choices: ["best", "worst"]
  ) { word in
    switch word {
    case "best": return .best
    case "worst": return .worst
    default:
      let isWidth = word.hasSuffix("x")
      guard let number = wholeNumber(isWidth ? String(word.dropLast()) : word),
        (1...Int(UInt16.max)).contains(number)
      else { return nil }
      return isWidth ? .width(number) : .number(number)
    }
  }
}
