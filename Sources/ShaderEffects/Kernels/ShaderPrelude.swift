import GPU

/// The GLSL code that every effect may use.
enum ShaderPrelude {
  /// Returns `kf_clamp`, which is applied to each colour of a frame that is read.
  ///
  /// For effects that see light it returns light, and there are `vec3 toLight(vec3)` and `vec3 toCoded(vec3)`.
  static func clamping(_ shader: EffectShader) -> String {
    let header = shader.file.header
    let color = header.isUnclamped ? "color" : "clamp(color, vec4(0.0), vec4(1.0))"
    guard header.seesLight else { return "vec4 kf_clamp(vec4 color) { return \(color); }" }
    let curve = LightCurve(effectsSee: shader.transfer)
    return """
      \(curve?.toLight(name: "toLight") ?? "vec3 toLight(vec3 v) { return v; }")
      \(curve?.toCoded(name: "toCoded") ?? "vec3 toCoded(vec3 v) { return v; }")
      vec4 kf_clamp(vec4 color) {
        color = \(color);
        return vec4(toLight(color.rgb), color.a);
      }
      """
  }

  /// Returns the statement that codes the `color` that an effect has made; `suffix` is that of its names in the kernel.
  static func coding(_ shader: EffectShader, suffix: String = "") -> String {
    shader.file.header.seesLight ? "color.rgb = toCoded\(suffix)(color.rgb);" : ""
  }

  /// Functions that read any pixel, for effects whose input is what the kernel reads.
  ///
  /// Filtering is written out, because the weights of samplers differ in their bits from driver to
  /// driver.
  static let reading = """
    vec4 framePixel(ivec2 p) { return kf_clamp(kf_read(clamp(p, ivec2(0), frameSize() - 1))); }
    vec4 framePixel() { return kf_clamp(kf_ownPixel(clamp(PIXEL, ivec2(0), frameSize() - 1))); }

    \(blending("frame", size: "frameSize()"))
    """

  /// Returns `vec4 NAME(vec2 uv)`, which interpolates between the pixels of `NAMEPixel`.
  ///
  /// `leading` declares parameters before uv; `arguments` passes them on.
  static func blending(
    _ name: String, size: String, leading: String = "", arguments: String = ""
  ) -> String {
    let pixel = "\(name)Pixel(\(arguments)"
    return """
      vec4 \(name)(\(leading)vec2 uv) {
        vec2 size = vec2(\(size));
        vec2 p = clamp(uv * size - 0.5, vec2(-1.0), size);
        vec2 corner = floor(p);
        vec2 weight = p - corner;
        ivec2 q = ivec2(corner);
        vec4 top = mix(\(pixel)q), \(pixel)q + ivec2(1, 0)), weight.x);
        vec4 bottom = mix(\(pixel)q + ivec2(0, 1)), \(pixel)q + ivec2(1, 1)), weight.x);
        return mix(top, bottom, weight.y);
      }
      """
  }

  /// Returns the function `store`, for an effect with its own `main` that makes an image of a size.
  ///
  /// `keeping` is a statement that gets the colour before it is mixed, as the effect's result is.
  static func writing(
    _ shader: EffectShader, size: String = "frameSize()", keeping: String = "",
    isResult: Bool = true
  ) -> String {
    """
    void store(ivec2 p, vec4 color) {
      if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, \(size)))) return;
      \(keeping)
      \(isResult ? coding(shader) : "")
      \(isResult ? mixing("kf_ownPixel(p)") : "")
      kf_store(p, color);
    }
    """
  }

  /// Returns the function `kf_color`, which calls `effect` for a pixel of an image of a size, and then the effects behind.
  ///
  /// `keeping` is a statement that gets the colour before it is mixed, as the effect's result is.
  static func color(
    of shader: EffectShader, size: String, keeping: String = "", isResult: Bool = true,
    following: String
  ) -> String {
    let input =
      shader.quads == nil ? "kf_ownPixel(p)" : "kf_read(clamp(p, ivec2(0), frameSize() - 1))"
    return """
      vec4 kf_color(ivec2 p) {
        kf_pixel = p;
        vec2 uv = (vec2(p) + 0.5) / vec2(\(size));
        vec4 color = effect(uv);
        \(keeping)
        \(isResult ? coding(shader) : "")
        \(isResult && shader.isMixed ? mixing(input) : "")
        \(following)
        return color;
      }
      """
  }

  /// Returns the statement that blends `color` over the effect's input.
  ///
  /// At 1 the input is not even read, and at 0 it comes through unchanged, also if `color` is not a number.
  static func mixing(_ input: String, by mix: String = "kf_mix") -> String {
    "if (\(mix) < 1.0) { vec4 kf_before = \(input); "
      + "color = \(mix) > 0.0 ? mix(kf_before, color, \(mix)) : kf_before; }"
  }

  /// Noise from integers, because sin differs from driver to driver.
  ///
  /// The generator is PCG (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 9(3), 2020).
  static let noise = """
    uint kf_scramble(uint n) {
      uint state = n * 747796405u + 2891336453u;
      uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
      return (word >> 22u) ^ word;
    }
    float kf_unit(uint n) { return float(n >> 8u) * (1.0 / 16777216.0); }
    float hash(int n) { return kf_unit(kf_scramble(uint(n))); }
    float hash(ivec2 p) { return kf_unit(kf_scramble(uint(p.x) + kf_scramble(uint(p.y)))); }
    float hash(ivec3 p) {
      return kf_unit(kf_scramble(uint(p.x) + kf_scramble(uint(p.y) + kf_scramble(uint(p.z)))));
    }

    float noise(vec2 p) {
      ivec2 i = ivec2(floor(p));
      vec2 f = p - floor(p);
      vec2 w = f * f * (3.0 - 2.0 * f);
      float top = mix(hash(i), hash(i + ivec2(1, 0)), w.x);
      float bottom = mix(hash(i + ivec2(0, 1)), hash(i + ivec2(1, 1)), w.x);
      return mix(top, bottom, w.y);
    }

    float kf_face(ivec3 i, vec2 w) {
      float top = mix(hash(i), hash(i + ivec3(1, 0, 0)), w.x);
      float bottom = mix(hash(i + ivec3(0, 1, 0)), hash(i + ivec3(1, 1, 0)), w.x);
      return mix(top, bottom, w.y);
    }

    float noise(vec3 p) {
      ivec3 i = ivec3(floor(p));
      vec3 f = p - floor(p);
      vec3 w = f * f * (3.0 - 2.0 * f);
      return mix(kf_face(i, w.xy), kf_face(i + ivec3(0, 0, 1), w.xy), w.z);
    }
    """
}
