import DiskCache
import Glibc

/// What one run of shaderc gave, before it is judged.
struct Compilation {
  var words: [UInt32]
  /// shaderc's own text.
  let messages: String
  let includes: [IncludeAnswer]

  /// Every file included, once each, in the order first met.
  var files: [IncludedFile] {
    var known: Set<String> = []
    return includes.map(\.file).filter { known.insert($0.path).inserted }
  }
}

/// Compilations kept on disk, so that a shader is compiled once and not once a run.
///
/// An entry holds all that it was made from: the source and the name, how shaderc was asked, and
/// each `#include` with the path and text it led to. All of it is compared before an entry is used
/// and the includes are looked for and read anew, so a hash that collides, a changed file or a new
/// one that is found earlier make a miss, never a wrong shader.
struct SPIRVCache: Sendable {
  private let disk: DiskCache
  private let program: String

  /// - Parameters:
  ///   - disk: Where entries are kept.
  ///   - program: What tells this compiler from another one.
  init?(disk: DiskCache, program: String? = Self.thisProgram()) {
    guard let program else { return nil }
    self.disk = disk
    self.program = program
  }

  /// The compilation of just this source by just this compiler; nil if it is not kept.
  func find(_ inputs: CompilerInputs, includes: IncludeResolver) -> Compilation? {
    let key = key(inputs)
    guard var rest = disk.parts(of: name(key))?[...],
      take(key.count, from: &rest)?.elementsEqual(key, by: { $0.elementsEqual($1) }) == true,
      let results = take(2, from: &rest).map(Array.init), results[0].count % 4 == 0
    else { return nil }
    var answers: [IncludeAnswer] = []
    while !rest.isEmpty {
      guard let parts = take(5, from: &rest).map(Array.init) else { return nil }
      let question = IncludeQuestion(
        request: String(decoding: parts[0], as: UTF8.self),
        requester: String(decoding: parts[1], as: UTF8.self), besideRequester: !parts[2].isEmpty)
      // By the bytes: two texts that Swift calls equal may be spelled differently.
      guard let file = try? includes.resolve(question),
        file.path.utf8.elementsEqual(parts[3]), file.text.utf8.elementsEqual(parts[4])
      else { return nil }
      answers.append(IncludeAnswer(question: question, file: file))
    }
    let words = results[0].withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
    return Compilation(
      words: words, messages: String(decoding: results[1], as: UTF8.self), includes: answers)
  }

  /// Keeps a compilation that succeeded.
  func keep(_ compilation: Compilation, of inputs: CompilerInputs) {
    let key = key(inputs)
    var parts =
      key + [compilation.words.withUnsafeBytes { Array($0) }, Array(compilation.messages.utf8)]
    for answer in compilation.includes {
      parts += [
        Array(answer.question.request.utf8), Array(answer.question.requester.utf8),
        answer.question.besideRequester ? [1] : [], Array(answer.file.path.utf8),
        Array(answer.file.text.utf8),
      ]
    }
    disk.keep(parts, as: name(key))
  }

  private func key(_ inputs: CompilerInputs) -> [[UInt8]] {
    [program, inputs.settings, inputs.name, inputs.source].map { Array($0.utf8) }
  }

  /// Lengths and bytes, so that no two keys run together.
  private func name(_ key: [[UInt8]]) -> String {
    let lengths = key.map { "\($0.count) " }.joined()
    return "\(Fingerprint(of: Array(lengths.utf8) + key.joined()))"
  }

  /// The program's own file, which shaderc is linked into: its size and time of change to the
  /// nanosecond, and the version that shaderc states, which alone does not tell its releases apart.
  static func thisProgram() -> String? {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return nil }
    let time = status.st_mtim
    return "\(shadercVersion()) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}

/// Takes the first elements away; nil if there are not so many.
private func take<Element>(
  _ count: Int, from rest: inout ArraySlice<Element>
) -> ArraySlice<Element>? {
  guard rest.count >= count else { return nil }
  defer { rest = rest.dropFirst(count) }
  return rest.prefix(count)
}
