import GPU

/// The GLSL of one pass of an effect that has several, or that reads pictures of frames before.
///
/// Bindings, in their order: the reader's, the result, the uniforms, the effect's images, all targets
/// to be read, the earlier frames where there are any, and in the last pass what is kept of the
/// result.
struct PassKernel {
  let effect: EffectShader
  let plan: PassPlan
  let pass: Int
  let reader: PictureReader
  let writer: PictureWriter

  private var isLast: Bool { pass == plan.passCount - 1 }
  private var kept: [PassPlan.Target] { isLast ? plan.kept : [] }

  /// What the bindings after the images are, in the order in which `source` numbers them.
  static func bindings(_ plan: PassPlan, pass: Int) -> [BindingKind] {
    plan.targets.map(\.shape.readBinding) + [plan.ring].compactMap { $0?.readBinding }
      + (pass == plan.passCount - 1 ? plan.kept.map(\.shape.writeBinding) : [])
  }

  /// The kernel; the effect's lines carry their author's own numbers under the file's path.
  var source: KernelSource {
    let size = plan.size(of: pass)
    let hasOwnMain = effect.traits.hasOwnMain
    let uniforms = KernelSource.firstFreeBinding(after: reader)
    var source = KernelSource(
      reader: reader, writer: writer,
      body: """
        ivec2 frameSize() { return ivec2(\(plan.width), \(plan.height)); }
        \(hasOwnMain ? EffectKernel.pixelOfInvocation : EffectKernel.pixelOfCall)
        \(ShaderPrelude.noise)
        \(effect.layout.declaration(name: "kf_Uniforms", binding: uniforms))
        #define PASSINDEX \(pass)
        const bool kf_isFloat = \(effect.file.header.passes.dropFirst(pass).first?.isFloat == true);
        const ivec2 kf_size = ivec2(\(size.width), \(size.height));
        \(ShaderPrelude.clamping(isUnclamped: effect.file.header.isUnclamped))
        \(layers)
        \(ShaderPrelude.reading)
        \(images(firstBinding: uniforms + 1))
        \(pictures(firstBinding: uniforms + 1 + effect.images.count))
        \(hasOwnMain ? storing : "")
        \(effect.otherNames.define)
        \(effect.body)
        \(effect.otherNames.undefine)
        \(hasOwnMain ? "" : color)
        """)
    source.work = [effect.file.name + (plan.passCount > 1 ? "-pass\(pass)" : "")]
    source.extensions = effect.extensions
    source.hasOwnMain = hasOwnMain
    source.quads = effect.quads
    return source
  }

  /// Which pictures the reader and the writer use, of those that are several.
  private var layers: String {
    var lines: [String] = []
    if let ring = plan.ring {
      lines.append("int kf_readLayer() { return kf_turn % \(ring.layers); }")
    }
    if let target = plan.target(of: pass), target.shape.layers > 1 {
      lines.append("int kf_resultLayer() { return \(target.written); }")
    }
    return lines.joined(separator: "\n")
  }

  private func images(firstBinding: Int) -> String {
    effect.images.enumerated().map { place, image in
      image.glsl(
        as: effect.pictureName(image.name), id: "\(place)", binding: firstBinding + place,
        storage: plan.storage)
    }.joined(separator: "\n")
  }

  /// The functions that read what was kept, and those that keep the result.
  private func pictures(firstBinding: Int) -> String {
    var binding = firstBinding
    func next() -> Int {
      defer { binding += 1 }
      return binding
    }
    var parts: [String] = []
    for (index, target) in plan.targets.enumerated() {
      parts.append(target.shape.reading("kf_target\(index)", binding: next()))
      parts.append(reading(target, "kf_target\(index)"))
    }
    if let ring = plan.ring {
      parts.append(ring.reading("kf_earlier", binding: next()))
      parts.append(
        """
        vec4 earlierPixel(int k, ivec2 p) {
          int back = clamp(k, 0, min(kf_age, \(ring.layers - 1)));
          int layer = (kf_turn + \(ring.layers) - back) % \(ring.layers);
          return kf_clamp(kf_earlier(layer, clamp(p, ivec2(0), frameSize() - 1)));
        }
        """)
      parts.append(
        ShaderPrelude.blending(
          "earlier", size: "frameSize()", leading: "int k, ", arguments: "k, "))
    }
    for (index, target) in kept.enumerated() {
      parts.append(target.shape.writing("kf_keep\(index)", binding: next()))
    }
    let keeping = kept.enumerated().map { "kf_keep\($0)(\($1.written), p, color);" }
    parts.append("void kf_keep(ivec2 p, vec4 color) { \(keeping.joined(separator: " ")) }")
    return parts.joined(separator: "\n")
  }

  /// `NAME`, `NAMEPixel` and `NAMESize` of a picture that an own function reads.
  private func reading(_ target: PassPlan.Target, _ function: String) -> String {
    let (name, shape) = (effect.pictureName(target.name), target.shape)
    let read = "\(function)(\(target.read(in: pass)), clamp(p, ivec2(0), size - 1))"
    let value =
      switch target.kind {
      case .pass: pass > target.pass ? read : "vec4(0.0)"
      case .persistentPass: pass > target.pass ? read : "kf_age == 0 ? vec4(0.0) : \(read)"
      case .ownResult: "kf_age == 0 ? framePixel(p) : kf_clamp(\(read))"
      }
    guard target.kind == .ownResult else {
      return PictureReading.glsl(name, width: shape.width, height: shape.height, pixel: value)
    }
    return """
      vec4 \(name)Pixel(ivec2 p) {
        ivec2 size = ivec2(\(shape.width), \(shape.height));
        return \(value);
      }
      \(ShaderPrelude.blending(name, size: "frameSize()"))
      """
  }

  /// A target takes the colour as it is; of the result that is kept, before it is mixed.
  private var storing: String {
    let (width, height) = plan.size(of: pass)
    return """
      void store(ivec2 p, vec4 color) {
        if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, ivec2(\(width), \(height))))) return;
        \(isLast ? "kf_keep(p, color);" : "")
        \(isLast ? "if (kf_mix < 1.0) color = mix(kf_read(p), color, kf_mix);" : "")
        kf_store(p, color);
      }
      """
  }

  private var color: String {
    let (width, height) = plan.size(of: pass)
    let hasQuads = effect.quads != nil
    let input = hasQuads ? "kf_read(clamp(p, ivec2(0), frameSize() - 1))" : "kf_read(p)"
    return """
      vec4 kf_color(ivec2 p) {
        kf_pixel = p;
        vec4 color = effect((vec2(p) + 0.5) / vec2(\(width), \(height)));
        \(isLast ? (hasQuads ? "if (kf_isInside(p)) " : "") + "kf_keep(p, color);" : "")
        return \(isLast && effect.isMixed ? "mix(\(input), color, kf_mix)" : "color");
      }
      """
  }
}
