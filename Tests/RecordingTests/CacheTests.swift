import Glibc
import TestSupport
import Testing

/// Tests of the files that a recording keeps for the next one.
@Suite struct CacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ environment: [String: String?]) throws -> ChildResult {
    try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "64x48", "--frames", "2", "-e", "separateRGB", "-o", "null",
      ], in: folder, environment: environment)
  }

  private func shaders(in home: String) -> [String] {
    namesInFolder(folder.file("\(home)/kfrec/spirv"))
  }

  @Test("A run keeps its shaders and pipelines in the cache folder, and a second run adds none")
  func keeps() throws {
    let environment = ["XDG_CACHE_HOME": folder.file("caches")]
    #expect(try record(environment).exitCode == 0)
    let kept = shaders(in: "caches")
    #expect(kept.count >= 2)
    #expect(try record(environment).exitCode == 0)
    #expect(shaders(in: "caches") == kept)
    #expect(namesInFolder(folder.file("caches/kfrec/pipelines")).count == 1)
  }

  @Test("With the cache off, its folder is not made")
  func off() throws {
    let environment = ["XDG_CACHE_HOME": folder.file("caches"), "KFREC_CACHE": "off"]
    #expect(try record(environment).exitCode == 0)
    #expect(!fileExists(folder.file("caches/kfrec")))
  }

  @Test("A recording succeeds where the cache cannot be written, and without a home")
  func nowhere() throws {
    let file = try folder.write([], to: "file")
    let unwritable = try record(["XDG_CACHE_HOME": "\(file)/below"])
    #expect(unwritable.exitCode == 0 && !unwritable.errors.contains("cache"), "\(unwritable)")
    let homeless = try record(["XDG_CACHE_HOME": nil, "HOME": nil])
    #expect(homeless.exitCode == 0 && !homeless.errors.contains("cache"), "\(homeless)")
  }

  /// A disk whose cache has an index of Mesa with holes, as a copy of a home makes it: Mesa keeps the room only when it
  /// makes the file.
  private func disk(_ size: String) throws -> (disk: SmallDisk, index: String)? {
    guard let disk = try SmallDisk(in: folder, size: size) else { return nil }
    mkdir(disk.path + "/mesa_shader_cache", 0o755)
    let index = disk.path + "/mesa_shader_cache/index"
    let file = open(index, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    try #require(ftruncate(file, 8 + 65536 * 20) == 0)
    return (disk, index)
  }

  private func record(cache: String) throws -> ChildResult {
    let result = try KfrecProcess.run(
      [
        "--gpu", "llvmpipe", "-i", "testsrc", "--size", "64x48", "--frames", "20", "-e",
        "separateRGB", "-e", "gaussianBlur", "-o", "out.mov",
      ], in: folder, environment: ["MESA_SHADER_CACHE_DIR": cache])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").count == 20)
    return result
  }

  @Test("A recording is made, with a warning, where the disk of the driver's cache is full")
  func fullDisk() throws {
    guard let (disk, _) = try disk("64k") else { return }
    let rest = open(disk.path + "/full", O_WRONLY | O_CREAT, 0o600)
    while write(rest, [UInt8](repeating: 1, count: 4096), 4096) > 0 {}
    close(rest)
    let result = try record(cache: disk.path)
    #expect(result.errors.contains("the disk of \(disk.path) is full"), "\(result)")
  }

  @Test("The index of the driver's cache has its room before a disk can become full")
  func holes() throws {
    guard let (disk, index) = try disk("16m") else { return }
    let result = try record(cache: disk.path)
    #expect(!result.errors.contains("warning"), "\(result)")
    var status = stat()
    #expect(stat(index, &status) == 0 && status.st_blocks * 512 >= status.st_size)
  }

  @Test("Damaged shaders are compiled again and change no pixel")
  func damage() throws {
    let environment = ["XDG_CACHE_HOME": folder.file("caches")]
    func pixels() throws -> [UInt8] {
      let result = try KfrecProcess.run(
        [
          "-i", "testsrc", "--size", "64x48", "--frames", "1", "-e", "separateRGB", "-o",
          "out.mov", "-y",
        ], in: folder, environment: environment)
      #expect(result.exitCode == 0, "\(result)")
      return try readFile(folder.file("out.mov"))
    }
    let first = try pixels()
    let kept = shaders(in: "caches")
    let whole = try kept.map { try readFile(folder.file("caches/kfrec/spirv/\($0)")) }
    #expect(!kept.isEmpty)
    for (name, file) in zip(kept, whole) {
      try folder.write(
        file.dropLast(9) + [UInt8](repeating: 0, count: 9), to: "caches/kfrec/spirv/\(name)")
    }
    #expect(try pixels() == first)
    #expect(try kept.map { try readFile(folder.file("caches/kfrec/spirv/\($0)")) } == whole)
  }
}
