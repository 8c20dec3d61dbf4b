import TestSupport
import Testing

@testable import ShaderCompiler

@Suite("Division of integers") struct DefinedDivisionTests {
  /// Compiles a shader that computes `value` from numbers that are unknown before it runs.
  private func compile(_ value: String, globals: String = "") throws -> SPIRV {
    try ShaderCompiler().compile(
      source: """
        #version 450
        layout(local_size_x = 16, local_size_y = 16) in;
        layout(set = 0, binding = 0) buffer Numbers { int a; int b; uint c; uint d; ivec4 v; uvec2 u; };
        \(globals)
        void main() { \(value); }
        """, name: "a.comp")
  }

  private func validate(_ spirv: SPIRV) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      spirv.words.flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 0xFF) } }, to: "a.spv")
    try runTool("spirv-val", ["--target-env", "vulkan1.2", folder.file("a.spv")])
  }

  private static let divisions: [SPIRVCode] = [
    .signedDivide, .unsignedDivide, .signedModulo, .unsignedModulo, .signedRemainder,
  ]

  private func codes(_ words: [UInt32]) -> [SPIRVCode] {
    SPIRVInstructions(words).compactMap(\.code)
  }

  @Test(
    "An unknown divisor is tested first, and the module stays valid",
    arguments: [
      "a = a / b", "a = a % b", "c = c / d", "c = c % d", "v = v / a", "v = v % v.wzyx",
      "u = u / u.yx",
      "u = u % c", "a = int(c) / int(d)", "v.xy /= v.zw",
      "bool t = all(equal(v, ivec4(0))); a = t ? a / b : b",
      "bvec2 t = lessThan(u, uvec2(7)); u = any(t) ? u / u.yx : u; a /= b; v.xyz %= v.yzw",
    ])
  func guarded(value: String) throws {
    let spirv = try compile(value)
    try validate(spirv)
    let codes = codes(spirv.words)
    #expect(codes.contains { Self.divisions.contains($0) })
    // The divisor is guarded: the result of a select (0, 1 or 2) is added to it.
    #expect(codes.contains(.select) && codes.contains(.iAdd))
  }

  @Test("A known and harmless divisor is not tested")
  func harmless() throws {
    for value in ["a = a / 3", "c = c % 16u", "v = v / ivec4(1, -2, 3, 4)", "v %= 5"] {
      let spirv = try compile(value)
      try validate(spirv)
      #expect(!codes(spirv.words).contains(.select), "\(value)")
    }
    #expect(codes(try compile("v = v / ivec4(1, -1, 3, 4)").words).contains(.select))
    #expect(codes(try compile("v = v / ivec4(1, 2, 0, 4)").words).contains(.select))
  }

  @Test(
    "A constant division by zero or with overflow is compiled without harm",
    arguments: ["/", "%"],
    [
      "int x = 1 << 31; int y = 0; y -= 1; a = x OP y",
      "const int x = -2147483647 - 1; const int y = -1; a = x OP y", "int y = 0; a = a OP y",
      "ivec2 x = ivec2(1 << 31); ivec2 y = ivec2(3, 0); y -= 1; v.xy = x OP y; v.zw = x OP (y - 1)",
      "uint y = 0u; c = c OP y", "a = least OP minusOne", "c = uint(least) OP none",
    ])
  func folded(sign: String, value: String) throws {
    let globals = """
      layout(constant_id = 0) const int least = -2147483647 - 1;
      layout(constant_id = 1) const int minusOne = -1;
      layout(constant_id = 2) const uint none = 0u;
      const int quotient = least \(sign) minusOne;
      """
    try validate(
      compile(value.replacing("OP", with: sign) + "; b = quotient", globals: globals))
  }

  @Test("The smallest integer divided by -1 is itself, and a divisor of zero counts as one")
  func values() throws {
    let spirv = try compile(
      """
      int x = 1 << 31; int y = 0;
      a = x / (y - 1); b = x % (y - 1); c = 7u / uint(y); d = 7u % uint(y);
      v = ivec4(7 / y, 7 % y, -8 / y, (x + 1) / (y - 1))
      """)
    // All values are known here: the stored numbers are the constants of the module.
    let constants = SPIRVInstructions(spirv.words).filter { $0.code == .constant }.map { $0[2] }
    #expect(!codes(spirv.words).contains { Self.divisions.contains($0) })
    #expect(
      Set(constants).isSuperset(of: [0x8000_0000, 0, 7, UInt32(bitPattern: -8), 0x7FFF_FFFF]))
  }
}

@Suite("Memory of variables") struct VariableMemoryTests {
  private func compile(_ text: String) throws -> SPIRV {
    try ShaderCompiler().compile(
      source: """
        #version 450
        layout(local_size_x = 16, local_size_y = 16) in;
        layout(set = 0, binding = 0) buffer Numbers { int at; float result; };
        #line 1 "a.comp"
        \(text)
        """, name: "a.comp", original: text)
  }

  @Test(
    "Too much memory for a shader is refused in its line, with the name of the largest variable",
    arguments: [
      (
        "void main() {\n  float big[20000];\n  big[at] = 1.0;\n  result = big[at + 1];\n}", 2, 9,
        "big", "79 KiB"
      ),
      (
        "struct S { vec4 part[900]; };\nS many[900];\nvoid main() { many[at].part[at] = vec4(at); "
          + "result = many[2].part[at + 1].x; }", 2, 3, "many", "12657 KiB"
      ),
      (
        "void main() {\n  int a[9000]; int b[9001];\n  a[at] = 1; b[at] = 2;\n  result = a[at + 1] + b[at + 1];\n}",
        2, 20, "b", "71 KiB"
      ),
      (
        "void main() {\n  float huge[4000][4000][4000];\n  huge[at][at][at] = 1.0;\n  result = huge[1][at][2];\n}",
        2, 9, "huge", "250000000 KiB"
      ),
    ])
  func refused(text: String, line: Int, column: Int, name: String, size: String) throws {
    let error = try #require(throws: ShaderCompileError.self) { try compile(text) }
    let diagnostic = try #require(error.diagnostics.first)
    #expect(
      diagnostic.message
        == "the variables take \(size) for each pixel, and the limit is 64 KiB; '\(name)' is the "
        + "largest: make it smaller")
    #expect(diagnostic.line == line && diagnostic.column == column, "\(diagnostic)")
  }

  @Test("Tables of tens of kilobytes, unused variables and shared ones are accepted")
  func taken() throws {
    let table = (0..<3000).map { "\($0).5" }.joined(separator: ", ")
    _ = try compile(
      "const float table[3000] = float[](\(table));\nvoid main() { result = table[at]; }")
    _ = try compile("float unused[9000000];\nvoid main() { result = 1.0; }")
    let shared = try compile(
      "shared vec4 tile[1024];\nvoid main() { tile[at] = vec4(at); barrier(); result = tile[at + 1].x; }"
    )
    #expect(shared.sharedByteCount == 16384)
  }
}

@Suite("Indices and variables of a module") struct WildIndexModuleTests {
  private func compile(_ text: String) throws -> SPIRV {
    try ShaderCompiler().compile(
      source: """
        #version 450
        layout(local_size_x = 16, local_size_y = 16) in;
        layout(set = 0, binding = 0) buffer Numbers { int at; float result; float rest[]; };
        layout(set = 0, binding = 1) uniform Fixed { vec4 table[7]; mat3 many[3]; } fixed_;
        \(text)
        """, name: "a.comp")
  }

  @Test(
    "A module with clamped indices and cleared variables is valid",
    arguments: [
      "void main() { float a[9]; a[at] = 1.0; result = a[at + 1]; }",
      "shared float a[9]; void main() { a[at] = 1.0; barrier(); result = a[at + 1]; }",
      "void main() { rest[at] = fixed_.table[at][at] + fixed_.many[at][1][at]; }",
      "struct S { vec2 v[3]; bool b; }; S s[4]; void main() { s[at].v[at].x = 2.0; s[at].b = at > 2; "
        + "result = s[at + 1].b ? s[at + 1].v[at].y : 0.0; }",
      "void main() { uint a; vec3 b; bvec2 c; if (at > 3) { a = 3u; b = vec3(1); c = bvec2(true); } "
        + "result = float(a) + b.x + (c.y ? 1.0 : 0.0); }",
      "shared mat4 m; shared struct { uvec3 u; bool b[5]; } s; "
        + "void main() { result = m[at][at] + float(s.u.x) + float(s.b[at]); }",
    ])
  func valid(text: String) throws {
    let spirv = try compile(text).clearingShared
    let folder = try TemporaryFolder()
    try folder.write(
      spirv.words.flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 0xFF) } }, to: "a.spv")
    try runTool("spirv-val", ["--target-env", "vulkan1.2", folder.file("a.spv")])
    #expect(!SPIRVInstructions(spirv.words).contains { $0.code == .undefined })
  }

  @Test("Shared variables begin as zero where they are told to, and only then")
  func shared() throws {
    let spirv = try compile(
      "shared float a[9]; void main() { a[at] = 1.0; barrier(); result = a[at + 1]; }")
    func given(_ words: [UInt32]) -> [Bool] {
      SPIRVInstructions(words).filter { $0.code == .variable && $0[2] == 4 }
        .map { $0.operands.count == 4 }
    }
    #expect(given(spirv.words) == [false])
    #expect(given(spirv.clearingShared.words) == [true])
    #expect(spirv.clearingShared.sharedByteCount == spirv.sharedByteCount)
  }
}
