import TestSupport
import Testing

/// An effect that keeps the GPU busy for too long ends the recording, and nothing hangs.
@Suite struct FrameLimitTests {
  /// Light up to a frame, and then some 10^13 sines for each at 1280x720: seconds on any GPU.
  ///
  /// Each loop is below the 65,535 turns after which lavapipe ends it.
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

  @Test("what was encoded before it is kept, with exit code 3 and the effects' names")
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

  @Test("before the first frame it leaves nothing, with exit code 1")
  func leavesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.heavy(from: 0).utf8), to: "heavy.comp")
    let result = try Self.record(folder)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.errors.contains("the effects vignette, heavy within 2.0 s"), "\(result)")
    #expect(folder.names == ["heavy.comp"])
  }
}
