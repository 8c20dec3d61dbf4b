import Glibc
import TestSupport
import Testing

/// The machine with cameras: QEMU with Debian's kernel and its test driver, booted once.
///
/// It takes some minutes, and what else runs would disturb it; so these tests run only where
/// KFREC_CAMERA_TESTS is 1, which `make test` makes it behind the others. KFREC_CAMERA_FOLDER names a
/// folder that stays, and where there is one already that is judged again.
enum Machine {
  static let isWanted = getenv("KFREC_CAMERA_TESTS").map { String(cString: $0) } == "1"

  private static let run: Result<Folder, any Error> = Result {
    let folder: Folder
    if let kept = getenv("KFREC_CAMERA_FOLDER").map({ String(cString: $0) }) {
      folder = Folder(path: kept)
      if fileExists(folder.file(".status")) { return folder }
      mkdir(kept, 0o755)
    } else {
      let temporary = try TemporaryFolder()
      folder = Folder(path: temporary.path, owner: temporary)
    }
    let tests = repositoryRoot + "/Tests/Camera"
    try write(Array((tests + "\n").utf8), to: folder.file("tests"))
    try prepare(folder)
    let result = try ChildProcess(
      tests + "/boot", [tests + "/scenes", folder.path],
      environment: ["VIVID": "n_devs=3 multiplanar=1,1,2 node_types=0xe1d3d,0x1,0x1"]
    ).wait(seconds: 3000)
    guard result.exitCode == 0 else {
      // Once, and not in every test.
      print("\(result)\n\(result.text)")
      throw TestSupportError("the machine with cameras did not run; it has said above why")
    }
    return folder
  }

  /// What the scenes leave, and what they need.
  struct Folder: Sendable {
    let path: String
    /// Removes it in the end, where it is not to stay.
    var owner: TemporaryFolder?

    func file(_ name: String) -> String { path + "/" + name }
  }

  private static func prepare(_ folder: Folder) throws {
    try write(Array((KfrecProcess.path + "\n").utf8), to: folder.file("kfrec"))
    try compile(repositoryRoot + "/Tests/Camera/clicks.c", to: folder.file("clicks"))
    let row = (0..<320).flatMap { bars[$0 / 40] }
    let pixels = (0..<180).flatMap { _ in row }
    try write(Array("P6 320 180 255\n".utf8) + pixels, to: folder.file("frame.ppm"))
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder.file("frame.ppm"), "-pix_fmt", "yuvj422p", "-q:v", "1",
        folder.file("frame.jpg"),
      ])
    try prepareProofs(folder)
    for (name, words) in [
      ("source.mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0"]),
      ("held.y4m", ["-frames:v", "15"]),
    ] {
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=30", "-pix_fmt",
          "yuv420p",
        ] + words + [folder.file(name)])
    }
  }

  private static func compile(_ source: String, to path: String) throws {
    try runTool("gcc-12", ["-O1", "-Wall", "-Werror", source, "-o", path, "-lasound", "-lm"])
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw TestSupportError("\(path) cannot be written") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// The bars of the driver's picture, from the left.
  static let bars: [[UInt8]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
    [0, 0, 191], [0, 0, 0],
  ]

  static func folder() throws -> Folder { try run.get() }

  /// The text of a file that a scene left.
  static func text(_ name: String) throws -> String {
    String(decoding: try readFile(folder().file(name)), as: UTF8.self)
  }
}
