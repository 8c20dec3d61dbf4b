import FFmpegHandles
import Testing

@Suite("FFmpeg's libraries") struct FFmpegLibraryTests {
  private func pair(_ loaded: FFmpegLibrary.Version) -> FFmpegLibrary {
    FFmpegLibrary("libavcodec", built: .init(61, 19, 101), loaded: loaded)
  }

  @Test("the same version and later ones of the same kind fit")
  func fitting() {
    for loaded in [(61, 19, 101), (61, 19, 100), (61, 20, 0), (61, 255, 255)] {
      #expect(FFmpegLibrary.mismatch([pair(.init(loaded.0, loaded.1, loaded.2))]) == nil)
    }
    #expect(FFmpegLibrary.mismatch(FFmpegLibrary.all) == nil)
  }

  @Test("an older one and one of another kind are named, wherever they stand")
  func other() {
    let own = FFmpegLibrary("libavutil", built: .init(59, 39, 100), loaded: .init(59, 39, 100))
    for (loaded, words) in [
      ((61, 18, 255), "is too old"), ((60, 31, 102), "is another one"),
      ((62, 1, 100), "is another one"),
    ] {
      let version = FFmpegLibrary.Version(loaded.0, loaded.1, loaded.2)
      let said = FFmpegLibrary.mismatch([own, pair(version)])
      #expect(said?.hasPrefix("libavcodec \(version) \(words)") == true, "\(said ?? "")")
      #expect(said?.contains("61.19.101") == true)
    }
  }

  @Test("the versions are those of the headers and of the loaded libraries")
  func versions() {
    #expect(FFmpegLibrary.all.map(\.name).count == 6)
    #expect(FFmpegLibrary.all.allSatisfy { $0.loaded.major == $0.built.major })
    #expect(FFmpegLibrary.releases.built.first?.isNumber == true)
  }
}
