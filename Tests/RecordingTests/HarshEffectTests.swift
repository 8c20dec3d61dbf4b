import Glibc
import TestSupport
import Testing

/// Tests of effects that could crash the program or exhaust its memory or time: it continues, or
/// reports why not.
@Suite struct HarshEffectTests {
  /// A shader that is small for shaderc, and seconds of work for the compiler of Mesa's software driver.
  private static let slow = """
    vec4 effect(vec2 uv) {
      float a[15000];
      for (int i = 0; i < 64; i++) a[(i * 977 + PIXEL.x) % 15000] = float(i);
      return vec4(a[(PIXEL.x * 3) % 15000]);
    }
    """
  /// Disables the driver's cache, so that it compiles each time.
  private static let anew: [String: String?] = ["MESA_SHADER_CACHE_DISABLE": "true"]

  /// A text of a kilobyte that the compiler would take for years to read.
  private static let endless =
    "#define A0 x\n"
    + (1...40).map { "#define A\($0) A\($0 - 1)+A\($0 - 1)\n" }.joined()
    + "vec4 effect(vec2 uv) { float x = uv.x; return vec4(A40); }\n"

  @Test("an expression of thousands of parts is compiled, or refused with a sentence")
  func deep() throws {
    let folder = try TemporaryFolder()
    let swizzles = String(repeating: ".xyzw", count: 20_000)
    try folder.write(
      "vec4 effect(vec2 uv) { vec4 x = uv.xyxy; return x\(swizzles); }\n".utf8, to: "deep.comp")
    let brackets = String(repeating: "(", count: 20_000)
    try folder.write(
      "vec4 effect(vec2 uv) { return \(brackets)vec4(1)\(brackets.replacing("(", with: ")")); }\n"
        .utf8,
      to: "brackets.comp")
    let result = try KfrecProcess.run(["check", "./deep.comp"], in: folder)
    #expect(result.exitCode == 0, "\(result.exitCode)")
    let refused = try KfrecProcess.run(["check", "./brackets.comp"], in: folder)
    #expect(refused.exitCode == 1 && refused.text.contains("./brackets.comp"))
  }

  @Test(
    "extensions that reach memory, or write the driver's instructions, are refused, however they are enabled",
    arguments: [
      ("GL_EXT_spirv_intrinsics : require", "spirv_storage_class(12) uint a[64];", "a[PIXEL.x]"),
      ("all : warn", "spirv_storage_class(12) uint a[64];", "a[PIXEL.x]"),
      (
        "GL_EXT_buffer_reference_uvec2 : enable\n#extension GL_EXT_buffer_reference : warn",
        """
        layout(buffer_reference, std430) buffer M { uint w[]; };
        uint look(int i) { M m = M(uvec2(4096u, 0u)); return m.w[i]; }
        """, "look(PIXEL.x)"
      ),
    ])
  func extensions(_ words: String, _ declaration: String, _ value: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "#extension \(words)\n\(declaration)\nvec4 effect(vec2 uv) { return vec4(float(\(value))); }\n"
        .utf8, to: "a.comp")
    for words in [
      ["check", "./a.comp"],
      ["-i", "testsrc", "--size", "16x16", "--frames", "1", "-e", "./a.comp"]
        + ["-o", "x.png"],
    ] {
      let result = try KfrecProcess.run(words, in: folder)
      #expect(result.exitCode == 1 || result.exitCode == 2, "\(result)")
      let said = result.text + result.errors
      let sentences = ["reach memory that is not its own", "may not declare its own resources"]
      #expect(sentences.contains { said.contains($0) }, "\(said)")
    }
  }

  @Test("functions that each call the one before twice are refused at once")
  func calls() throws {
    let folder = try TemporaryFolder()
    let functions = (1...23).map {
      "float f\($0)(float x) { return f\($0 - 1)(x) + f\($0 - 1)(x * 1.1); }\n"
    }.joined()
    try folder.write(
      ("float f0(float x) { return sin(x); }\n" + functions
        + "vec4 effect(vec2 uv) { return vec4(f23(uv.x)); }\n").utf8, to: "calls.comp")
    let result = try KfrecProcess.run(["check", "./calls.comp"], in: folder)
    #expect(result.exitCode == 1)
    #expect(
      result.text.contains("instructions when its functions stand where they are called"),
      "\(result)")
  }

  @Test("a text that the compiler reads without end ends by its limit of time")
  func endless() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.endless.utf8, to: "endless.comp")
    let result = try KfrecProcess.run(
      ["check", "--gpu-timeout", "1", "./endless.comp"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains("takes more than 10 s to compile")
        || result.text.contains("MB of memory to compile"), "\(result)")
  }

  @Test("a stop ends the compiler of a text without end")
  func stoppedText() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.endless.utf8, to: "endless.comp")
    let child = try KfrecProcess.start(
      ["-i", "testsrc", "--size", "16x16", "-e", "./endless.comp", "-o", "out.mov"], in: folder)
    // Nothing is told before effects are compiled.
    child.waitUntilItHearsSignals()
    usleep(1_500_000)
    child.send(SIGTERM)
    let result = child.wait()
    // The compiler is given up after 10 s; the end does not wait for that.
    #expect(result.exitCode == 1 && !result.errors.contains("to compile"), "\(result)")
  }

  @Test("integers are divided by zero, and the smallest by -1, without harm")
  func division() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      /*{"INPUTS": [{"NAME": "least", "TYPE": "long", "DEFAULT": -2147483648},
        {"NAME": "minusOne", "TYPE": "long", "DEFAULT": -1},
        {"NAME": "zero", "TYPE": "long", "DEFAULT": 0}]}*/
      vec4 effect(vec2 uv) {
        int folded = 1 << 31;
        int one = 0;
        one -= 1;
        bool isRight = least / minusOne == least && least % minusOne == 0
          && 7 / zero == 7 && 7 % zero == 0 && 7u / uint(zero) == 7u && 7u % uint(zero) == 0u
          && folded / one == least && folded % one == 0
          && ivec4(least, -9, 9, -9) / ivec4(minusOne, 2, zero, minusOne) == ivec4(least, -4, 9, 9)
          && uvec2(9, 8) % uvec2(zero, 3) == uvec2(0, 2) && least / (one - 1) == 1073741824;
        return isRight ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);
      }
      """.utf8, to: "divide.comp")
    let result = try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "16x16", "--frames", "1", "-e", "./divide.comp", "-o", "out.png",
      ], in: folder)
    #expect(result.exitCode == 0, "\(result)")
    let pixels = try Probe.pixels(folder.file("out.png"), "rgb24")
    let green: [UInt8] = [0, 255, 0]
    let picture: [UInt8] = (0..<256).flatMap { _ in green }
    #expect(pixels == picture)
  }

  @Test(
    "arrays too large for a pixel or a work group are refused before the driver gets them")
  func arrays() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      vec4 effect(vec2 uv) {
        float huge[1000000];
        huge[PIXEL.x] = uv.x;
        return vec4(huge[PIXEL.y]);
      }
      """.utf8, to: "huge.comp")
    try folder.write(
      """
      layout(local_size_x = 16, local_size_y = 16) in;
      shared vec4 tile[100000];
      void main() {
        tile[gl_LocalInvocationIndex] = framePixel();
        barrier();
        store(PIXEL, tile[gl_LocalInvocationIndex * 7 % 256].bgra);
      }
      """.utf8, to: "shared.comp")
    let result = try KfrecProcess.run(
      ["check", "--gpu", "llvmpipe", "./huge.comp", "./shared.comp"], in: folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains(
        "./huge.comp:2:9: error: the variables take 3907 KiB for each pixel, and the limit is 64 KiB"
      ),
      "\(result)")
    #expect(
      result.text.contains(
        "./shared.comp: error: shared variables of 1600000 bytes are more than the GPU "),
      "\(result)")
  }

  @Test(
    "a compiler that takes too long is reported as such, and the other effects are still compiled"
  )
  func limit() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.slow.utf8, to: "slow.comp")
    try folder.write("vec4 effect(vec2 uv) { return framePixel().bgra; }".utf8, to: "good.comp")
    let result = try KfrecProcess.run(
      ["check", "--gpu", "llvmpipe", "--gpu-timeout", "2", "./slow.comp", "./good.comp"],
      in: folder, environment: Self.anew)
    #expect(result.exitCode == 1, "\(result)")
    #expect(
      result.text.contains(
        "./slow.comp: error: the compiler of the GPU's driver did not finish the effect slow within 2.0 s"
      ),
      "\(result)")
    #expect(result.errors.contains("the GPU's driver is still busy with slow"))
    #expect(result.text.hasSuffix("./good.comp: passed\n"))
  }

  @Test("Ctrl-C works while the driver compiles, and no file is left")
  func stopped() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.slow.utf8, to: "slow.comp")
    let child = try KfrecProcess.start(
      [
        "--gpu", "llvmpipe", "-i", "testsrc", "--size", "32x32", "--frames", "1", "--progress",
        "json",
        "-e", "./slow.comp", "-o", "out.mov",
      ], in: folder, environment: Self.anew)
    #expect(child.waitForOutput { $0.contains("\"ready\"") })
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 1 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("stopped while the effect slow was compiled"), "\(result)")
    #expect(folder.names == ["slow.comp"])
  }

  @Test("Ctrl-C while the driver compiles for a later frame keeps what was captured until then")
  func stoppedLater() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.slow.replacing("15000", with: "3000").utf8, to: "slow.comp")
    let child = try KfrecProcess.start(
      [
        "--gpu", "llvmpipe", "-i", "testsrc", "--size", "32x32", "--realtime", "--progress", "json",
        "-e", "./slow.comp:from=0.2", "--gpu-timeout", "600", "-o", "out.mov",
      ], in: folder, environment: Self.anew)
    // At frame 6 the compilation begins, and takes seconds. What needs no effect was compiled when frames are encoded.
    #expect(
      child.waitForOutput { text in
        text.matches(of: /"framesIn":(\d+),"framesOut":(\d+)/).contains {
          Int($0.1).map { $0 >= 15 } ?? false && $0.2 != "0"
        }
      })
    child.send(SIGINT)
    let result = child.wait(seconds: 600)
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    let times = try Probe.rows(folder.file("out.mov"), "frame=best_effort_timestamp_time")
    let seconds = times.compactMap { $0["best_effort_timestamp_time"].flatMap(Double.init) }
    #expect(seconds.contains { $0 >= 0.2 }, "\(seconds)")
  }
}
