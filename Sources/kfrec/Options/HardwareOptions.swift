import FFmpegHandles

/// The option that says whether hardware decodes and encodes.
let hardwareOptions: [Option] = [
  .value(
    "hw", taking: .hardware, into: \.hardware, in: .encoding, of: [.record, .preview, .play],
    help: "Decode and encode with hardware",
    details: """
      Default: off, so that the same input gives the same output on every machine. auto tries the hardware that this \
      FFmpeg knows for the codec with one frame and the settings of the run, and uses the first that works, else the \
      processor. on ends before the recording begins if no hardware encodes. A name (vaapi, nvenc or cuda, qsv, v4l2m2m, \
      vdpau, drm) tries this hardware alone, else the processor is used. If hardware fails later, the processor goes on, \
      and no frame is lost. kfrec says when the processor is used instead; with --verbose it says why. \
      kfrec devices lists the hardware that works.
      """)
]

extension ValueGrammar where Value == HardwareWish {
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
