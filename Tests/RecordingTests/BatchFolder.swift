import Glibc
import TestSupport

/// A temporary folder with clips for `kfrec batch`.
struct BatchFolder {
  let folder: TemporaryFolder

  /// Takes a folder that is there.
  init(_ folder: TemporaryFolder) {
    self.folder = folder
  }

  /// Makes clips of 64x48 and 25 frames per second in the folder "clips", with a tone if asked.
  init(_ names: String..., seconds: String = "0.4", hasSound: Bool = false) throws {
    try self.init(names, seconds: seconds, hasSound: hasSound)
  }

  init(_ names: [String], seconds: String = "0.4", hasSound: Bool = false) throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("clips"), 0o700)
    var words = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)"]
    if hasSound { words += ["-f", "lavfi", "-i", "sine=d=\(seconds)", "-c:a", "aac"] }
    words += ["-c:v", "libx264"]
    for name in names { try make("clips/\(name)", in: folder, words) }
  }

  /// Runs `kfrec batch` with these words; they are split at spaces.
  func batch(_ words: String, environment: [String: String?] = [:]) throws -> ChildResult {
    try KfrecProcess.run(
      ["batch"] + words.split(separator: " ").map(String.init), in: folder,
      environment: environment)
  }

  /// The names in the output folder "out", without those of the batch itself.
  var outputs: [String] { namesInFolder(folder.file("out")).filter { !$0.hasPrefix(".") } }

  /// The number of frames of an output in the folder "out".
  func frames(_ name: String) throws -> Int {
    try Probe.rows(folder.file("out/" + name), "packet=pts", of: "v:0").count
  }
}
