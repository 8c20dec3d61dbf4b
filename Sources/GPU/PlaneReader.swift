import Frames

/// The GLSL that reads a source's planes: each invocation makes the pixels that share a chroma
/// sample, as unclamped RGB with straight alpha, and puts them where they are seen upright.
///
/// The planes are integer images, so what is fetched are the codes themselves. Chroma is brought to
/// full size by linear interpolation between the samples' true places (the siting), computed here
/// with whole texels and fixed weights: texture units filter with few bits, and not all alike. The
/// sums are exact in 32-bit floats.
struct PlaneReader {
  let format: FrameFormat

  private var layout: PixelLayout { format.pixelFormat.layout }
  private var width: Int { format.width }
  private var height: Int { format.height }

  /// Pixels that an invocation makes.
  var block: (width: Int, height: Int) {
    let (x, y) = layout.chromaSubsampling
    return (x, y)
  }

  /// Invocations for a frame.
  var invocations: (width: Int, height: Int) {
    ((width + block.width - 1) / block.width, (height + block.height - 1) / block.height)
  }

  /// Bindings: the planes' samplers 0, 1, ..., then the picture.
  var source: String {
    let conversion = ColorConversion.toRGB(
      format.color, model: layout.model, depth: layout.depth)
    let map = format.orientation.storedPixel(width: width, height: height)
    let side = ComputeKernel.groupSide
    let planes = layout.planes.indices.map {
      "layout(set = 0, binding = \($0)) uniform usampler2D plane\($0);"
    }
    return """
      #version 450
      layout(local_size_x = \(side), local_size_y = \(side)) in;
      \(planes.joined(separator: "\n"))
      layout(set = 0, binding = \(planes.count), rgba16f) uniform writeonly image2D picture;
      \(conversion.glsl(function: "toRGB"))
      \(chromaFunction)
      // The map from seen to stored pixels is a turn, whose inverse is its transpose.
      void put(ivec2 p, vec3 codes, float alpha) {
        ivec2 q = p - ivec2(\(map.origin.x), \(map.origin.y));
        ivec2 seen = ivec2(
          q.x * \(map.dx.x) + q.y * \(map.dx.y), q.x * \(map.dy.x) + q.y * \(map.dy.y));
        if (p.x < \(width) && p.y < \(height))
          imageStore(picture, seen, vec4(toRGB(codes), alpha));
      }
      void main() {
        ivec2 block = ivec2(gl_GlobalInvocationID.xy);
        if (block.x >= \(invocations.width) || block.y >= \(invocations.height)) return;
        ivec2 at = block * ivec2(\(block.width), \(block.height));
        \(body.joined(separator: "\n  "))
      }
      """
  }

  private var body: [String] {
    var lines: [String] = []
    if layout.model == .yCbCr {
      let (across, down) = taps
      let columns = Set(across.flatMap(\.keys)).sorted()
      for row in Set(down.flatMap(\.keys)).sorted() {
        for column in columns {
          lines.append(
            "vec2 \(chromaName(column, row)) = chroma(block + ivec2(\(column), \(row)));")
        }
      }
    }
    for y in 0..<block.height {
      for x in 0..<block.width {
        let pixel = "at + ivec2(\(x), \(y))"
        let alpha =
          layout.alpha.map { "\(fetch($0, at: pixel)) / \(Double(layout.maximumCode))" } ?? "1.0"
        lines.append("put(\(pixel), \(codes(x: x, y: y)), \(alpha));")
      }
    }
    return lines
  }

  /// The codes of a pixel of the block.
  private func codes(x: Int, y: Int) -> String {
    let parts = layout.components
    let pixel = "at + ivec2(\(x), \(y))"
    switch layout.model {
    case .gray: return "vec3(\(fetch(parts[0], at: pixel)))"
    case .rgb:
      return "vec3(\(parts.map { fetch($0, at: pixel) }.joined(separator: ", ")))"
    case .yCbCr:
      let luma =
        if let second = layout.secondLuma {
          fetch(x == 0 ? parts[0] : second, at: "block")
        } else {
          fetch(parts[0], at: pixel)
        }
      let terms = taps.down[y].sorted { $0.key < $1.key }.flatMap { row, weightY in
        taps.across[x].sorted { $0.key < $1.key }.map { column, weightX in
          "\(weightX * weightY) * \(chromaName(column, row))"
        }
      }
      return "vec3(\(luma), \(terms.joined(separator: " + ")))"
    }
  }

  /// A component's code at a pixel of the block.
  ///
  /// A block that hangs over the edge has pixels outside, which `put` drops; they must not be
  /// fetched from there all the same.
  private func fetch(_ component: PixelLayout.Component, at texel: String) -> String {
    let hangsOver = width % block.width != 0 || height % block.height != 0
    guard hangsOver else { return code(component, at: texel) }
    let plane = layout.planes[component.plane]
    let last = "ivec2(\(plane.width(width) - 1), \(plane.height(height) - 1))"
    return code(component, at: "min(\(texel), \(last))")
  }

  /// A component's code at a texel of its plane.
  private func code(_ component: PixelLayout.Component, at texel: String) -> String {
    let channel = ["r", "g", "b", "a"][component.channel]
    let shift = layout.shift == 0 ? "" : " >> \(layout.shift)"
    return "float(texelFetch(plane\(component.plane), \(texel), 0).\(channel)\(shift))"
  }

  private var chromaFunction: String {
    guard layout.model == .yCbCr else { return "" }
    let (blue, red) = (layout.components[1], layout.components[2])
    let plane = layout.planes[blue.plane]
    let last = "ivec2(\(plane.width(width) - 1), \(plane.height(height) - 1))"
    return """
      vec2 chroma(ivec2 c) {
        c = clamp(c, ivec2(0), \(last));
        return vec2(\(code(blue, at: "c")), \(code(red, at: "c")));
      }
      """
  }

  private func chromaName(_ column: Int, _ row: Int) -> String {
    "c\(column + 1)_\(row + 1)"
  }

  /// For each column and row of the block, the weights of the chroma samples about it, by their
  /// distance from the block's own.
  private var taps: (across: [[Int: Double]], down: [[Int: Double]]) {
    let siting = format.color.chromaSiting.position
    return (
      PlaneReader.taps(factor: block.width, position: siting.x),
      PlaneReader.taps(factor: block.height, position: siting.y)
    )
  }

  /// The same for one axis: sample i sits at luma place i * factor + position * (factor - 1).
  static func taps(factor: Int, position: Double) -> [[Int: Double]] {
    (0..<factor).map { offset in
      let place = (Double(offset) - position * Double(factor - 1)) / Double(factor)
      let first = place.rounded(.down)
      let share = place - first
      return share == 0
        ? [Int(first): 1] : [Int(first): 1 - share, Int(first) + 1: share]
    }
  }
}
