import Glibc
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
    let image = try loader(PictureRequest(path))
    #expect(try loader(PictureRequest(path)) === image)
    #expect((image.width, image.height) == (5, 3))
  }

  @Test(
    "what a playlist names is opened only if its name is that of a playlist, and never for an effect's own picture",
    arguments: [("dash", ".mpd"), ("hls", ".m3u8"), ("concat", ".ffconcat")])
  func playlists(_ kind: String, _ ending: String) throws {
    let folder = try TemporaryFolder()
    let secret = folder.file("secret.mp4")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=red:s=64x48:r=25:d=1", "-c:v", "libx264"]
        + ["-movflags", "frag_keyframe+empty_moov+default_base_moof", secret])
    let filler = String(repeating: "x", count: 5000)
    let text =
      switch kind {
      case "dash":
        """
        <?xml version="1.0"?><!-- \(filler) -->
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"
          profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>
        <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="64" height="48">
        <BaseURL>file://\(secret)</BaseURL></Representation></AdaptationSet></Period></MPD>
        """
      case "hls":
        "#EXTM3U\n#\(filler)\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(secret)\n#EXT-X-ENDLIST\n"
      default: "ffconcat version 1.0\nfile secret.mp4\n"
      }
    let list = try folder.write(text.utf8, to: "list" + ending)
    let video = try folder.write(text.utf8, to: "list.mp4")
    // The user may name a playlist.
    #expect(try ImageInputs().loader(PictureRequest(list)).width == 64)
    for (path, isOfEffect) in [(list, true), (video, true), (video, false)] {
      let error = try #require(throws: (any Error).self) {
        try ImageInputs().loader(PictureRequest(path, isOfEffect: isOfEffect))
      }
      #expect("\(error)".contains("names other files"), "\(error)")
    }
  }

  @Test(
    "a FIFO is no picture of an effect, and nobody waits for its writer", .timeLimit(.minutes(15)))
  func fifo() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.file("fifo.png"), 0o600) == 0)
    #expect(throws: (any Error).self) {
      try ImageInputs().loader(PictureRequest(folder.file("fifo.png"), isOfEffect: true))
    }
  }
}
