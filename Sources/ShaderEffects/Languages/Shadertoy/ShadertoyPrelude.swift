import ShaderCompiler

/// Shadertoy's values, as variables that are set before a pixel is shaded.
enum ShadertoyPrelude {
  /// Returns only the values that a text names, because computing the others would be wasted work.
  ///
  /// `channels` are the names of the images, or of views of them, in the header.
  static func text(words: Set<String>, channels: [String?]) -> String {
    let sizes = channels.map { channel in
      channel.map { "vec3(IMG_SIZE(\($0)), 1.0)" } ?? "vec3(0.0)"
    }
    let values = [
      ("iResolution", "vec3 iResolution = vec3(RENDERSIZE, 1.0);"),
      ("iTime", "float iTime = TIME;"),
      ("iGlobalTime", "float iGlobalTime = TIME;"),
      ("iTimeDelta", "float iTimeDelta = TIMEDELTA;"),
      ("iFrameRate", "float iFrameRate = kf_rate;"),
      ("iFrame", "int iFrame = FRAMEINDEX;"),
      ("iChannelTime", "float iChannelTime[4] = float[4](TIME, TIME, TIME, TIME);"),
      (
        "iChannelResolution",
        "vec3 iChannelResolution[4] = vec3[4](\(sizes.joined(separator: ", ")));"
      ),
      ("iMouse", PointerInput.glsl),
      // Shadertoy counts months from 0.
      ("iDate", "vec4 iDate = vec4(DATE.x, DATE.y - 1.0, DATE.zw);"),
      ("iSampleRate", "float iSampleRate = 44100.0;"),
    ]
    return values.filter { words.contains($0.0) }.map(\.1).joined(separator: "\n")
  }

  /// The names of all values, which a text may declare as uniforms.
  static let names: Set<String> = [
    "iResolution", "iTime", "iGlobalTime", "iTimeDelta", "iFrameRate", "iFrame", "iChannelTime",
    "iChannelResolution", "iMouse", "iDate", "iSampleRate",
  ]

  /// Returns the `main` that calls `mainImage`, unless the texts define one; an image is opaque
  /// whatever its alpha.
  static func main(of texts: [String], isImage: Bool) -> String {
    let hasMain = texts.contains {
      GLSLText.tokens($0).firstRange(of: ["void", "main", "("]) != nil
    }
    guard !hasMain else { return "" }
    return """
      void main() {
        vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
        mainImage(color, gl_FragCoord.xy);
        gl_FragColor = \(isImage ? "vec4(color.rgb, 1.0)" : "color");
      }
      """
  }
}
