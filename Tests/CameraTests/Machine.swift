import Glibc
import TestSupport
import Testing

/// The virtual machines with cameras: QEMU with Debian's kernel and its test drivers, booted once per
/// test run.
///
/// There are two, which run side by side, because each has one processor.
///
/// They take some minutes and must not share the host with other tests. So these tests run only where
/// KFREC_CAMERA_TESTS is 1, which `make test` sets after the other tests. KFREC_CAMERA_FOLDER names a
/// folder that is kept; results that are already in it are judged again without a boot.
///
/// The machines run the release program, which is fast enough there, or the one that KFREC_BINARY names.
enum Machine {
  static let isWanted = getenv("KFREC_CAMERA_TESTS").map { String(cString: $0) } == "1"

  /// The names of the scripts that the machines run, one for each machine.
  private static let scripts = ["troubles", "pictures"]

  private static let tests = repositoryRoot + "/Tests/Camera"

  /// The program that reports which tools are missing.
  static let toolsCheck = tests + "/tools"

  private static let run: Result<Folder, any Error> = Result {
    let folder: Folder
    if let kept = getenv("KFREC_CAMERA_FOLDER").map({ String(cString: $0) }) {
      folder = Folder(path: kept)
      if scripts.allSatisfy({ fileExists(folder.file(".status-" + $0)) }) { return folder }
      mkdir(kept, 0o755)
    } else {
      let temporary = try TemporaryFolder()
      folder = Folder(path: temporary.path, owner: temporary)
    }
    let tools = try ChildProcess(toolsCheck, []).wait()
    guard tools.exitCode == 0 else { throw TestSupportError(tools.errors) }
    try write(Array((tests + "\n").utf8), to: folder.file("tests"))
    try prepare(folder)
    let machines = try scripts.map { try boot($0, in: folder) }
    for result in machines.map({ $0.wait(seconds: 3000) }) {
      guard result.exitCode == 0 else {
        // Printed once, and not in every test.
        print("\(result)\n\(result.text)")
        throw TestSupportError("a machine with cameras did not run; it has said above why")
      }
    }
    return folder
  }

  /// The folder with the input files and the results of the scenes.
  struct Folder: Sendable {
    let path: String
    /// Removes the folder at the end; nil if the folder is kept.
    var owner: TemporaryFolder?

    func file(_ name: String) -> String { path + "/" + name }
  }

  private static func boot(_ script: String, in folder: Folder) throws -> ChildProcess {
    try ChildProcess(
      tests + "/boot",
      [tests + "/" + script, folder.path, "ffmpeg", "v4l2-ctl", "strace", "amixer"],
      environment: [
        "VIVID": "n_devs=5 multiplanar=1,1,2,1,1 node_types=0xe1d3d,0x1,0x1,0x1,0x1"
      ])
  }

  private static func prepare(_ folder: Folder) throws {
    try install(folder)
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

  /// Copies the program and its effects into the folder, because the user in the machine may not be
  /// able to read the checkout.
  private static func install(_ folder: Folder) throws {
    let named = getenv("KFREC_BINARY").map { String(cString: $0) }
    let program = named ?? repositoryRoot + "/.build/release/kfrec"
    guard fileExists(program) else {
      throw TestSupportError("there is no \(program); make build makes it")
    }
    let effects = folder.file("programs/share/kfrec/effects")
    try runTool("mkdir", ["-p", folder.file("programs/bin"), effects])
    try runTool("cp", [program, folder.file("programs/bin/kfrec")])
    try runTool("cp", ["-R", repositoryRoot + "/Effects/.", effects])
  }

  private static func compile(_ source: String, to path: String) throws {
    try runTool("gcc-12", ["-O1", "-Wall", "-Werror", source, "-o", path, "-lasound", "-lm"])
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "wb") else { throw TestSupportError("\(path) cannot be written") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// The RGB colours of the bars in the driver's image, from left to right.
  static let bars: [[UInt8]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
    [0, 0, 191], [0, 0, 0],
  ]

  static func folder() throws -> Folder { try run.get() }

  /// Returns the text of a file that a scene left.
  static func text(_ name: String) throws -> String {
    String(decoding: try readFile(folder().file(name)), as: UTF8.self)
  }
}
