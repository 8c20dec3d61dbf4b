import TestSupport
import Testing

/// Tests of effects that generate images, recorded without an input.
@Suite struct GeneratorTests {
  private static let generator = """
    /*{"ISFVSN": "2", "INPUTS": [{"NAME": "shade", "TYPE": "float", "DEFAULT": 0.5}]}*/
    void main() { gl_FragColor = vec4(isf_FragNormCoord.y > 0.5 ? shade : 0.0, 0.0, TIME, 1.0); }
    """

  @Test("A chain that begins with a generator needs no input, and has the requested size and times")
  func recording() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.generator.utf8, to: "plain.fs")
    let output = folder.file("out-%d.png")
    let result = try KfrecProcess.run(
      ["-e", "\(path):shade=1", "--size", "64x32", "--fps", "2", "-t", "1.5", "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    for (frame, blue) in [(1, 0), (2, 128), (3, 255)] {
      let pixels = try Probe.pixels(folder.file("out-\(frame).png"), "rgb24")
      #expect(pixels.count == 64 * 32 * 3)
      #expect(pixels.prefix(3).map(Int.init) == [255, 0, blue])
      #expect(pixels.suffix(3).map(Int.init) == [0, 0, blue])
    }
  }
}
