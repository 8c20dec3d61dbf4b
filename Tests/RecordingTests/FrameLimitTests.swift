import TestSupport
import Testing

/// Tests that an effect that keeps the GPU busy for too long ends the recording, and nothing hangs.
@Suite struct FrameLimitTests {
  /// Returns an effect with little work before a frame, and about 10^13 sines per frame at 1280x720
  /// from that frame on: seconds on any GPU.
  ///
  /// Each loop has fewer than the 65,535 iterations after which lavapipe ends it.
  private static func heavy(from frame: Int) -> String {
    """
    vec4 effect(vec2 uv) {
      vec4 color = framePixel();
      int turns = FRAMEINDEX < \(frame) ? 1 : 60000;
      for (int j = 0; j < turns / 200 + 1; j++) {
        for (int i = 0; i < turns; i++) color.r = sin(color.r + float(i));
      }
      return color;
    }
    """
  }

  private static func record(_ folder: TemporaryFolder) throws -> ChildResult {
    try KfrecProcess.run(
      [
        "-i", "testsrc", "--size", "1280x720", "--frames", "20", "-e", "vignette:to=1", "-e",
        "./heavy.comp", "--gpu-timeout", "2", "-o", "out.mov",
      ], in: folder)
  }

  @Test("frames before a GPU time limit are kept, with exit code 3 and the effects' names")
  func keeps() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.heavy(from: 5).utf8), to: "heavy.comp")
    let result = try Self.record(folder)
    #expect(result.exitCode == 3, "\(result)")
    #expect(
      result.errors.contains(
        "the GPU did not finish the effects vignette, heavy within 2.0 s for the frame at 0.167 s"),
      "\(result)")
    #expect(result.errors.contains("--gpu-timeout") && result.errors.contains("is in out.mov"))
    #expect(folder.names == ["heavy.comp", "out.mov"])
    #expect(try Probe.rows(folder.file("out.mov"), "frame=pts", of: "v:0").count == 5)
  }

  @Test("a GPU time limit in the first frame leaves no file, with exit code 1")
  func leavesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.heavy(from: 0).utf8), to: "heavy.comp")
    let result = try Self.record(folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("the effects vignette, heavy within 2.0 s"), "\(result)")
    #expect(folder.names == ["heavy.comp"])
  }
}
