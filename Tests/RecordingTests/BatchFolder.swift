import Glibc
import TestSupport

/// A temporary folder with clips for `kfrec batch`.
struct BatchFolder {
  let folder: TemporaryFolder

  /// Makes clips of 10 frames, 64x48, in the folder "clips".
  init(_ names: String...) throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("clips"), 0o700)
    for name in names {
      try make(
        "clips/\(name)", in: folder,
        ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-c:v", "libx264"])
    }
    self.folder = folder
  }

  /// Runs `kfrec batch` with these words; they are split at spaces.
  func batch(_ words: String) throws -> ChildResult {
    try KfrecProcess.run(["batch"] + words.split(separator: " ").map(String.init), in: folder)
  }

  /// The names in the output folder "out", without those of the batch itself.
  var outputs: [String] { namesInFolder(folder.file("out")).filter { !$0.hasPrefix(".") } }

  /// The number of frames of an output in the folder "out".
  func frames(_ name: String) throws -> Int {
    try Probe.rows(folder.file("out/" + name), "packet=pts", of: "v:0").count
  }
}
