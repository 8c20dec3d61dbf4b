import CFFmpeg
import Frames

/// What FFmpeg does not report about an encoder: its presets, the end of its crf scale, good
/// defaults for recording, and how to make it hold few frames.
struct EncoderTraits: Sendable {
  let name: String
  /// Values for `--preset` if FFmpeg takes any string.
  var presets: [String] = []
  var defaultPreset: String?
  var largestCRF = 63.0
  /// The encoder can code the two fields of a frame separately, and then stores which one is first.
  var codesFields = false
  /// Ends the process on some frames, and what encodes them instead.
  var crash: KnownCrash?
  var options: [EncoderOption] = []
  /// Private options for a part of a movie that is encoded apart, so that the parts can be joined.
  var partOptions: [EncoderOption] = []
  /// Every frame has the quality that the codec gives it; there is no bit rate to share out.
  var hasFixedQuality = false
  /// The quality if neither a quality nor a bit rate is asked for; nil uses the usual bit rate.
  var usualQuality: UsualQuality?
  /// How many threads it has, if not as many as others.
  var ownThreads: Int?
  /// Writes 0 for most colours into the header of each frame (`proresenc_anatoliy.c`; `prores_ks` writes all): readers
  /// then have none, or, from FFmpeg 9 on, a "reserved" one with which they do not convert the frame.
  var losesColors = false
  /// What it makes does not depend on the number of its threads, so that this may be the machine's.
  var ignoresThreads = false
  /// Returns the tuning for a live source; the encoder may hold `frames` between input and output.
  var live: @Sendable (_ frames: Int, _ threads: Int) -> LiveTuning = { _, _ in LiveTuning() }

  /// Returns the traits of a known encoder; any other is used with FFmpeg's defaults.
  static func of(_ name: String) -> EncoderTraits {
    all.first { $0.name == name } ?? EncoderTraits(name: name)
  }

  /// Returns the number of threads of an encoder that makes other bytes with another number; nil for others, and for
  /// hardware.
  ///
  /// Most do, because each thread gets a part of the work that cannot look into the others'. The number depends on the
  /// frames alone, so that every machine makes the same movie. In a live source no frame may be held long, so that threads
  /// cannot have whole frames.
  ///
  /// Beside 3 threads, x264's own number on 2 processors, 8 made 0.05 % fewer bytes with the same SSIM (1280x720), and took
  /// the same time.
  func threads(of codec: UnsafePointer<AVCodec>, for format: FrameFormat, isLive: Bool) -> Int? {
    let capabilities = codec.pointee.capabilities
    let divides = AV_CODEC_CAP_SLICE_THREADS | AV_CODEC_CAP_OTHER_THREADS
    // Threads that have whole frames, each of them coded for itself.
    let hasFrames = !isLive && capabilities & AV_CODEC_CAP_FRAME_THREADS != 0
    guard !ignoresThreads, !hasFrames, capabilities & divides != 0, HardwareEncoder(codec) == nil
    else { return nil }
    return ownThreads ?? (format.width * format.height > 1920 * 1088 ? 16 : 8)
  }

  private static let x264Presets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    "placebo",
  ]

  /// Parameters of x264, with those that make its result depend on nothing but the frames.
  ///
  /// Its AVX-512 code of macroblock trees reads memory that nobody wrote: with core 164 a movie of 24 frames
  /// had five contents in five runs with other values in fresh memory (MALLOC_PERTURB_), and never the one of
  /// AVX2 and SSE4. AVX2 costs about 3 % of the encoder's time.
  private static func x264Options(_ parameters: [String]) -> [EncoderOption] {
    let hasAVX512 = av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0
    let all = parameters + (hasAVX512 ? ["asm=avx2"] : [])
    return all.isEmpty ? [] : [EncoderOption("x264-params", all.joined(separator: ":"))]
  }

  /// Fewer bytes than `ffmpeg -c:v libx264` writes with its own values (medium, crf 23) for the same SSIM, in
  /// less time: over ten real clips 0.96 times the bytes, SSIM +0.0001, 1.6 times the speed.
  ///
  /// A preset as fast as veryfast skips the search that saves most (`subq`). Time for it comes from blocks of
  /// 8x8 in B-frames, which save nothing here, and from the shorter search for motion. The psychovisual part costs
  /// SSIM, and with it x264 itself lowers the QP of chroma by 2.
  private static let x264Quality = UsualQuality(
    crf: 21.6,
    options: [
      EncoderOption("aq-mode", "2"), EncoderOption("chromaoffset", "-2"),
      EncoderOption("subq", "7"), EncoderOption("psy", "0"), EncoderOption("rc-lookahead", "30"),
      EncoderOption("motion-est", "dia"), EncoderOption("partitions", "p8x8,i8x8,i4x4"),
    ])

  private static let all = [
    EncoderTraits(
      name: "libx264", presets: x264Presets, defaultPreset: "veryfast", largestCRF: 51,
      codesFields: true, options: x264Options([]),
      // The parameter sets do not depend on the frames.
      partOptions: x264Options(["stitchable=1"]), usualQuality: x264Quality, live: x264Live),
    EncoderTraits(
      name: "libx265", presets: x264Presets, defaultPreset: "veryfast", largestCRF: 51,
      // x265 itself prints to standard error.
      options: [EncoderOption("x265-params", "log-level=error")],
      // Beside `ffmpeg -c:v libx265` (medium, crf 28) over ten clips: 1.05 times the bytes, SSIM +0.0001, 1.7
      // times the speed.
      usualQuality: UsualQuality(
        crf: 26.8,
        options: [
          EncoderOption("tune", "ssim"),
          EncoderOption("x265-params", "early-skip=1:limit-refs=3"),
        ]),
      // Frames at once; what it does in a frame it shares out by itself. Its own number is 1 below 4 processors, and 3 from 8 on.
      ownThreads: 3,
      live: { frames, _ in
        LiveTuning(
          threads: 0, bFrames: 0,
          options: [
            EncoderOption(
              "x265-params",
              "log-level=error:bframes=0:frame-threads=1:rc-lookahead=\(max(frames / 2, 1))")
          ])
      }),
    EncoderTraits(
      name: "libsvtav1", defaultPreset: "10",
      // FFmpeg's own, and as fast: preset 11 needs 11 % more bytes for nearly the same SSIM, 8 half the speed.
      usualQuality: UsualQuality(crf: 35), ignoresThreads: true,
      live: { _, _ in
        // Low delay: no hierarchy of frames that waits for later frames.
        LiveTuning(options: [EncoderOption("svtav1-params", "pred-struct=1:lookahead=0")])
      }),
    EncoderTraits(
      name: "libaom-av1",
      options: [EncoderOption("cpu-used", "8"), EncoderOption("row-mt", "1")],
      usualQuality: UsualQuality(crf: 32, isLimitedByTarget: true),
      live: { _, _ in LiveTuning(options: libvpxLive) }),
    EncoderTraits(
      name: "libvpx-vp9",
      options: [EncoderOption("cpu-used", "5"), EncoderOption("row-mt", "1")],
      // Beside `ffmpeg -c:v libvpx-vp9` (cpu-used 1, crf 32) over ten clips: 1.07 times the bytes, SSIM 0.0001
      // lower, 1.6 times the speed; cpu-used 2 at crf 32 gives 0.98 times the bytes, SSIM 0.0004 lower, 1.3 times the
      // speed. Frames that need not be decoded side by side (`frame-parallel`) save 2 % of the bytes.
      usualQuality: UsualQuality(
        crf: 31, options: [EncoderOption("cpu-used", "3"), EncoderOption("frame-parallel", "0")],
        isLimitedByTarget: true),
      live: { _, _ in LiveTuning(options: libvpxLive + [EncoderOption("deadline", "realtime")]) }),
    EncoderTraits(
      name: "prores", codesFields: true, crash: .halfBlocks, hasFixedQuality: true,
      losesColors: true),
    EncoderTraits(
      name: "prores_aw", codesFields: true, crash: .halfBlocks, hasFixedQuality: true,
      losesColors: true),
    EncoderTraits(
      name: "prores_ks", codesFields: true, hasFixedQuality: true, ignoresThreads: true),
    EncoderTraits(name: "ffv1", ignoresThreads: true),
    EncoderTraits(name: "dnxhd", ignoresThreads: true),
    EncoderTraits(name: "mpeg2video", codesFields: true),
    EncoderTraits(name: "mpeg4", codesFields: true),
    EncoderTraits(name: "vc2", crash: KnownCrash(of: "that are interlaced") { $1 != nil }),
    EncoderTraits(
      name: "libvpx", options: [EncoderOption("cpu-used", "5")],
      live: { _, _ in LiveTuning(options: libvpxLive + [EncoderOption("deadline", "realtime")]) }),
  ]

  private static let libvpxLive = [EncoderOption("lag-in-frames", "0")]

  /// Gives the lookahead the rest of the frames that may be held.
  ///
  /// x264 holds the sum of the greater of B-frames and lookahead, frame threads - 1, the
  /// synchronised lookahead (B-frames + 1), and 1 (encoder/encoder.c, `x264_encoder_open`).
  private static func x264Live(frames: Int, threads: Int) -> LiveTuning {
    guard frames >= 5 else { return LiveTuning(options: [EncoderOption("tune", "zerolatency")]) }
    let bFrames = min(frames / 5, 3)
    let threads = min(threads, frames / 5 + 1)
    let lookahead = max(frames - (threads - 1) - (bFrames + 1) - 1, bFrames)
    return LiveTuning(
      threads: threads, bFrames: bFrames,
      options: [EncoderOption("rc-lookahead", String(min(lookahead, 10)))])
  }
}

/// Frames with which an encoder of FFmpeg ends the process, found by trying sizes with FFmpeg 5.1.
struct KnownCrash: Sendable {
  /// Which frames they are, for a message: "whose ...".
  let frames: String
  /// The encoder that takes such frames, of the same codec; nil for none.
  var other: String?
  /// Whether frames of a format, with or without fields, are such frames.
  let happens: @Sendable (FrameFormat, FieldOrder?) -> Bool

  init(
    of frames: String, other: String? = nil,
    happens: @escaping @Sendable (FrameFormat, FieldOrder?) -> Bool
  ) {
    (self.frames, self.other, self.happens) = (frames, other, happens)
  }

  /// `proresenc_anatoliy.c` reads the last blocks of a field behind the frame, unless a field has whole blocks of 16 lines.
  static let halfBlocks = KnownCrash(
    of: "with fields of other than a multiple of 16 lines", other: "prores_ks"
  ) { format, order in order != nil && format.height % 32 != 0 }
}

/// The constant quality that an encoder gives if the user asks for nothing else.
struct UsualQuality: Sendable {
  let crf: Double
  /// Private options that go with it and with any other constant quality, but for a preset that the user names, and
  /// for a live source, which must be encoded in time.
  var options: [EncoderOption] = []
  /// With a bit rate beside the quality, the bit rate is the limit, instead of a limit of its own.
  var isLimitedByTarget = false
}

/// An encoder's private option and its value, as FFmpeg's options parser takes them.
public struct EncoderOption: Hashable, Sendable {
  let key: String
  let value: String

  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// What changes if frames may not be held long.
struct LiveTuning: Sendable {
  /// Nil keeps the requested number.
  var threads: Int?
  /// Number of frames that wait for a later one.
  var bFrames = 0
  /// These replace the usual options with the same key.
  var options: [EncoderOption] = []
}
