import Glibc
import Synchronization

/// Runs the real kfrec: the one built beside the tests, or the one that KFREC_BINARY names.
///
/// Every run has Vulkan's validation layer, unless `environment` says otherwise or
/// KFREC_TEST_VALIDATION is 0. The caches of kfrec and of the Vulkan driver are beside the tests, not
/// in the user's own folder.
package enum KfrecProcess {
  package static let path: String =
    getenv("KFREC_BINARY").map { String(cString: $0) } ?? folderOfThisProgram() + "/kfrec"

  /// "1" if runs use Vulkan's validation layer.
  package static let validation =
    getenv("KFREC_TEST_VALIDATION").map { String(cString: $0) } ?? "1"
  private static let caches = folderOfThisProgram() + "/test-caches"

  /// The beginning of a line with a message of the validation layer.
  private static let complaint = "Vulkan validation"

  /// Starts kfrec as `ChildProcess` does.
  ///
  /// A message of the validation layer makes its exit code 1. A preloaded library is one that is built with the tests.
  package static func start(
    _ words: [String], in folder: TemporaryFolder? = nil, environment: [String: String?] = [:],
    preloading library: String? = nil, input: ChildProcess.Input = .nothing
  ) throws -> ChildProcess {
    var environment = usualEnvironment.merging(environment) { _, given in given }
    if let library {
      let path = "\(folderOfThisProgram())/lib\(library).so"
      environment["LD_PRELOAD"] = [path, usualEnvironment["LD_PRELOAD"] ?? nil]
        .compactMap { $0 }.joined(separator: ":")
    }
    return try ChildProcess(
      path, words, folder: folder?.path, environment: environment, input: input)
  }

  /// What every run has in its environment.
  package static var usualEnvironment: [String: String?] {
    var usual: [String: String?] = [
      "KFREC_VULKAN_VALIDATION": validation,
      "XDG_CACHE_HOME": caches, "MESA_SHADER_CACHE_DIR": caches,
    ]
    // A library that stays loaded, for a sanitizer (`Tests/Sanitizers/run`).
    if let library = getenv("KFREC_TEST_PRELOAD") {
      usual["LD_PRELOAD"] = String(cString: library)
    }
    return usual
  }

  /// Runs kfrec to its end, and kills it after `seconds`; throws the validation layer's messages, if
  /// there are any.
  package static func run(
    _ words: [String], in folder: TemporaryFolder? = nil, environment: [String: String?] = [:],
    preloading library: String? = nil, input: ChildProcess.Input = .nothing, seconds: Double = 900
  ) throws -> ChildResult {
    let child = try start(
      words, in: folder, environment: environment, preloading: library, input: input)
    let result = child.wait(seconds: seconds)
    guard !result.errors.contains(complaint) else { throw TestSupportError(result.errors) }
    return result
  }

  /// Runs a command line of bash, in which `$0` is kfrec, for limits, closed streams and pipes.
  package static func shell(
    _ line: String, in folder: TemporaryFolder? = nil, environment: [String: String?] = [:],
    seconds: Double = 900
  ) throws -> ChildResult {
    try startShell(line, in: folder, environment: environment).wait(seconds: seconds)
  }

  /// Starts a command line of bash, in which `$0` is kfrec.
  package static func startShell(
    _ line: String, in folder: TemporaryFolder? = nil, environment: [String: String?] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      "bash", ["-c", line, path], folder: folder?.path,
      environment: usualEnvironment.merging(environment) { _, given in given })
  }
}

/// Runs another program (`ffmpeg`, `ffprobe`) and returns its standard output; on failure it throws the
/// program's error text.
///
/// A clip that ffmpeg generates is made once in a run of the tests, and written again for each test that asks for it: six
/// in ten are asked for more than once.
@discardableResult
package func runTool(_ program: String, _ words: [String], seconds: Double = ChildProcess.limit)
  throws -> String
{
  let clip = program == "ffmpeg" ? GeneratedClip(words) : nil
  if let clip, let bytes = generatedClips.withLock({ $0[clip.words] }) {
    try write(bytes, to: clip.path)
    return ""
  }
  let result = try ChildProcess(program, words).wait(seconds: seconds)
  guard result.exitCode == 0 else { throw TestSupportError("\(program): \(result)") }
  if let clip, let bytes = try? readFile(clip.path), bytes.count < 1 << 20 {
    generatedClips.withLock { $0[clip.words] = bytes }
  }
  return result.text
}

/// A file in a test's folder that ffmpeg makes of its own sources, of no other file.
private struct GeneratedClip {
  let path: String
  /// The words that make it, with the file's name for its path.
  let words: [String]

  init?(_ words: [String]) {
    guard let path = words.last, path.hasPrefix("/"), !path.contains("%"), !path.hasSuffix("m3u8"),
      words.contains("lavfi"), !words.dropLast().contains(where: { $0.contains("kfrec-test-") })
    else { return nil }
    self.path = path
    self.words = words.dropLast() + path.split(separator: "/").suffix(1).map(String.init)
  }
}

private let generatedClips = Mutex<[[String]: [UInt8]]>([:])

/// Returns how many frames of a film ffprobe decodes; nil if it cannot read the file.
package func frameCount(of path: String) -> Int? {
  let text = try? runTool(
    "ffprobe",
    [
      "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
      "stream=nb_read_frames",
      "-of", "default=nokey=1:noprint_wrappers=1", path,
    ])
  return text.flatMap { Int($0.filter(\.isNumber)) }
}

/// The path of the checkout, for `samples` and `Effects`.
package let repositoryRoot: String = #filePath.split(
  separator: "/", omittingEmptySubsequences: false
).dropLast(3).joined(separator: "/")

private func folderOfThisProgram() -> String {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = bytes.withUnsafeMutableBytes { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      readlink("/proc/self/exe", $0.baseAddress!, $0.count)
    }
  }
  let path = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
}
