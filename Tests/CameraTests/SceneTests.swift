import TestSupport
import Testing

@Suite("The scenes of the machine with cameras")
struct SceneTests {
  @Test(
    "every scene ran as planned, and restored its devices",
    .enabled(if: Machine.isWanted, "no cameras: make test runs these in a machine of its own"))
  func failures() throws {
    let folder = try Machine.folder()
    let failures =
      fileExists(folder.file("failures")) ? try Machine.text("failures") : ""
    #expect(failures.isEmpty, "\(failures)")
    let scenes = try Machine.text("times").split(separator: "\n")
    #expect(scenes.contains { $0.hasSuffix(" removed") }, "\(scenes)")
  }

  /// Runs a bash script with the functions of Tests/Camera/words on this host, and returns the failures.
  private func play(_ script: String) throws -> String {
    let folder = try TemporaryFolder()
    let words = """
      set -u; folder=$PWD memory=$PWD kfrec=/bin/true
      . "$0"
      v4l2-ctl() { echo "brightness: 128"; echo "$*" >>asked; }
      calm() { :; }
      \(script)
      touch failures asked; cat failures; grep -e ' -c ' asked; true
      """
    let result = try ChildProcess(
      "bash", ["-c", words, repositoryRoot + "/Tests/Camera/words"], folder: folder.path
    ).wait()
    #expect(result.exitCode == 0, "\(result)")
    return result.text
  }

  @Test("a signal to a process that has ended stops the scene at once, in a sentence")
  func signals() throws {
    let said = try play(
      """
      lost() {
        echo 4194305 >gone.process; echo 3 >gone.status; echo "it broke" >gone.said
        send TERM gone
        note "it went on"
      }
      scene lost
      """)
    #expect(said == "lost: gone has ended before it could be sent SIGTERM: exit code 3, it broke\n")
  }

  @Test("a recording that ends before the frames that a scene waits for is reported at once")
  func waits() throws {
    let said = try play(
      """
      short() {
        echo '{"type":"progress","framesIn":7,"framesOut":7}' >short.json
        echo 1 >short.status; echo "no camera" >short.said
        wait_for short 7
        wait_for short 8
        note "it went on"
      }
      scene short
      """)
    #expect(said == "short: short has ended before 8 frames: exit code 1, no camera\n")
  }

  @Test(
    "a scene that fails resets its controls, leaves no process, and frees its device")
  func ends() throws {
    let said = try play(
      """
      first() {
        own /dev/null-camera
        control /dev/null-camera brightness=7
        (while sleep 0.01; do :; done) &
        echo $! >left
        must false
      }
      next() {
        own /dev/null-camera
        kill -0 "$(<left)" 2>/dev/null && note "a process was left"
        true
      }
      scene first
      scene next
      """)
    #expect(
      said == """
        first: exit code 1 of false: it says nothing
        -d /dev/null-camera -c brightness=7
        -d /dev/null-camera -c brightness=128

        """)
  }

  @Test("a tool that is missing is named with its package, and both are in the Makefile")
  func tools() throws {
    let empty = try TemporaryFolder()
    let result = try ChildProcess(Machine.toolsCheck, [], environment: ["PATH": empty.path]).wait()
    #expect(result.exitCode == 1, "\(result)")
    let sentences = result.errors.split(separator: "\n")
    #expect(
      sentences.contains(
        "the camera tests need v4l2-ctl; install it with: apt-get install v4l-utils"),
      "\(result)")
    let makefile = String(decoding: try readFile(repositoryRoot + "/Makefile"), as: UTF8.self)
    let packages = makefile.split(separator: "\n")
      .filter { line in
        ["PACKAGES :=", "TEST_PACKAGES :=", "CAMERA_PACKAGES :="].contains { line.hasPrefix($0) }
          || line.hasPrefix("  ")
      }
      .flatMap { $0.split(separator: " ") }
    for sentence in sentences {
      let package = try #require(sentence.split(separator: " ").last)
      #expect(packages.contains(package), "\(sentence)")
    }
  }

  @Test("a tool that is installed is not reported as missing")
  func toolsThatAreThere() throws {
    let folder = try TemporaryFolder()
    try runTool("cp", ["/bin/true", folder.file("strace")])
    let result = try ChildProcess(Machine.toolsCheck, [], environment: ["PATH": folder.path]).wait()
    #expect(
      result.errors.contains("need ffmpeg;") && !result.errors.contains("strace"), "\(result)")
  }
}
