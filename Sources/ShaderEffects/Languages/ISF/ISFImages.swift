/// The GLSL that reads images for an ISF effect; only the functions that its shaders call.
struct ISFImages {
  private let header: ISFHeader
  private let calls: [Int: Set<ISFImageCall>]
  private let anyCalls: Set<ISFImageCall>
  private let isMoved: Bool
  private let isAlone: Bool

  /// `isMoved` means that a pixel may show another place than its own; `isAlone` means that the effect
  /// runs in its own kernels, which may write textures of other sizes.
  init(_ header: ISFHeader, _ shaders: [ISFTranslation], isMoved: Bool, isAlone: Bool) {
    self.header = header
    self.isMoved = isMoved
    self.isAlone = isAlone
    anyCalls = shaders.reduce(into: []) { $0.formUnion($1.anyCalls) }
    var calls: [Int: Set<ISFImageCall>] = [:]
    for shader in shaders {
      calls.merge(shader.calls) { $0.union($1) }
    }
    for number in header.images.indices where !anyCalls.isEmpty {
      calls[number, default: []].formUnion(anyCalls)
    }
    self.calls = calls
  }

  /// The index of the image that is read as the frame.
  private var frame: Int? {
    let names = Set(header.header.inputs.filter { $0.imageRole == .frame }.map(\.name))
    return header.images.firstIndex { names.contains($0) }
  }

  /// True if the effect reads only its own pixel of the frame, and no other image.
  var readsOwnPixelOnly: Bool {
    let frame = frame
    return !isMoved
      && calls.allSatisfy { number, calls in
        number == frame && calls.isSubset(of: [.this, .here])
      }
  }

  var glsl: String {
    let own = header.header
    let known = Set(
      own.passes.compactMap(\.name) + own.imports.map(\.name)
        + own.inputs.filter(\.kind.isImage).map(\.name))
    let numbers = header.imageNumbers
    let frame = frame
    var lines: [String] = []
    for (number, name) in header.images.enumerated() {
      lines.append("const int \(ISFImageCall.idName(number)) = \(number);")
      let image = ISFImageCall.imageName(number)
      if let view = header.views[name] {
        guard let calls = calls[number] else { continue }
        lines.append(
          view.glsl(calls, number: number) { name in
            ISFImageCall.imageName(numbers[name] ?? number)
          })
        continue
      }
      if !known.contains(name), calls[number] != nil {
        lines.append(
          """
          vec4 \(image)(vec2 uv) { return vec4(0.0); }
          vec4 \(image)Pixel(ivec2 p) { return vec4(0.0); }
          ivec2 \(image)Size() { return ivec2(1); }
          vec4 \(ISFImageCall.norm.name(number))(int image, vec3 place) { return vec4(0.0); }
          vec4 \(ISFImageCall.norm.name(number))(int image, vec3 place, float bias) { return vec4(0.0); }
          """)
      }
      let isWholeFrame = !isAlone && number == frame
      let own = calls[number] ?? []
      if own.contains(where: { $0.isBlending(isWholeFrame: isWholeFrame, isMoved: isMoved) }) {
        lines.append(ISFImageCall.blending(number))
      }
      for call in ISFImageCall.allCases where own.contains(call) {
        lines.append(call.glsl(number, isWholeFrame: isWholeFrame, isMoved: isMoved))
      }
    }
    for call in ISFImageCall.allCases where anyCalls.contains(call) {
      lines.append(call.glsl(anyOf: header.images.count))
    }
    return lines.joined(separator: "\n")
  }
}
