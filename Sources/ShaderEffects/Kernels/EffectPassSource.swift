import GPU

/// The GLSL of one pass of an effect that has several passes, or that reads earlier frames.
struct EffectPassSource {
  let effect: BoundEffect
  let plan: PassPlan
  let pass: Int
  let reader: PixelLoad
  let writer: PixelStore
  /// The textures that the effect reads and keeps; nil in a kernel that never runs.
  var memory: FeedbackTextures?
  /// The effects after it that the kernel of its last pass holds too.
  var following: [BoundEffect] = []

  private var shader: EffectShader { effect.shader }
  private var isLast: Bool { pass == plan.passCount - 1 }
  /// Whether earlier frames are read where they were uploaded.
  private var readsUpload: Bool {
    memory?.ring == nil && plan.ring != nil && reader.earlierFrames > 0
  }

  /// The kernel; the effect's lines keep the author's line numbers under the file's path.
  var source: KernelSource {
    let size = plan.size(of: pass)
    let hasOwnMain = shader.traits.hasOwnMain
    let surroundings = KernelFragment(
      """
      ivec2 frameSize() { return ivec2(\(plan.width), \(plan.height)); }
      \(hasOwnMain ? FusedKernelSource.pixelOfInvocation : FusedKernelSource.pixelOfCall)
      \(ShaderPrelude.noise)
      """)
    let reading = KernelFragment(
      """
      #define PASSINDEX \(pass)
      const bool kf_isFloat = \(shader.file.header.passes.dropFirst(pass).first?.isFloat == true);
      const ivec2 kf_size = ivec2(\(size.width), \(size.height));
      \(ShaderPrelude.clamping(shader))
      \(layers)
      \(ShaderPrelude.reading)
      """, resources: [effect.block("kf_Uniforms")])
    let text = KernelFragment(
      """
      \(hasOwnMain ? storing : "")
      \(shader.otherNames.define)
      \(shader.glsl.body)
      \(shader.otherNames.undefine)
      \(undefinitions)
      """, name: shader.file.name + (plan.passCount > 1 ? "-pass\(pass)" : ""))
    var work = [surroundings, reading]
    work += effect.imageFragments(id: "", storage: plan.storage)
    work += targets + earlier + keeping
    work.append(text)
    work += followers
    if !hasOwnMain { work.append(KernelFragment(color)) }
    var source = KernelSource(reader: reader, writer: writer, work: work)
    source.extensions = shader.glsl.extensions
    source.hasOwnMain = hasOwnMain
    source.isOnePixelEach =
      shader.traits.isOnePixelEach || following.contains(where: \.shader.traits.isOnePixelEach)
    source.quads = shader.quads
    return source
  }

  /// Undefines the macros, which must not change kfrec's own text behind them, and which a following effect may define too.
  private var undefinitions: String {
    (["PASSINDEX"] + shader.ownNames.macros).map { "#undef \($0)" }.joined(separator: "\n")
  }

  private var followers: [KernelFragment] {
    zip(1..., following).flatMap { index, effect in
      FusedKernelSource.part(effect, index: index, isShared: true, storage: plan.storage)
    }
  }

  /// Functions that return the layers for the reader and the writer, for textures with several layers.
  private var layers: String {
    var lines: [String] = []
    if let ring = plan.ring, !readsUpload {
      lines.append("int kf_readLayer() { return kf_turn % \(ring.layers); }")
    }
    if let target = plan.target(of: pass), target.shape.layers > 1 {
      lines.append("int kf_resultLayer() { return \(target.written); }")
    }
    return lines.joined(separator: "\n")
  }

  /// The functions that read the targets.
  private var targets: [KernelFragment] {
    plan.targets.enumerated().map { index, target in
      var fragment = target.shape.reading("kf_target\(index)", from: bound(target: index))
      fragment.glsl += "\n" + reading(target, "kf_target\(index)")
      return fragment
    }
  }

  /// The functions that read earlier frames; none if no frames are kept.
  private var earlier: [KernelFragment] {
    guard let ring = plan.ring else { return [] }
    var fragment =
      readsUpload
      ? KernelFragment("")
      : ring.reading(
        "kf_earlier", from: (memory?.ring).map { .always($0.resource) } ?? .nothing)
    let read =
      readsUpload
      ? "kf_readEarlier(back, q)"
      : "kf_earlier((kf_turn + \(ring.layers) - back) % \(ring.layers), q)"
    fragment.glsl += """

      vec4 earlierPixel(int k, ivec2 p) {
        int back = clamp(k, 0, min(kf_age, \(ring.layers - 1)));
        ivec2 q = clamp(p, ivec2(0), frameSize() - 1);
        return kf_clamp(\(read));
      }
      \(ShaderPrelude.blending("earlier", size: "frameSize()", leading: "int k, ", arguments: "k, "))
      """
    return [fragment]
  }

  /// The function `kf_keep`, which writes the targets that the last pass has besides the result.
  private var keeping: [KernelFragment] {
    let kept = isLast ? plan.targets.indices.filter { plan.targets[$0].pass == pass } : []
    let writing = kept.enumerated().map { place, index in
      plan.targets[index].shape.writing("kf_keep\(place)", to: bound(target: index))
    }
    let calls = kept.enumerated().map { place, index in
      "kf_keep\(place)(\(plan.targets[index].written), p, color);"
    }
    return writing + [
      KernelFragment("void kf_keep(ivec2 p, vec4 color) { \(calls.joined(separator: " ")) }")
    ]
  }

  private func bound(target index: Int) -> KernelResource.Bound {
    memory.map { .always($0.targets[index].resource) } ?? .nothing
  }

  /// Returns `NAME`, `NAMEPixel` and `NAMESize` of a target that `function` reads; `previous` has no
  /// size.
  private func reading(_ target: PassPlan.Target, _ function: String) -> String {
    let (name, shape) = (shader.glsl.imageName(target.name), target.shape)
    let read = "\(function)(\(target.read(in: pass)), clamp(p, ivec2(0), size - 1))"
    let value =
      switch target.kind {
      case .pass: pass > target.pass ? read : "vec4(0.0)"
      case .persistentPass: pass > target.pass ? read : "kf_age == 0 ? vec4(0.0) : \(read)"
      case .ownResult: "kf_age == 0 ? framePixel(p) : \(kept(read))"
      }
    guard target.kind == .ownResult else {
      return ImageReading.glsl(name, width: shape.width, height: shape.height, pixel: value)
    }
    return """
      vec4 \(name)Pixel(ivec2 p) {
        ivec2 size = ivec2(\(shape.width), \(shape.height));
        return \(value);
      }
      \(ShaderPrelude.blending(name, size: "frameSize()"))
      """
  }

  /// Returns a read of the kept result, which is light if the effect sees light: not 0 to 1 for HDR.
  private func kept(_ read: String) -> String {
    guard shader.file.header.seesLight else { return "kf_clamp(\(read))" }
    return shader.file.header.isUnclamped ? read : "max(\(read), vec4(0.0))"
  }

  /// The function `store`: a target, and the result that is kept, get the colour before it is mixed.
  private var storing: String {
    let (width, height) = plan.size(of: pass)
    return ShaderPrelude.writing(
      shader, size: "ivec2(\(width), \(height))", keeping: isLast ? "kf_keep(p, color);" : "",
      isResult: isLast)
  }

  private var color: String {
    let (width, height) = plan.size(of: pass)
    let condition = shader.quads == nil ? "" : "if (kf_isInside(p)) "
    return ShaderPrelude.color(
      of: shader, size: "\(width), \(height)",
      keeping: isLast ? condition + "kf_keep(p, color);" : "", isResult: isLast,
      following: FusedKernelSource.calls(of: following[...]))
  }
}
