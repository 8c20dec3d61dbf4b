import Glibc
import TestSupport
import Testing

/// The machine with cameras: QEMU with Debian's kernel and its test driver, booted once.
///
/// It takes some minutes, and what else runs would disturb it; so these tests run only where
/// KFREC_CAMERA_TESTS says so, which `make test` does behind the others.
enum Machine {
  static let isWanted = getenv("KFREC_CAMERA_TESTS").map { String(cString: $0) } == "1"

  /// The folder with what it left, and what it printed.
  private static let run: Result<(folder: TemporaryFolder, printed: String), any Error> = Result {
    let folder = try TemporaryFolder()
    try folder.write((KfrecProcess.path + "\n").utf8, to: "kfrec")
    try writeBars(folder)
    let tests = repositoryRoot + "/Tests/Camera"
    let boot = try ChildProcess(
      tests + "/boot", [tests + "/scenes", folder.path],
      environment: ["VIVID": "n_devs=3 multiplanar=1,1,2 node_types=0xe1d3d,0x1,0x1"])
    let result = boot.wait(seconds: 1200)
    guard result.exitCode == 0 else {
      throw TestSupportError("the machine with cameras: \(result)\n\(result.text)")
    }
    return (folder, result.text)
  }

  /// The bars of the driver's picture, from the left.
  static let bars: [[UInt8]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
    [0, 0, 191], [0, 0, 0],
  ]

  /// The same as a JPEG, for a camera that gives those.
  private static func writeBars(_ folder: TemporaryFolder) throws {
    let row = (0..<320).flatMap { bars[$0 / 40] }
    let pixels = (0..<180).flatMap { _ in row }
    let picture = try folder.write(Array("P6 320 180 255\n".utf8) + pixels, to: "frame.ppm")
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", picture, "-pix_fmt", "yuvj422p", "-q:v", "1",
        folder.file("frame.jpg"),
      ])
  }

  static func folder() throws -> TemporaryFolder { try run.get().folder }

  /// The text of a file that a scene left.
  static func text(_ name: String) throws -> String {
    String(decoding: try readFile(folder().file(name)), as: UTF8.self)
  }
}
