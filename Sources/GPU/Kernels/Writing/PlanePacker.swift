import Frames

/// The GLSL that converts colours into the sink's planes: each invocation computes a block of pixels
/// and stores whole 32-bit words.
///
/// Chroma is resized with the filter that suits its siting: [1 2 1]/4 around a co-sited sample, the mean
/// of two around a centred one. Nearest samples, or 2x2 means at the wrong place, would shift colours
/// against luma. Codes are rounded once, here.
struct PlanePacker: Sendable {
  /// The sink's format; its size is the canvas size, made even if the pixel format requires that.
  let format: FrameFormat
  /// Position and size of the image on the canvas, and the colour of the rest.
  let geometry: FrameGeometry
  /// Whether colours are rounded by `Dithering`, and not to the nearest code as alpha always is.
  var dithers = false
  /// Whether the software driver runs the kernels.
  var isSoftware = false
  /// Where rows and planes start in the buffer.
  var alignment = BufferLayout.Alignment.usual

  private var layout: PixelLayout { format.pixelFormat.layout }
  /// How the planes lie in the buffer.
  ///
  /// They have room for whole blocks: at an odd height the last block has a row behind the last one of luma, which would be
  /// the first one of chroma.
  var buffer: BufferLayout {
    var whole = alignment
    if whole.rows % block.height != 0 { whole.rows *= block.height }
    return BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height,
      alignment: whole)
  }

  /// Bytes after the planes: their first word becomes nonzero if a pixel was transparent and the sink,
  /// which has no alpha, shows it over black.
  static let noteByteCount = 16
  /// Alpha below this value is not 255 in 8 bits.
  private static let opaque = 254.5 / 255
  /// Number of codes per word.
  private var codesPerWord: Int { layout.depth > 8 ? 2 : 4 }

  /// Pixels per invocation: whole words in every plane.
  var block: (width: Int, height: Int) {
    let (x, y) = layout.chromaSubsampling
    return (4 * x, y)
  }

  /// Invocations for one frame.
  var invocations: (width: Int, height: Int) {
    (
      (format.width + block.width - 1) / block.width,
      (format.height + block.height - 1) / block.height
    )
  }

  var writer: PixelStore {
    PixelStore(
      main: PixelStore.Main(
        invocations: invocations,
        group: group, glsl: main(byFours: false)),
      mainByFours: layout.model != .yCbCr || geometry.hasBars
        ? nil
        : PixelStore.Main(invocations: invocations, group: group, glsl: main(byFours: true)),
      name: format.pixelFormat.rawValue,
      fragment: KernelFragment(
        "", name: "store",
        resources: [
          KernelResource(
            .storageBuffer, "writeonly buffer kf_Result { uint kf_codes[]; }", qualifier: "std430",
            bound: .passed)
        ]),
      texture: nil)
  }

  private var group: WorkGroup { isSoftware ? .row(of: invocations.width) : .square }

  /// The text after `kf_color`; with `byFours`, of a kernel that reads with `kf_four`.
  private func main(byFours: Bool) -> String {
    let buffer = buffer
    let body = layout.model == .yCbCr ? yCbCrBody(buffer, byFours: byFours) : rgbBody(buffer)
    return """
      \(ColorConversion.fromRGB(format.color, model: layout.model, depth: layout.depth)
        .glsl(function: "kf_toCodes"))
      \(dithers ? Dithering.glsl : "")
      \(pixelFunction)
      \(sinkFunction)
      uint kf_code(float v) {
        uint c = uint(clamp(v + 0.5, 0.0, float(\(layout.maximumCode)))) << \(layout.shift);
        return \(layout.isBigEndian ? "(c << 8 | c >> 8) & 0xFFFFu" : "c");
      }
      \(wordFunction)
      void main() {
        ivec2 block = ivec2(gl_GlobalInvocationID.xy);
        if (block.x >= \(invocations.width) || block.y >= \(invocations.height)) return;
        ivec2 at = block * ivec2(\(block.width), \(block.height));
        \(body)
        \(note(buffer))
      }
      """
  }

  private var wordFunction: String {
    if codesPerWord == 2 {
      return "uint kf_word(float a, float b) { return kf_code(a) | kf_code(b) << 16; }"
    }
    return """
      uint kf_word(float a, float b, float c, float d) {
        return kf_code(a) | kf_code(b) << 8 | kf_code(c) << 16 | kf_code(d) << 24;
      }
      """
  }

  /// GLSL for `kf_sinkAt`: a pixel as the sink stores it.
  private var sinkFunction: String {
    if layout.alpha != nil { return "vec4 kf_sinkAt(ivec2 c) { return kf_pixelAt(c); }" }
    return """
      // Over black, for a sink without alpha.
      float kf_least = 1.0;
      vec4 kf_sinkAt(ivec2 c) {
        vec4 v = kf_pixelAt(c);
        kf_least = min(kf_least, v.a);
        return vec4(v.rgb * v.a, 1.0);
      }
      """
  }

  /// GLSL that records a transparent pixel; every invocation that finds one writes the same value.
  private func note(_ buffer: BufferLayout) -> String {
    layout.alpha != nil
      ? "" : "if (kf_least < \(PlanePacker.opaque)) kf_codes[\(buffer.byteCount / 4)] = 1u;"
  }

  private var pixelFunction: String {
    let color = geometry.barColor
    let bars = """
      if (p.x < 0 || p.y < 0 || p.x >= \(geometry.width) || p.y >= \(geometry.height))
          return vec4(\(color.x), \(color.y), \(color.z), \(color.w));
      """
    return """
      vec4 kf_pixelAt(ivec2 c) {
        // The canvas is made even if the pixel format requires that: beyond it the last column and row are repeated.
        ivec2 p = clamp(c, ivec2(0), ivec2(\(geometry.canvasWidth - 1), \(geometry.canvasHeight - 1)))
          - ivec2(\(geometry.x), \(geometry.y));
        \(geometry.hasBars ? bars : "")
        return kf_color(p);
      }
      """
  }

  /// Index of the word with a block's first texel of a plane, in row `row` of the block.
  private func wordIndex(
    _ plane: BufferLayout.Plane, rowsPerBlock: Int, row: Int, wordsPerBlock: Int
  ) -> String {
    """
    \(plane.offset / 4) + (block.y * \(rowsPerBlock) + \(row)) * \(plane.stride / 4) \
    + block.x * \(wordsPerBlock)
    """
  }

  /// GLSL for what is added to a value before it is rounded, at a texel of its plane; a gray pixel stays gray.
  private func spread(_ value: String, x: String, y: String) -> String {
    !dithers ? value : "\(value) + kf_spread(\(x), \(y))"
  }

  private func rgbBody(_ buffer: BufferLayout) -> String {
    if layout.planes.count > 1 { return planarRGBBody(buffer) }
    let channels = layout.planes[0].channels
    let words = 4 * channels / codesPerWord
    let first = wordIndex(buffer.planes[0], rowsPerBlock: 1, row: 0, wordsPerBlock: words)
    guard channels == 4 else {
      let codes = (0..<4).flatMap { pixel in
        ["r", "g", "b"].prefix(channels).map { "p\(pixel).\($0)" }
      }
      let stores = (0..<words).map { word in
        let parts = codes[(word * codesPerWord)..<((word + 1) * codesPerWord)]
        return "kf_codes[i + \(word)] = kf_word(\(parts.joined(separator: ", ")));"
      }
      let pixels = (0..<4).map { x in
        let codes = "kf_toCodes(kf_sinkAt(at + ivec2(\(x), 0)).rgb)"
        return "vec3 p\(x) = \(spread(codes, x: "at.x + \(x)", y: "at.y"));"
      }
      return """
        \(pixels.joined(separator: "\n  "))
          uint i = \(first);
          \(stores.joined(separator: "\n  "))
        """
    }
    var codes = [String](repeating: "\(layout.maximumCode)", count: 4)
    for (part, name) in zip(layout.components, ["r", "g", "b"]) {
      codes[part.channel] = "c.\(name)"
    }
    if let alpha = layout.alpha { codes[alpha.channel] = "v.a * \(Double(layout.maximumCode))" }
    let perPixel = words / 4
    let stores = (0..<perPixel).map { word in
      let parts = codes[(word * codesPerWord)..<((word + 1) * codesPerWord)]
      return "kf_codes[i + \(perPixel) * x + \(word)] = kf_word(\(parts.joined(separator: ", ")));"
    }
    return """
      uint i = \(first);
        for (int x = 0; x < 4; x++) {
          vec4 v = kf_sinkAt(at + ivec2(x, 0));
          vec3 c = \(spread("kf_toCodes(v.rgb)", x: "at.x + x", y: "at.y"));
          \(stores.joined(separator: "\n    "))
        }
      """
  }

  private func planarRGBBody(_ buffer: BufferLayout) -> String {
    var lines = (0..<4).flatMap { x in
      [
        "vec4 v\(x) = kf_sinkAt(at + ivec2(\(x), 0));",
        "vec3 c\(x) = \(spread("kf_toCodes(v\(x).rgb)", x: "at.x + \(x)", y: "at.y"));",
      ]
    }
    for (part, name) in zip(layout.components, ["r", "g", "b"]) {
      lines += stores(
        (0..<4).map { "c\($0).\(name)" }, in: buffer.planes[part.plane], rowsPerBlock: 1, row: 0)
    }
    if let alpha = layout.alpha {
      lines += stores(
        (0..<4).map { "v\($0).a * \(Double(layout.maximumCode))" }, in: buffer.planes[alpha.plane],
        rowsPerBlock: 1, row: 0)
    }
    return lines.joined(separator: "\n  ")
  }

  private func yCbCrBody(_ buffer: BufferLayout, byFours: Bool) -> String {
    let (factorX, factorY) = layout.chromaSubsampling
    let siting = format.color.chromaSiting.position
    let across = PlanePacker.taps(factor: factorX, position: siting.x)
    let down = PlanePacker.taps(factor: factorY, position: siting.y)
    let columns = across.keys.min().map { min($0, 0) } ?? 0
    let lastColumn = block.width - factorX + max(across.keys.max() ?? 0, factorX - 1)
    let firstRow = min(down.keys.min() ?? 0, 0)
    let lastRow = max(down.keys.max() ?? 0, factorY - 1)

    var lines: [String] = []
    func name(_ x: Int, _ y: Int) -> String { "c\(x - columns)_\(y - firstRow)" }
    for y in firstRow...lastRow {
      if byFours { lines += reads(ofRow: y, name: "w\(y - firstRow)") }
      for x in columns...lastColumn {
        if byFours { lines.append(ownPixel(x, y, words: "w\(y - firstRow)")) }
        lines.append("vec4 \(name(x, y)) = kf_sinkAt(at + ivec2(\(x), \(y)));")
      }
    }
    for y in 0..<factorY {
      lines += stores(
        (0..<block.width).map {
          spread("kf_toCodes(\(name($0, y)).rgb).x", x: "at.x + \($0)", y: "at.y + \(y)")
        }, in: buffer.planes[0],
        rowsPerBlock: factorY, row: y)
      if let alpha = layout.alpha {
        lines += stores(
          (0..<block.width).map { "\(name($0, y)).a * \(Double(layout.maximumCode))" },
          in: buffer.planes[alpha.plane], rowsPerBlock: factorY, row: y)
      }
    }
    for sample in 0..<4 {
      let taps = down.sorted { $0.key < $1.key }.flatMap { y, weightY in
        across.sorted { $0.key < $1.key }.map { x, weightX in
          (weight: weightX * weightY, pixel: name(sample * factorX + x, y))
        }
      }
      // The matrix is linear: the chroma of a mean is the mean of the chroma values.
      var mean = taps.map { "\($0.weight) * \($0.pixel).rgb" }.joined(separator: " + ")
      if layout.alpha != nil, taps.count > 1 {
        // A transparent pixel must not colour the edge of an opaque one, with which it shares the sample.
        let opaque = taps.map { "\($0.weight) * \($0.pixel).a" }.joined(separator: " + ")
        let shown = taps.map { "\($0.weight) * \($0.pixel).a * \($0.pixel).rgb" }
          .joined(separator: " + ")
        lines.append("float a\(sample) = \(opaque);")
        mean = "a\(sample) > 0.0 ? (\(shown)) / a\(sample) : \(mean)"
      }
      lines.append("vec2 s\(sample) = kf_toCodes(\(mean)).yz;")
    }
    func chroma(_ sample: Int, _ part: String) -> String {
      spread("s\(sample).\(part)", x: "block.x * 4 + \(sample)", y: "block.y")
    }
    let parts = ["x", "y"]
    for plane in 1...(layout.components[2].plane) {
      // One part in each plane, or both in one, in the order of their channels.
      let held = zip(layout.components.dropFirst(), parts).filter { $0.0.plane == plane }
        .sorted { $0.0.channel < $1.0.channel }.map(\.1)
      lines += stores(
        (0..<4).flatMap { sample in held.map { chroma(sample, $0) } }, in: buffer.planes[plane],
        rowsPerBlock: 1, row: 0)
    }
    return lines.joined(separator: "\n  ")
  }

  /// GLSL that reads the pixels of a block in a row, four at once.
  private func reads(ofRow y: Int, name: String) -> [String] {
    let row = "clamp(at.y + (\(y)), 0, \(geometry.canvasHeight - 1))"
    return stride(from: 0, to: block.width, by: 4).map { x in
      "uvec4 \(name)_\(x / 4) = kf_four(ivec2(at.x + \(x), \(row)));"
    }
  }

  /// GLSL that sets the colour that the kernel reads for a pixel.
  private func ownPixel(_ x: Int, _ y: Int, words: String) -> String {
    guard (0..<block.width).contains(x) else {
      let last = "ivec2(\(geometry.canvasWidth - 1), \(geometry.canvasHeight - 1))"
      return "kf_own = kf_read(clamp(at + ivec2(\(x), \(y)), ivec2(0), \(last)));"
    }
    let parts = ["x", "y", "z", "w"]
    return "kf_own = kf_colorOf(\(words)_\(x / 4).\(parts[x % 4]));"
  }

  /// GLSL that stores a block's codes for one row of a plane, in whole words.
  private func stores(
    _ codes: [String], in plane: BufferLayout.Plane, rowsPerBlock: Int, row: Int
  ) -> [String] {
    let count = codes.count / codesPerWord
    let index = wordIndex(plane, rowsPerBlock: rowsPerBlock, row: row, wordsPerBlock: count)
    return (0..<count).map { word in
      let parts = codes[(word * codesPerWord)..<((word + 1) * codesPerWord)]
      return "kf_codes[\(index) + \(word)] = kf_word(\(parts.joined(separator: ", ")));"
    }
  }

  /// The weights of the luma pixels around a chroma sample, by their distance from the first one that
  /// it covers.
  static func taps(factor: Int, position: Double) -> [Int: Double] {
    switch (factor, position) {
    case (1, _): [0: 1]
    case (_, 0): [-1: 0.25, 0: 0.5, 1: 0.25]
    case (_, 1): [0: 0.25, 1: 0.5, 2: 0.25]
    default: [0: 0.5, 1: 0.5]
    }
  }
}
