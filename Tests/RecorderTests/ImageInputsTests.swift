import ShaderEffects
import TestSupport
import Testing

@testable import Recorder

@Suite("Pictures of effects as files") struct ImageInputsTests {
  @Test("One that was decoded once serves every effect of a recording")
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
