import TestSupport
import Testing

/// Devices beside the software driver with its large limits: the same driver with Vulkan's smallest ones, and SwiftShader,
/// which chromium brings.
@Suite struct OtherDeviceTests {
  // The tests are run with a selection of Mesa's software driver alone.
  private static let swiftShader = [
    "VK_DRIVER_FILES": "/usr/lib/chromium/vk_swiftshader_icd.json",
    "VK_LOADER_DRIVERS_SELECT": "*swiftshader*",
  ]
  private static let least = ["KFREC_LEAST_LIMITS": "1"]

  @Test("smallest limits refuse what not every GPU has")
  func refusal() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "layout(local_size_x = 16, local_size_y = 16) in; void main() { store(PIXEL, framePixel()); }"
        .utf8, to: "large.comp")
    for (environment, code) in [([:], 0), (Self.least, 1)] as [([String: String], Int32)] {
      let end = try KfrecProcess.run(
        ["check", "./large.comp"], in: folder, environment: environment)
      #expect(end.exitCode == code, "\(end)")
      #expect(end.text.contains("128 invocations") == (code == 1), "\(end)")
    }
  }

  // Each has something that a texel buffer of 65,536 texels does not hold.
  @Test(
    "smallest limits change no frame",
    arguments: [
      "-e separateRGB", "--deinterlace bob", "--size 700x404",
      "-e frameDelay:frames=2 -e gaussianBlur",
      "-e text:text=Words,size=0.3", "--subtitles words.srt",
    ])
  func sameFrames(words: String) throws {
    let folder = try TemporaryFolder()
    try make(
      "in.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=0.2,setfield=tff", "-c:v", "ffv1",
        "-flags", "+ildct",
      ])
    try folder.write(Array("1\n00:00:00,000 --> 00:00:01,000\nWords\n".utf8), to: "words.srt")
    var hashes: [[UInt8]] = []
    for environment in [[:], Self.least] {
      let end = try KfrecProcess.run(
        ["-y", "-i", "in.mkv", "--codec", "ffv1", "-o", "out.mkv", "--framehash", "hashes"]
          + words.split(separator: " ").map(String.init), in: folder, environment: environment)
      #expect(end.exitCode == 0, "\(end)")
      hashes.append(try readFile(folder.file("hashes")))
    }
    #expect(hashes[0] == hashes[1])
  }

  @Test(
    "all golden images pass on other devices", arguments: [least, swiftShader])
  func goldens(environment: [String: String]) throws {
    let end = try KfrecProcess.run(["golden"], environment: environment)
    let wrong = end.text.split(separator: "\n").filter { !$0.contains(": passed, ") }
    #expect(end.exitCode == 0, "\(end) \(wrong)")
  }
}
