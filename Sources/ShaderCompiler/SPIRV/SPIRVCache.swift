import CPosix
import DiskCache
import Glibc

/// The result of one run of shaderc, before it is checked.
struct Compilation {
  var words: [UInt32]
  /// shaderc's messages.
  let messages: String
  let includes: [IncludeAnswer]

  /// Every included file, once each, in the order of first use.
  var files: [IncludedFile] {
    var known: Set<String> = []
    return includes.map(\.file).filter { known.insert($0.path).inserted }
  }
}

/// Compilations kept on disk, so that a shader is compiled once and not once per run.
///
/// An entry holds everything that it was made from: the source and the name, shaderc's settings, and
/// each `#include` with the path and text that it found. A lookup compares all of it, and searches and
/// reads the includes again, so a hash collision, a changed file or a new file that is found earlier
/// causes a miss, never a wrong shader.
struct SPIRVCache: Sendable {
  private let disk: DiskCache
  private let program: String

  /// Keeps entries on a disk for a program that a text identifies; nil gives no cache.
  init?(disk: DiskCache, program: String? = Self.thisProgram()) {
    guard let program else { return nil }
    self.disk = disk
    self.program = program
  }

  /// The compilation of exactly this source by exactly this compiler; nil if it is not stored.
  func find(_ inputs: CompilerInputs, includes: IncludeResolver) -> Compilation? {
    let key = key(inputs)
    guard var rest = disk.parts(of: name(key))?[...],
      take(key.count, from: &rest)?.elementsEqual(key, by: { $0.elementsEqual($1) }) == true,
      let results = take(2, from: &rest).map(Array.init), results[0].count % 4 == 0
    else { return nil }
    var answers: [IncludeAnswer] = []
    while !rest.isEmpty {
      guard let parts = take(5, from: &rest).map(Array.init) else { return nil }
      let question = IncludeAnswer(parts: parts).question
      // Compared as bytes: two texts that Swift calls equal may be spelled differently.
      guard let file = try? includes.resolve(question),
        file.path.utf8.elementsEqual(parts[3]), file.text.utf8.elementsEqual(parts[4])
      else { return nil }
      answers.append(IncludeAnswer(question: question, file: file))
    }
    return Compilation(
      words: results[0].withUnsafeBytes([UInt32].init),
      messages: String(decoding: results[1], as: UTF8.self), includes: answers)
  }

  /// Stores a compilation that succeeded.
  func keep(_ compilation: Compilation, of inputs: CompilerInputs) {
    let key = key(inputs)
    let results = [
      compilation.words.withUnsafeBytes { Array($0) }, Array(compilation.messages.utf8),
    ]
    disk.keep(key + results + compilation.includes.flatMap(\.parts), as: name(key))
  }

  private func key(_ inputs: CompilerInputs) -> [[UInt8]] {
    [program, inputs.settings, inputs.name, inputs.source].map { Array($0.utf8) }
  }

  /// Hashes lengths and bytes, so that different keys do not give the same input.
  private func name(_ key: [[UInt8]]) -> String {
    let lengths = key.map { "\($0.count) " }.joined()
    return "\(Fingerprint(of: key.reduce(into: Array(lengths.utf8)) { $0 += $1 }))"
  }

  /// The program file, which contains shaderc: its size, its modification time to the nanosecond, and the
  /// version that shaderc reports, which alone does not identify a release.
  static func thisProgram() -> String? {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return nil }
    let time = status.st_mtim
    return "\(shadercVersion()) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}

/// Removes and returns the first elements; nil if there are too few.
private func take<Element>(
  _ count: Int, from rest: inout ArraySlice<Element>
) -> ArraySlice<Element>? {
  guard rest.count >= count else { return nil }
  defer { rest = rest.dropFirst(count) }
  return rest.prefix(count)
}
