import ShaderEffects
import TestSupport
import Testing

@testable import Recorder

@Suite("Image files of effects") struct ImageInputsTests {
  @Test("An image is decoded once for all effects of a recording")
  func shared() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("card.png")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=red:s=5x3,format=rgb24", "-frames:v", "1", path])
    let loader = ImageInputs().loader
    let image = try loader(path)
    #expect(try loader(path) === image)
    #expect((image.width, image.height) == (5, 3))
  }
}
