import TestSupport
import Testing
import Settings

@testable import kfrec

@Suite struct PlayListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ lines: [String], to name: String) throws {
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: name)
  }

  /// The names of the sources of a list in the folder.
  private func sources(_ name: String) throws -> [String] {
    try PlayList([folder.file(name)]).sources.map { String($0.dropFirst(folder.path.count + 1)) }
  }

  @Test("playlists, folders and their files follow each other, in the order of the lines")
  func order() throws {
    try write(["#EXTM3U", "b.mp4", "two.pls", "a.mp4"], to: "one.m3u")
    try write(["[playlist]", "File1=c.mp4", "Title1=c", "File2=d.mp4"], to: "two.pls")
    #expect(try sources("one.m3u") == ["b.mp4", "c.mp4", "d.mp4", "a.mp4"])
  }

  @Test("a playlist inside itself is left out, under any name")
  func cycle() throws {
    let names = Array(repeating: "self.m3u", count: 20) + ["./other.m3u", "a.mp4"]
    try write(names, to: "self.m3u")
    try write(["b.mp4", folder.file("self.m3u")], to: "other.m3u")
    #expect(try sources("self.m3u") == ["./b.mp4", "a.mp4"])
    try write(["only.m3u"], to: "only.m3u")
    let error = #expect(throws: CommandLineError.self) { try sources("only.m3u") }
    #expect(error?.description.hasPrefix("there is nothing to play in ") == true)
  }

  @Test("one list may be named several times side by side")
  func repeats() throws {
    try write(["a.mp4"], to: "one.m3u")
    try write(["one.m3u", "one.m3u"], to: "all.m3u")
    #expect(try sources("all.m3u") == ["a.mp4", "a.mp4"])
  }

  @Test("the playlist that is too deep is left out, and the playlist of an HLS stream is a source")
  func depth() throws {
    for number in 0..<9 {
      try write(["\(number).mp4", "l\(number + 1).m3u8"], to: "l\(number).m3u8")
    }
    #expect(try sources("l0.m3u8") == (0..<8).map { "\($0).mp4" })
    try write(["#EXTM3U", "#EXT-X-TARGETDURATION:4", "a.ts"], to: "l1.m3u8")
    #expect(try sources("l0.m3u8") == ["0.mp4", "l1.m3u8"])
  }

  @Test("lists that name each other many times are an error")
  func breadth() throws {
    for number in 0..<7 {
      try write(Array(repeating: "l\(number + 1).m3u", count: 20), to: "l\(number).m3u")
    }
    try write(["a.mp4"], to: "l7.m3u")
    let error = #expect(throws: CommandLineError.self) { try sources("l0.m3u") }
    #expect(error?.description.contains("more than 100000 entries") == true)
  }
}
