import Frames
import ShaderCompiler
import Testing

@testable import GPU
@testable import ShaderEffects

/// Tests that the names of a kernel's fragments go together: each way of reading and writing frames with each language of
/// effects, in texts that call all that their language has.
@Suite struct KernelNameTests {
  private static let isf: String = {
    let calls = ISFImageCall.functions.flatMap { function, call in
      call.signatures.map { signature -> String in
        let arguments = signature.parameters.split(separator: ",").map { parameter in
          parameter.contains("ivec2")
            ? "ivec2(1)"
            : parameter.contains("vec2") ? "vec2(0.5)" : parameter.contains("int") ? "0" : "0.5"
        }
        let name = signature.type == "vec4" ? "" : "vec4(0.0) + float("
        let end = signature.type == "vec4" ? "" : ".x)"
        return ["inputImage", "back", "kept"].map { image in
          "c += \(name)\(function)(\(([image] + arguments).joined(separator: ", ")))\(end);"
        }.joined(separator: "\n")
      }
    }
    return """
      /*{"INPUTS": [{"NAME": "inputImage", "TYPE": "image"}, {"NAME": "back", "TYPE": "image"},
        {"NAME": "level", "TYPE": "float", "DEFAULT": 0.5}, {"NAME": "mix", "TYPE": "float", "DEFAULT": 0.5},
        {"NAME": "sound", "TYPE": "audio"}], "PASSES": [{"TARGET": "kept", "PERSISTENT": true}, {}]}*/
      vec4 of(sampler2D image) { return texture2D(image, vec2(0.5)) + vec4(textureSize(image, 0).x); }
      void main() {
        vec4 c = of(inputImage) + IMG_NORM_PIXEL(sound, vec2(0.5)) + level * mix;
        \(calls.joined(separator: "\n"))
        gl_FragColor = c;
      }
      """
  }()

  /// A text in each language, by the name of its file.
  private static let texts: [(name: String, text: String)] = [
    (
      "a.comp",
      """
      /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}, {"NAME": "level", "TYPE": "float", "DEFAULT": 0.5},
        {"NAME": "words", "TYPE": "text", "DEFAULT": "a", "SIZE": "9"}, {"NAME": "sound", "TYPE": "audio"}]}*/
      vec4 effect(vec2 uv) {
        vec4 c = frame(uv) + framePixel() + framePixel(PIXEL + 1) + frame(uv, 2.0) * 0.0;
        c += back(uv) + backPixel(ivec2(1)) + float(backSize().x + frameSize().x) + words(uv) + sound(uv);
        return c + hash(int(uv.x)) + noise(uv) + TIME * level;
      }
      """.replacing(" + frame(uv, 2.0) * 0.0", with: "")
    ),
    (
      "memory.comp",
      """
      /*{"HISTORY": 2, "PASSES": [{"TARGET": "small", "WIDTH": "8", "HEIGHT": "8"}, {"TARGET": "kept", "PERSISTENT": true}]}*/
      vec4 effect(vec2 uv) { return earlier(1, uv) + earlierPixel(2, PIXEL) + small(uv) + kept(uv) + framePixel(); }
      """
    ),
    ("slope.comp", "vec4 effect(vec2 uv) { return frame(uv) + dFdx(uv.x) + fwidth(uv.y); }"),
    (
      "feedback.comp",
      "vec4 effect(vec2 uv) { return previous(uv) + previousPixel(PIXEL) + frame(uv); }"
    ),
    (
      "main.comp",
      """
      layout(local_size_x = 8, local_size_y = 8) in;
      void main() { store(PIXEL, framePixel() + frame(vec2(0.5))); }
      """
    ),
    ("passes.fs", isf),
    (
      "plain.fs",
      isf.replacing(", \"PASSES\": [{\"TARGET\": \"kept\", \"PERSISTENT\": true}, {}]", with: "")
        .replacing("kept", with: "back")
    ),
    (
      "toy.glsl",
      """
      void mainImage(out vec4 c, in vec2 p) {
        vec2 size = vec2(textureSize(iChannel0, 0) + textureSize(iChannel1, 0)) + iChannelResolution[0].xy;
        c = texture(iChannel0, p / size) + textureLod(iChannel1, p / size, 0.0) + texelFetch(iChannel0, ivec2(p), 0);
        c += iTime + vec4(iMouse) + dFdx(p.x);
      }
      """
    ),
    (
      "viewer.frag",
      """
      uniform sampler2D u_tex0; uniform vec2 u_tex0Resolution; uniform sampler2D u_tex1; uniform vec2 u_resolution;
      void main() {
        vec2 p = gl_FragCoord.xy / u_resolution;
        gl_FragColor = texture2D(u_tex0, p) + texture2D(u_tex1, p) + u_tex0Resolution.x + textureSize(u_tex0, 0).x;
      }
      """
    ),
    (
      "turn.glsl",
      """
      uniform float smoothness; // = 0.5
      vec4 transition(vec2 p) { return mix(getFromColor(p), getToColor(p), progress * smoothness) * ratio; }
      """
    ),
  ]

  /// The ways of reading and writing frames that have all names: planes, words and textures, and planes of an output.
  private static var ends: [KernelTrial] {
    func format(_ pixels: PixelFormat, transfer: UInt8 = 1) -> FrameFormat {
      FrameFormat(
        width: 16, height: 16, pixelFormat: pixels,
        color: ColorDescription(
          matrix: pixels.layout.model == .rgb ? .rgb : .bt709, range: .limited, primaries: 1,
          transfer: transfer))
    }
    return [
      KernelTrial.texture(width: 16, height: 16),
      KernelTrial.source(format(.rgba), storage: .buffers),
    ] + KernelTrial.sources(width: 16, height: 16)
  }

  @Test(
    "the names of every way of reading and writing frames go together with those of every language",
    arguments: texts.indices)
  func pairs(_ place: Int) throws {
    let (name, text) = Self.texts[place]
    let folder = try EffectFolder()
    try folder.write(name, text)
    let library = EffectLibrary(
      folders: [folder.path],
      searchPath: EffectSearchPath(given: [folder.path], environment: { _ in nil }, executable: nil)
    )
    let compiler = try ShaderCompiler()
    let effect = try library.compile(EffectSpec(name: folder.path + "/" + name), with: compiler)
    for (number, ends) in Self.ends.enumerated() {
      #expect(throws: Never.self, "\(name) with \(number): \(ends.reader.name)") {
        do throws(EffectError) {
          _ = try compiler.trial(of: effect.shader, values: effect.values, ends)
        } catch  where error.description.contains("instructions when its functions stand") {
          // A plan makes several kernels of it.
        }
      }
    }
  }
}
