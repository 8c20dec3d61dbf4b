import ShaderCompiler

/// The vertex shader of an ISF file: it runs at the corners of the frame, and its outputs are
/// interpolated for each pixel.
///
/// As in ISF hosts, the corners form two triangles that meet between bottom right and top left.
struct ISFVertexStage: Sendable {
  let shader: ISFTranslation
  let path: String
  /// True if the shader changes the corners' positions or their coordinates.
  let isMoving: Bool
  private let varyings: [ISFVariable]
  private let fragmentNames: ISFNames

  /// `wanted` are the varyings that the fragment shader takes, and `names` its names.
  init(_ shader: ISFTranslation, path: String, wanted: [ISFVariable], names: ISFNames) {
    self.shader = shader
    self.path = path
    fragmentNames = names
    let words = shader.words
    isMoving = words.indices.contains { index in
      if words[index] == "gl_Position" { return true }
      guard ["isf_FragNormCoord", "vv_FragNormCoord"].contains(words[index]) else { return false }
      var next = index + 1
      while next + 1 < words.count, words[next] == "." { next += 2 }
      let (sign, after) = (
        next < words.count ? words[next] : "", next + 1 < words.count ? words[next + 1] : ""
      )
      return (sign == "=" && after != "=") || ("+-*/".contains(sign) && after == "=")
    }
    let made = Dictionary(
      shader.variables.filter { $0.storage == .varying }.map { ($0.name, $0) }
    ) { first, _ in first }
    varyings = wanted.compactMap { made[$0.name] }
  }

  private func own(_ variable: ISFVariable) -> String {
    shader.names.name(for: variable.name, isCalled: false) ?? variable.name
  }

  /// The shader, and `bool kf_blend(vec2 place)`, which sets the fragment shader's varyings and returns
  /// false if nothing is drawn there.
  var glsl: String {
    let members = varyings.map { "\($0.type) \(member($0))\($0.array);" }
    let values = varyings.map { ", \(own($0))" }
    return """
      vec4 kf_Position;
      vec2 kf_vertexNorm;
      vec2 kf_corner;
      void kf_vertexInit() {
        kf_Position = vec4(kf_corner * 2.0 - 1.0, 0.0, 1.0);
        kf_vertexNorm = kf_corner;
      }
      \(shader.variables.map(declaration).joined(separator: "\n"))
      \(shader.passing)
      #line 1 "\(EffectShader.quoted(path))"
      \(shader.text)
      #line 1 "\(EffectShader.quoted(GeneratedText.name(after: path)))"
      \(shader.macros.map { "#undef \($0)" }.joined(separator: "\n"))
      struct kf_Vertex {
        vec4 position; vec2 norm; \(members.joined(separator: " "))
      };
      kf_Vertex kf_vertexAt(vec2 corner) {
        kf_corner = corner;
        kf_vertexMain();
        return kf_Vertex(kf_Position, kf_vertexNorm\(values.joined()));
      }
      void kf_take(kf_Vertex kf_a, kf_Vertex kf_b, kf_Vertex kf_c, vec3 kf_w) {
        \(isMoving ? "isf_FragNormCoord = \(weighted("norm"));" : "")
        \(varyings.map(blending).joined(separator: "\n  "))
      }
      \(isMoving ? Self.movedBlend : Self.plainBlend)
      """
  }

  private func declaration(_ variable: ISFVariable) -> String {
    let name = own(variable)
    if shader.names.imageNumbers[variable.name] != nil || EffectNames.isBuiltIn(variable.name)
      || variable.name == "isf_FragNormCoord" || variable.name == "vv_FragNormCoord"
    {
      return ""
    }
    return "\(variable.type) \(name)\(variable.array);"
  }

  /// The name of a varying in `kf_Vertex`, which has members of its own.
  private func member(_ variable: ISFVariable) -> String { "kf_v\(variable.name)" }

  /// Returns the statement of `kf_take` that sets a varying; an author's varying may have any name but kfrec's own.
  private func blending(_ variable: ISFVariable) -> String {
    let name = fragmentNames.name(for: variable.name, isCalled: false) ?? variable.name
    let member = member(variable)
    if variable.isFlat { return "\(name) = kf_c.\(member);" }
    guard !variable.array.isEmpty else { return "\(name) = \(weighted(member));" }
    return "for (int kf_i = 0; kf_i < \(name).length(); kf_i++) "
      + "\(name)[kf_i] = \(weighted(member + "[kf_i]"));"
  }

  private func weighted(_ member: String) -> String {
    "kf_w.x * kf_a.\(member) + kf_w.y * kf_b.\(member) + kf_w.z * kf_c.\(member)"
  }

  private static let plainBlend = """
    bool kf_blend(vec2 n) {
      bool isFirst = n.x + n.y <= 1.0;
      kf_Vertex own = kf_vertexAt(isFirst ? vec2(0.0) : vec2(1.0));
      kf_Vertex right = kf_vertexAt(vec2(1.0, 0.0));
      kf_Vertex top = kf_vertexAt(vec2(0.0, 1.0));
      kf_take(
        own, right, top,
        isFirst ? vec3(1.0 - n.x - n.y, n.x, n.y) : vec3(n.x + n.y - 1.0, 1.0 - n.y, 1.0 - n.x));
      return true;
    }
    """

  /// Computes a pixel's weights in a triangle, with the perspective of its corners (Olano and Greer,
  /// "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997).
  private static let movedBlend = """
    bool kf_cover(kf_Vertex a, kf_Vertex b, kf_Vertex c, vec2 place) {
      mat3 corners = mat3(a.position.xyw, b.position.xyw, c.position.xyw);
      if (abs(determinant(corners)) < 1e-9) return false;
      vec3 w = inverse(corners) * vec3(place, 1.0);
      if (any(lessThan(w, vec3(0.0)))) return false;
      w /= w.x + w.y + w.z;
      float depth = dot(w, vec3(a.position.z, b.position.z, c.position.z));
      float limit = dot(w, vec3(a.position.w, b.position.w, c.position.w));
      if (abs(depth) > limit) return false;
      kf_take(a, b, c, w);
      return true;
    }
    bool kf_blend(vec2 n) {
      kf_Vertex left = kf_vertexAt(vec2(0.0));
      kf_Vertex right = kf_vertexAt(vec2(1.0, 0.0));
      kf_Vertex top = kf_vertexAt(vec2(0.0, 1.0));
      kf_Vertex last = kf_vertexAt(vec2(1.0));
      vec2 place = n * 2.0 - 1.0;
      return kf_cover(right, top, last, place) || kf_cover(left, right, top, place);
    }
    """
}
