import Capture
import Encode
import FFmpegHandles
import Frames
package import Settings

extension Recording {
  /// What is written.
  package static let outputOptions: [OptionRow<Recording>] = [
    .list(
      "output", short: "o", taking: .text("OUTPUT", .output, expected: "an output's name"),
      into: \.outputs, in: .output, of: [.record], traits: .unsaved,
      help: "What to write",
      details: """
        See the list of outputs below. A movie is written as OUTPUT.part and renamed when it is \
        complete. If a recording is killed, OUTPUT.part can be played, and the next run renames it to \
        the name with .recovered. Repeat -o for several outputs of \
        the same frames, for example a movie and a virtual camera; the camera never delays the movie and never \
        costs it a frame.
        """)
  ]

  /// What becomes of outputs that exist, and what is written and read beside them.
  package static let fileOptions: [OptionRow<Recording>] = [
    .flag(
      "overwrite", short: "y", in: .output, of: [.record, .batch, .preview],
      traits: [.recording, .wholeBatch, .person], help: "Replace an existing output"
    ) {
      $0.overwrite = .replace
    },
    .flag(
      "no-overwrite", short: "n", in: .output, of: [.record, .preview], traits: .unsaved,
      help: "Leave an existing output as it is; this is not an error",
      details:
        "Without -n or -y an existing output is an error. Other outputs are written."
    ) { $0.overwrite = .skip },
    .value(
      "title", taking: .init(name: "TEXT", expected: "a title") { $0 }, into: \.title, in: .output,
      of: [.record, .batch], traits: .recording, help: "The title that a movie says it has",
      details:
        "Default: the title of the input. --title= leaves it out. Pictures and raw video have none."
    ),
    .value(
      "framehash", taking: .file(), into: \.frameHashes, in: .output, of: [.record],
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
      into: \.container, in: .output, of: [.record, .batch], traits: .recording,
      help: "The container, if the name of the output does not tell it",
      details: """
        For standard output, named pipes and a batch; the kinds of pictures are for a batch. With several outputs it is used \
        for those whose names do not tell it.
        """),
    .value(
      "verify", taking: .oneOf("HOW", ["fast": .fast, "full": .full, "off": .off]),
      into: \.verification, in: .output, of: [.batch, .record],
      help: "How an output is read back before it counts as done",
      details: """
        fast decodes its last two seconds; full decodes all of it, and compares number and times of the frames with \
        those that were encoded. Default: fast in a batch, off for a recording. A recording whose file differs says \
        what differs and ends with exit code 3. A raw .yuv and an animated .webp cannot be read back: a recording of \
        nothing else is refused, beside other files they are named, and a batch does not read them.
        """),
  ]
}

extension Recording {
  /// The size and the colours of the output.
  package static let pictureOptions: [OptionRow<Recording>] = [
    .value(
      "size", taking: .size, in: .output, of: [.record, .batch, .preview, .play],
      traits: .recording,
      help: "The size of the output, or of a generated source",
      details:
        "1280x720; 1280x or x720 keeps the aspect ratio. It acts before the effects, which see this size."
    ) { $0.size = ($1.width, $1.height) },
    .value(
      "scale", taking: .oneOf("HOW", ["stretch": .stretch, "fit": .fit, "fill": .fill]),
      into: \.scale,
      in: .output, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "How to fit a different aspect ratio",
      details: "fit adds bars (the default), fill crops, stretch distorts."),
    .value(
      "pad-color", taking: .color, in: .output,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "The colour of the bars that --scale fit adds",
      details:
        "Default: black. A name, or red, green and blue as #ff8000; with alpha as #ff800080 or white@0.5."
    ) { $0.barColor = SIMD4<Double>($1) / 255 },
    .value(
      "range",
      taking: .oneOf("RANGE", ["source": nil, "limited": .limited, "full": .full]), into: \.range,
      in: .output, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "The colour range of the output",
      details:
        "Default: the range of the source, if the output can say it; limited for a camera."),
    .value(
      "scaler",
      taking: .oneOf(
        "NAME",
        [
          "lanczos": .lanczos, "bicubic": .bicubic, "mitchell": .mitchell, "bilinear": .bilinear,
          "area": .area, "nearest": .nearest,
        ]), into: \.scaler, in: .output, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "The filter that resizes pictures",
      details: """
        lanczos (the default) is the sharpest, bicubic (Catmull-Rom) a little less, mitchell softer, bilinear soft. area \
        is the mean of what a pixel covers, and shows enlarged pixels as squares. nearest repeats or leaves out whole \
        pixels. All but nearest work in light instead of coded values, except for HDR, count every pixel \
        of a picture that is made smaller, and draw no halos around edges.
        """),
    .value(
      "hdr", taking: .oneOf("HOW", ["tonemap": .toneMap, "keep": .keep]), into: \.source.hdr,
      in: .output,
      of: [.record, .batch], traits: .recording,
      help: "Map HDR sources to SDR, or keep HDR",
      details: """
        tonemap (the default) converts PQ and HLG to BT.709, with the curve of BT.2390. keep writes the values as they are, with \
        their tags and the data about their light, as HEVC with 10 bits unless you choose another codec; outputs with 8 bits are \
        refused. Sources of the standard range are not changed by either.
        """),
  ]
}

extension Recording {
  /// What hardware does.
  package static let hardwareOptions: [OptionRow<Recording>] = [
    .value(
      "hw", taking: .hardware, in: .encoding,
      of: [.record, .preview, .play, .batch], traits: .recording,
      help: "Decode and encode with hardware",
      details: """
        Default: off, so that the same input gives the same output on every machine. auto tries the hardware that this \
        FFmpeg knows for the codec with one frame and the settings of the run, and uses the first that works, else the \
        processor. on ends before the recording begins if no hardware encodes. A name (vaapi, nvenc or cuda, qsv, v4l2m2m, \
        vdpau, drm) tries this hardware alone, else the processor is used. If hardware fails later, the processor goes on, \
        and no frame is lost. kfrec says when the processor is used instead; with --verbose it says why. \
        kfrec devices lists the hardware that works.
        """
    ) { ($0.source.hardware, $0.encoding.hardware) = ($1, $1) }
  ]
}

extension ValueGrammar where Value == SIMD4<UInt8> {
  fileprivate static let color = Self(
    name: "COLOR", expected: "a colour's name such as white, or #ff8000, or with alpha #ff800080",
    kind: .color
  ) { parsedColor($0) }
}

extension ValueGrammar where Value == HardwarePreference {
  fileprivate static var hardware: ValueGrammar {
    .oneOf(
      "HARDWARE",
      [
        "off": .off, "auto": .automatic, "on": .required, "vaapi": .family(.vaapi),
        "nvenc": .family(.nvidia), "cuda": .family(.nvidia), "qsv": .family(.qsv),
        "v4l2m2m": .family(.v4l2m2m), "vdpau": .family(.vdpau), "drm": .family(.drm),
      ])
  }
}
