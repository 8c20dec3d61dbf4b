import CPosix
import Frames
import Glibc
import Settings

/// The program of `--on-end`, which is started when a recording or a batch has ended.
///
/// No shell reads its name, and it has no arguments. Its standard input has the result as one JSON object; what it
/// writes is shown only if it fails.
struct EndProgram: Sendable {
  private let name: String

  /// Seconds after which kfrec waits for it no longer.
  private static let limit = 30.0

  /// - Throws: A usage error if no executable file has this name: before the recording, not after it.
  init?(_ words: Options) throws(CommandLineError) {
    guard let name = words.onEnd else { return nil }
    let places =
      name.contains("/")
      ? [name]
      : (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")
        .split(separator: ":").map { "\($0)/\(name)" }
    guard places.contains(where: EndProgram.isProgram) else {
      throw CommandLineError(
        "--on-end: \(name) is no program that can be started; name an executable file, such as ./notify.sh"
      )
    }
    self.name = name
  }

  private static func isProgram(_ path: String) -> Bool {
    FileIdentity(behind: path)?.isRegular == true && access(path, X_OK) == 0
  }

  /// Runs the program, and waits for it.
  ///
  /// - Parameter result: The JSON object.
  /// - Returns: What went wrong, as a sentence; nil if nothing did.
  func run(_ result: String) -> String? {
    do {
      let call = try ProgramCall(name, [], input: result + "\n", limit: EndProgram.limit)
      guard call.exitCode != 0 else { return nil }
      let reported = (call.errors + call.output).split(separator: "\n").last.map { ": \($0)" } ?? ""
      return "--on-end: \(name) ended with \(call.exitCode)\(reported)"
    } catch {
      if error.code == ETIMEDOUT {
        return
          "--on-end: \(name) still runs after \(Int(EndProgram.limit)) s, and goes on without kfrec"
      }
      return "--on-end: \(name) cannot be started: \(String(cString: strerror(error.code)))"
    }
  }
}
