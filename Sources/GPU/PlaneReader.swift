import Frames

/// The GLSL that reads a source's planes: each invocation makes the pixels that share a chroma
/// sample, unclamped and with straight alpha, and stores them where they are seen upright.
///
/// The planes are integer images, so what is fetched are the codes themselves. Chroma is brought to
/// full size by linear interpolation between the samples' true places (the siting), computed here
/// with whole texels and fixed weights: texture units filter with few bits, and not all alike. The
/// pixels of a block share their fetches, which are most of the work.
struct PlaneReader {
  let format: FrameFormat

  private var layout: PixelLayout { format.pixelFormat.layout }

  /// Stored pixels that an invocation makes.
  private var block: (width: Int, height: Int) {
    let (x, y) = layout.chromaSubsampling
    return (x, y)
  }

  /// Invocations for a frame.
  var invocations: (width: Int, height: Int) {
    (
      (format.width + block.width - 1) / block.width,
      (format.height + block.height - 1) / block.height
    )
  }

  /// Bindings: the planes from 0 on, then the picture.
  var source: String {
    let side = ComputeKernel.groupSide
    let planes = layout.planes.indices.map {
      "layout(set = 0, binding = \($0)) uniform usampler2D plane\($0);"
    }
    let conversion = ColorConversion.toRGB(format.color, model: layout.model, depth: layout.depth)
    let map = format.orientation.storedPixel(width: format.width, height: format.height)
    return """
      #version 450
      layout(local_size_x = \(side), local_size_y = \(side)) in;
      \(planes.joined(separator: "\n"))
      layout(set = 0, binding = \(planes.count), rgba16f) uniform writeonly image2D picture;
      \(conversion.glsl(function: "toRGB"))
      // The steps between pixels are whole, so what turns a picture also turns it back.
      void store(ivec2 stored, vec3 codes, float alpha) {
        ivec2 d = stored - ivec2(\(map.origin.x), \(map.origin.y));
        ivec2 seen = ivec2(
          d.x * \(map.dx.x) + d.y * \(map.dx.y), d.x * \(map.dy.x) + d.y * \(map.dy.y));
        imageStore(picture, seen, vec4(toRGB(codes), alpha));
      }
      void main() {
        ivec2 block = ivec2(gl_GlobalInvocationID.xy);
        if (block.x >= \(invocations.width) || block.y >= \(invocations.height)) return;
        ivec2 at = block * ivec2(\(block.width), \(block.height));
        \(body)
      }
      """
  }

  private var body: String {
    var lines = layout.model == .yCbCr ? chromaFetches : []
    for y in 0..<block.height {
      for x in 0..<block.width { lines.append(pixel(x, y)) }
    }
    return lines.joined(separator: "\n  ")
  }

  /// A component's code at a texel.
  private func fetch(_ component: PixelLayout.Component, at texel: String) -> String {
    let channel = ["r", "g", "b", "a"][component.channel]
    let shift = layout.shift == 0 ? "" : " >> \(layout.shift)"
    return "float(texelFetch(plane\(component.plane), \(texel), 0).\(channel)\(shift))"
  }

  /// Makes and stores one pixel of the block, unless it is beyond the picture.
  private func pixel(_ x: Int, _ y: Int) -> String {
    let parts = layout.components
    let p = x == 0 && y == 0 ? "at" : "at + ivec2(\(x), \(y))"
    let codes: String
    switch layout.model {
    case .gray: codes = "vec3(\(fetch(parts[0], at: p)))"
    case .rgb: codes = "vec3(\(parts.map { fetch($0, at: p) }.joined(separator: ", ")))"
    case .yCbCr:
      let luma =
        if let second = layout.secondLuma {
          fetch(x == 0 ? parts[0] : second, at: "block")
        } else {
          fetch(parts[0], at: p)
        }
      codes = "vec3(\(luma), \(chroma(x, y)))"
    }
    let alpha = layout.alpha.map { "\(fetch($0, at: p)) / \(Double(layout.maximumCode))" } ?? "1.0"
    // Only a picture that does not consist of whole blocks needs to look.
    var isInside: [String] = []
    if x > 0, format.width % block.width != 0 { isInside.append("at.x + \(x) < \(format.width)") }
    if y > 0, format.height % block.height != 0 {
      isInside.append("at.y + \(y) < \(format.height)")
    }
    let condition = isInside.isEmpty ? "" : "if (\(isInside.joined(separator: " && "))) "
    return "\(condition)store(\(p), \(codes), \(alpha));"
  }

  /// The chroma samples about the block, fetched once: `c<column>_<row>` with 1 for the block's own,
  /// 0 for the one before and 2 for the one after; at the edges the outermost again.
  private var chromaFetches: [String] {
    let (blue, red) = (layout.components[1], layout.components[2])
    let plane = layout.planes[blue.plane]
    let last = (x: plane.width(format.width) - 1, y: plane.height(format.height) - 1)
    func samples(_ places: [ChromaPlace]) -> [Int] {
      Set(places.flatMap { $0.weight == 0 ? [$0.sample] : [$0.sample, $0.sample + 1] }).sorted()
    }
    func index(_ axis: String, _ sample: Int, _ last: Int) -> String {
      switch sample {
      case -1: "max(block.\(axis) - 1, 0)"
      case 1: "min(block.\(axis) + 1, \(last))"
      default: "block.\(axis)"
      }
    }
    return samples(rows).flatMap { y in
      samples(columns).map { x in
        let texel = "ivec2(\(index("x", x, last.x)), \(index("y", y, last.y)))"
        return """
          vec2 c\(x + 1)_\(y + 1) = vec2(\(fetch(blue, at: texel)), \(fetch(red, at: texel)));
          """
      }
    }
  }

  /// The chroma codes at a pixel of the block.
  private func chroma(_ x: Int, _ y: Int) -> String {
    func mixed(_ place: ChromaPlace, _ value: (Int) -> String) -> String {
      place.weight == 0
        ? value(place.sample)
        : "mix(\(value(place.sample)), \(value(place.sample + 1)), \(place.weight))"
    }
    return mixed(rows[y]) { row in mixed(columns[x]) { "c\($0 + 1)_\(row + 1)" } }
  }

  private var columns: [ChromaPlace] {
    ChromaPlace.ofBlock(
      factor: block.width, position: format.color.chromaSiting.position.x)
  }

  private var rows: [ChromaPlace] {
    ChromaPlace.ofBlock(
      factor: block.height, position: format.color.chromaSiting.position.y)
  }
}

/// Where a luma pixel lies between chroma samples, on one axis.
private struct ChromaPlace {
  /// The sample at or before it, counted from the block's own: 0 or -1.
  let sample: Int
  /// How far on the way to the next sample it is, 0 up to 1.
  let weight: Double

  /// The places of a block's pixels; its own sample sits at position * (factor - 1).
  static func ofBlock(factor: Int, position: Double) -> [ChromaPlace] {
    (0..<factor).map { pixel in
      let distance = (Double(pixel) - position * Double(factor - 1)) / Double(factor)
      let sample = distance.rounded(.down)
      return ChromaPlace(sample: Int(sample), weight: distance - sample)
    }
  }
}
