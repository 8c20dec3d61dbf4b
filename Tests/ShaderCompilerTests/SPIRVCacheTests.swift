import DiskCache
import Glibc
import TestSupport
import Testing

@testable import ShaderCompiler

@Suite struct SPIRVCacheTests {
  private let temporary: TemporaryFolder
  private let disk: DiskCache
  private let includes: IncludeResolver

  private static let plain = "layout(local_size_x = 8) in;\nvoid main() {}\n"
  private static let including = """
    #version 450
    #extension GL_GOOGLE_include_directive : require
    #include "size.glsl"
    layout(local_size_x = SIZE) in;
    void main() {}
    """

  init() throws {
    temporary = try TemporaryFolder()
    disk = DiskCache(folder: temporary.file("cache"))
    for folder in ["first", "second"] { mkdir(temporary.file(folder), 0o700) }
    try temporary.write("#define SIZE 16\n".utf8, to: "second/size.glsl")
    includes = IncludeResolver(roots: ["first", "second"].map(temporary.file))
  }

  /// Compiles as a new process would; `isHit` means that shaderc had nothing to do.
  private func compile(
    _ source: String, name: String = "a.comp"
  ) throws -> (spirv: SPIRV, isHit: Bool) {
    let compiler = try ShaderCompiler(cache: disk)
    let spirv = try compiler.compile(source: source, name: name, includes: includes)
    return (spirv, compiler.compilations == 0)
  }

  @Test("A cached shader is the same without a run of shaderc")
  func hit() throws {
    let first = try compile(Self.including)
    let second = try compile(Self.including)
    #expect(!first.isHit && second.isHit)
    #expect(first.spirv.words == second.spirv.words)
    #expect(second.spirv.includes == first.spirv.includes)
    #expect(second.spirv.includes.map(\.text) == ["#define SIZE 16\n"])
    #expect(second.spirv.localSize?.x == 16)
  }

  @Test("Another source, even of equal length, and another name are compiled")
  func otherInputs() throws {
    _ = try compile(Self.plain)
    #expect(try !compile(Self.plain, name: "b.comp").isHit)
    let other = try compile(Self.plain.replacing("8", with: "4"))
    #expect(!other.isHit && other.spirv.localSize?.x == 4)
    #expect(try compile(Self.plain).isHit)
  }

  @Test("Texts that are equal in Swift but spelled differently are two sources")
  func spelling() throws {
    let composed = Self.plain + "// \u{e9}\n"
    let decomposed = Self.plain + "// e\u{301}\n"
    #expect(composed == decomposed)
    _ = try compile(composed)
    #expect(try !compile(decomposed).isHit)
  }

  @Test("Without a cache shaderc compiles every time")
  func noCache() throws {
    let compiler = try ShaderCompiler()
    for _ in 0..<2 { _ = try compiler.compile(source: Self.plain, name: "a.comp") }
    #expect(compiler.compilations == 2)
  }

  @Test("A changed, a removed and an earlier included file cause a new compilation")
  func includedFiles() throws {
    _ = try compile(Self.including)
    try temporary.write("#define SIZE 32\n".utf8, to: "second/size.glsl")
    let changed = try compile(Self.including)
    #expect(!changed.isHit && changed.spirv.localSize?.x == 32)
    #expect(try compile(Self.including).isHit)

    try temporary.write("#define SIZE 64\n".utf8, to: "first/size.glsl")
    let earlier = try compile(Self.including)
    #expect(!earlier.isHit && earlier.spirv.localSize?.x == 64)

    for folder in ["first", "second"] { unlink(temporary.file("\(folder)/size.glsl")) }
    #expect(throws: ShaderCompileError.self) { try compile(Self.including) }
  }

  @Test("A file that an included file includes is watched too")
  func nestedIncludes() throws {
    let lead = "#define SIZE INNER\n#include \"inner.glsl\"\n"
    try temporary.write(lead.utf8, to: "second/size.glsl")
    try temporary.write("#define INNER 2\n".utf8, to: "second/inner.glsl")
    let first = try compile(Self.including)
    let second = try compile(Self.including)
    #expect(second.isHit)
    #expect(second.spirv.includes == first.spirv.includes && first.spirv.includes.count == 2)
    try temporary.write("#define INNER 3\n".utf8, to: "second/inner.glsl")
    let changed = try compile(Self.including)
    #expect(!changed.isHit && changed.spirv.localSize?.x == 3)
  }

  @Test("shaderc's warnings are cached with their lines")
  func warnings() throws {
    let source = Self.plain + "#line 7 \"a.comp\"\n#extension GL_EXT_nothing : enable\n"
    let first = try compile(source)
    let second = try compile(source)
    #expect(second.isHit)
    #expect(first.spirv.warnings.count == 1)
    #expect(second.spirv.warnings == first.spirv.warnings)
  }

  @Test("A shader that does not compile is not cached")
  func failure() throws {
    for _ in 0..<2 {
      let compiler = try ShaderCompiler(cache: disk)
      #expect(throws: ShaderCompileError.self) {
        try compiler.compile(source: "void main() { nope; }", name: "a.comp")
      }
      #expect(compiler.compilations == 1)
    }
    #expect(namesInFolder(temporary.file("cache")) == [])
  }

  @Test("A damaged entry, and one of another source under its name, are compiled again")
  func damage() throws {
    let words = try compile(Self.plain).spirv.words
    _ = try compile(Self.including)
    let names = namesInFolder(temporary.file("cache"))
    try #require(names.count == 2)
    let files = try names.map { try readFile(temporary.file("cache/\($0)")) }
    let contents: [[UInt8]] = [
      [], Array(files[0].dropLast(1)), files[0].map { $0 ^ 0xff }, Array("hello".utf8),
    ]
    for content in contents {
      for name in names { try temporary.write(content, to: "cache/\(name)") }
      let again = try compile(Self.plain)
      #expect(!again.isHit && again.spirv.words == words)
      #expect(try compile(Self.plain).isHit)
    }
    // Simulates a collision of the names' hashes.
    try temporary.write(files[1], to: "cache/\(names[0])")
    try temporary.write(files[0], to: "cache/\(names[1])")
    #expect(try !compile(Self.plain).isHit)
    #expect(try !compile(Self.including).isHit)
    for (name, file) in zip(names, files) {
      #expect(try readFile(temporary.file("cache/\(name)")) == file)
    }
  }

  @Test("An entry with disordered parts is a miss, not a crash")
  func disorder() throws {
    _ = try compile(Self.including)
    let name = try #require(namesInFolder(temporary.file("cache")).first)
    let parts = try #require(disk.parts(of: name)).map { Array($0) }
    for count in 0..<parts.count {
      disk.keep(Array(parts[..<count]), as: name)
      // Without the parts of its includes an entry is one of a source without includes.
      if count != 6 { #expect(try !compile(Self.including).isHit, "\(count) parts") }
    }
    var odd = parts
    odd[4].removeLast()
    disk.keep(odd, as: name)
    #expect(try !compile(Self.including).isHit)
  }

  @Test("Another program's entries are not used")
  func otherProgram() throws {
    let inputs = CompilerInputs(source: Self.plain, name: "a.comp")
    let mine = try #require(SPIRVCache(disk: disk, program: "one"))
    let other = try #require(SPIRVCache(disk: disk, program: "two"))
    mine.keep(Compilation(words: [1, 2], messages: "", includes: []), of: inputs)
    #expect(mine.find(inputs, includes: .none)?.words == [1, 2])
    #expect(other.find(inputs, includes: .none) == nil)
    #expect(SPIRVCache.thisProgram() != nil)
  }

  @Test("Many threads that need one shader at the same time all get it")
  func threads() async throws {
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask { try compile(Self.including).spirv.localSize?.x ?? 0 }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes == Array(repeating: 16, count: 12))
    #expect(try compile(Self.including).isHit)
  }
}
