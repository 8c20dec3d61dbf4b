import CFFmpeg
import Frames
import Testing

@testable import Encode

/// Tests of what an output stores for the pixels of a source.
@Suite("Pixel formats that follow from the source")
struct SourceFormatTests {
  /// The outputs of the table in the manual.
  private static let outputs: [(title: String, name: String, codec: String?)] = [
    ("h264", "a.mov", nil), ("hevc", "a.mp4", "hevc"), ("vp9", "a.webm", "vp9"),
    ("av1", "a.mkv", "av1"), ("prores", "a.mov", "prores"), ("ffv1", "a.mkv", "ffv1"),
    ("qtrle", "a.mov", "qtrle"), ("`.png`, `.apng`", "a.png", nil), ("`.jpg`", "a.jpg", nil),
  ]

  private static let sources: [PixelFormat] = [
    .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p12le, .yuva420p,
    .yuva444p10le, .yuva444p12le, .gray, .gray10le, .gray16le, .rgb0, .rgba, .gbrp10le, .gbrap12le,
    .rgba64le,
  ]

  private func format(
    _ name: String, codec: String?, _ source: PixelFormat, pixelFormat: PixelFormat? = nil
  ) throws -> PixelFormat {
    var settings = EncodeSettings()
    (settings.codec, settings.pixelFormat) = (codec, pixelFormat)
    return try OutputSet([name], settings: settings).frameFormat(
      width: 64, height: 48, color: .hd, hasAlpha: source.layout.alpha != nil,
      contents: PixelContents([source])
    ).pixelFormat
  }

  @Test("the manual's table says what each codec makes of a source")
  func table() throws {
    let head = ["source"] + Self.outputs.map(\.title)
    var lines = [head, head.map { _ in "---" }]
    for source in Self.sources {
      lines.append(
        [source == .rgb0 ? "rgb24" : source.rawValue]
          + (try Self.outputs.map { try format($0.name, codec: $0.codec, source).rawValue }))
    }
    expectManual(has: lines)
  }

  private func expectManual(has lines: [[String]]) {
    let rows = lines.map {
      ("| " + $0.joined(separator: " | ") + " |")
        .replacing("| --- ", with: "|---").replacing("--- |", with: "---|")
    }
    let table = rows.joined(separator: "\n")
    let manual = shell("cat '\(#filePath)/../../../docs/outputs.md' 2>/dev/null")
    let page = manual.isEmpty ? shell("cat docs/outputs.md") : manual
    if avcodec_version() >> 16 == 59 {
      #expect(page.contains(table), "docs/outputs.md must have this table:\n\(table)")
    } else {
      // The manual has the rows in which a later FFmpeg differs.
      for row in rows { #expect(page.contains(row), "docs/outputs.md must have this row") }
    }
  }

  /// What `--pixel-format` may name.
  private static let requests = PixelFormat.allCases.filter { format in
    let samples = format.layout
    return samples.model != .yCbCr
      ? ![.abgr, .rgb0, .rgba64le].contains(format)
      : samples.planes.count >= 3 && samples.chromaSubsampling.x <= 2
        && samples.chromaSubsampling.y <= samples.chromaSubsampling.x
  }

  private static let chroma = ["yuv420p", "yuv422p", "yuv444p"]
  private static let transparent = ["yuva420p", "yuva422p", "yuva444p"]

  private static func with(_ bits: [Int], _ names: [String]) -> [String] {
    bits.flatMap { bits in names.map { bits == 8 ? $0 : "\($0)\(bits)le" } }
  }

  private static let pictures = ["rgb24", "rgba", "rgb48be", "rgba64be", "gray", "gray16be"]
  private static let deep = with([8, 10], chroma + ["gray"])
  private static let deeper = with([8, 10, 12], chroma)
  private static let rgb = with([8, 10, 12], ["gbrp"])

  @Test(
    "each row of the manual's table of outputs has the formats that can be asked for, and no other",
    arguments: [
      ("h264", ["mov", "mp4", "mkv"], deep),
      ("hevc", ["mov", "mp4", "mkv"], deep + ["gray12le"] + with([12], chroma) + rgb),
      ("prores", ["mov", "mkv"], ["yuv422p10le", "yuv444p10le", "yuva444p10le"]),
      ("png", ["mov"], pictures), ("qtrle", ["mov"], ["rgb24", "argb", "gray"]),
      ("mpeg2video", ["mov", "mp4", "mkv"], ["yuv420p", "yuv422p"]),
      ("av1", ["mp4", "mkv", "webm"], ["yuv420p", "yuv420p10le"]),
      ("vp9", ["mp4"], deeper + rgb), ("vp9", ["mkv", "webm"], deeper + rgb + ["yuva420p"]),
      ("vp8", ["mkv", "webm"], ["yuv420p", "yuva420p"]),
      (
        "ffv1", ["mkv"],
        with([8, 10, 12, 16], chroma + ["gray"]) + with([8, 10, 16], transparent)
          + with([10, 12, 16], ["gbrp", "gbrap"]) + ["bgr0", "bgra"]
      ), (nil, ["png"], pictures), (nil, ["jpg"], chroma), (nil, ["gif", "apng", "webp"], []),
      (nil, ["y4m"], with([8, 10, 12, 16], chroma)), (nil, ["yuv"], requests.map(\.rawValue)),
    ] as [(String?, [String], [String])])
  func everyRequest(codec: String?, extensions: [String], names: [String]) throws {
    for ending in extensions {
      let taken = Self.requests.filter {
        (try? format("a.\(ending)", codec: codec, .yuv420p, pixelFormat: $0)) == $0
      }
      let found = Set(taken.map(\.rawValue))
      // A later FFmpeg has encoders that take more.
      let isKept =
        avcodec_version() >> 16 == 59 ? found == Set(names) : found.isSuperset(of: names)
      #expect(isKept, "\(codec ?? "") in .\(ending): \(found)")
    }
  }

  @Test("the manual's table says what becomes of a source's sound")
  func soundTable() throws {
    let containers = [Container.mov, .mp4, .mkv, .webm]
    let sources: [(codec: String, depth: Int?, title: String)] = [
      ("pcm", nil, "PCM, 16 bits"), ("pcm24", nil, "PCM, 24 bits"), ("pcmfloat", nil, "PCM, float"),
      ("flac", 16, "FLAC, 16 bits"), ("flac", 24, "FLAC, 24 bits"), ("alac", 16, "ALAC, 16 bits"),
      ("aac", nil, "AAC"), ("opus", nil, "Opus"), ("mp3", nil, "MP3"),
    ]
    let head = ["sound"] + containers.map { "`.\($0.extensions[0])`" }
    var lines = [head, head.map { _ in "---" }]
    for source in sources {
      let codec = try #require(AudioCodec.all.first { $0.name == source.codec })
      let origin = try AudioEncoder(
        AudioFormat(rate: 48_000, channels: 2), codec, depth: source.depth, streamIndex: 0
      ).stream
      lines.append(
        [source.title]
          + (try containers.map { container in
            let made = try AudioSettings().codec(for: container, output: "a", keeping: origin)
            let depth = origin.losslessDepth
            // Only floats hold floats.
            let isKept =
              depth.map { !made.hasBitrate && (!$0.isFloat || made.name == "pcmfloat") } ?? false
            return (AudioFit.holds(origin, container) ? "copied; " : "") + made.name
              + (isKept ? ", lossless" : "")
          }))
    }
    expectManual(has: lines)
  }

  @Test(
    "a lossless codec loses nothing of a source that one of its formats holds",
    arguments: sources, [("a.mkv", "ffv1" as String?), ("a.png", nil), ("a.apng", nil)])
  func lossless(source: PixelFormat, output: (name: String, codec: String?)) throws {
    let found = try format(output.name, codec: output.codec, source).layout
    let own = source.layout
    #expect(found.depth >= own.depth && (found.alpha != nil) == (own.alpha != nil))
    // PNG has no YCbCr, and no gray with alpha.
    if output.codec != nil || own.model != .yCbCr { #expect(found.model == own.model) }
    if found.model == .yCbCr {
      #expect(found.chromaSubsampling == own.chromaSubsampling, "\(source.rawValue)")
    }
  }

  @Test("a requested format is kept to, and images refuse those that they do not have")
  func requested() throws {
    #expect(
      try format("a.mkv", codec: "ffv1", .yuv444p12le, pixelFormat: .yuv420p) == .yuv420p)
    #expect(try format("a.png", codec: nil, .rgba, pixelFormat: .rgb24) == .rgb24)
    #expect(try format("a.jpg", codec: nil, .rgba, pixelFormat: .yuv420p) == .yuv420p)
    for (name, asked, words) in [
      (
        "a.png", PixelFormat.yuv420p10le,
        "a PNG has no pixels of yuv420p10le: use --pixel-format rgb24 or"
      ),
      ("a-%d.jpg", .rgb24, "a JPEG has no pixels of rgb24: use --pixel-format yuv444p or"),
    ] {
      let said = #expect(throws: EncodeError.self) {
        try format(name, codec: nil, .rgba, pixelFormat: asked)
      }
      #expect(said?.description.hasPrefix(words) == true && said?.isUsageError == true)
    }
  }

  @Test("outputs that would store a source differently share the plain format")
  func several() throws {
    var settings = EncodeSettings()
    settings.codec = "hevc"
    let source = PixelFormat.yuv420p10le
    func format(_ names: [String]) throws -> PixelFormat {
      try OutputSet(names, settings: settings).frameFormat(
        width: 64, height: 48, color: .hd, contents: PixelContents([source])
      ).pixelFormat
    }
    #expect(try format(["a.mov", "b.mkv"]) == .yuv420p10le)
    settings.codec = nil
    #expect(try format(["a.webm", "b.mov"]) == .yuv420p)
  }

  @Test(
    "a message names the format that is nearest to the source's own",
    arguments: [
      ("hevc", PixelFormat.yuv422p10le, PixelFormat.yuv422p10le),
      ("hevc", .yuv444p12le, .yuv444p12le), ("h264", .yuv422p10le, .yuv422p10le),
      ("h264", .yuva444p12le, .yuv444p10le), ("ffv1", .gbrap12le, .gbrap12le),
      ("prores", .yuva444p12le, .yuva444p10le),
    ])
  func hint(codec: String, source: PixelFormat, named: PixelFormat) throws {
    var settings = EncodeSettings()
    settings.codec = codec
    let outputs = try OutputSet([codec == "ffv1" ? "a.mkv" : "a.mov"], settings: settings)
    let found = outputs.nearest(
      to: PixelContents([source]), hasAlpha: source.layout.alpha != nil)
    #expect(found == named)
  }
}
