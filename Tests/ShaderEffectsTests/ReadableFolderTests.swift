import Foundation
import ShaderCompiler
import Testing

@testable import ShaderEffects

/// Tests of what the files of an effect may read.
@Suite struct ReadableFolderTests {
  /// A folder with an effects folder, `effects`, and another person's files beside it, `others`.
  private struct Place {
    let folder: EffectFolder
    var effects: String { folder.path + "/effects" }
    var others: String { folder.path + "/others" }

    init() throws {
      folder = try EffectFolder()
      try folder.write("others/secret.glsl", "secret words\n")
      try folder.write("others/secret.png", "secret")
      try folder.write("effects/own.png", "own")
      try folder.write("effects/deep/own.png", "own")
      for (link, file) in [
        ("link.glsl", "../others/secret.glsl"), ("link.png", "../others/secret.png"),
        ("linkedFolder", "../others"), ("inner.png", "deep/own.png"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: effects + "/" + link, withDestinationPath: file)
      }
    }

    func compile(_ source: String, name: String = "a.comp", readable: [String] = []) throws {
      try folder.write("effects/" + name, source)
      let library = EffectLibrary(
        folders: [effects],
        searchPath: EffectSearchPath(given: [effects], environment: { _ in nil }, executable: nil),
        readable: readable)
      _ = try library.compile(EffectSpec(name: effects + "/" + name), with: ShaderCompiler())
    }

    /// The message about an effect that is refused.
    func refusal(_ source: String, name: String = "a.comp") throws -> String {
      let error = try #require(throws: EffectError.self) { try compile(source, name: name) }
      #expect(!error.description.contains("secret words"))
      return error.description
    }
  }

  private static func including(_ path: String) -> String {
    "#include \"\(path)\"\nvec4 effect(vec2 uv) { return framePixel(); }\n"
  }

  private static func importing(_ path: String) -> String {
    "/*{\"IMPORTED\": {\"paper\": {\"PATH\": \"\(path)\"}}}*/\nvec4 effect(vec2 uv) { return paper(uv); }\n"
  }

  @Test(
    "an include outside the effect's folder is refused: by .., by an absolute path, through a link",
    arguments: ["../others/secret.glsl", "link.glsl", "linkedFolder/secret.glsl", "ABSOLUTE"])
  func includes(_ path: String) throws {
    let place = try Place()
    let path = path == "ABSOLUTE" ? place.others + "/secret.glsl" : path
    let message = try place.refusal(Self.including(path))
    #expect(message.contains("lies outside the folders from which this effect may read"))
    #expect(message.contains("--allow-read DIR"))
  }

  @Test(
    "an imported picture outside the effect's folder is refused, at its place in the header",
    arguments: [
      "../others/secret.png", "link.png", "linkedFolder/secret.png", "ABSOLUTE", "link.png~loop",
    ])
  func imports(_ path: String) throws {
    let place = try Place()
    let path = path == "ABSOLUTE" ? place.others + "/secret.png" : path
    let message = try place.refusal(Self.importing(path))
    #expect(message.contains("a.comp:1:"))
    #expect(message.contains("the import 'paper': \(path) lies outside the folders"))
  }

  @Test(
    "a picture in the effect's folder, below it, or behind a link that stays there is read",
    arguments: ["own.png", "deep/own.png", "inner.png", "deep/../own.png"])
  func own(_ path: String) throws {
    #expect(throws: Never.self) { try Place().compile(Self.importing(path)) }
  }

  @Test("a folder that the user allows may be read, and no other one")
  func allowed() throws {
    let place = try Place()
    for source in [Self.importing("link.png"), Self.importing("../others/secret.png")] {
      #expect(throws: Never.self) { try place.compile(source, readable: [place.others]) }
      #expect(throws: EffectError.self) { try place.compile(source, readable: [place.effects]) }
    }
    let usage = #expect(throws: EffectError.self) {
      try EffectLibrary(folders: [], readable: ["/no/such"]).describe("a")
    }
    #expect(usage?.description.contains("check --allow-read") == true)
    #expect(usage?.isUsageError == true)
  }

  @Test("an allowed folder also opens the way of an include that its path leads to")
  func allowedInclude() throws {
    let place = try Place()
    try place.folder.write("others/fine.glsl", "#define FINE 1\n")
    #expect(throws: Never.self) {
      try place.compile(Self.including("../others/fine.glsl"), readable: [place.others])
    }
  }

  @Test("numbered images and pipes are no pictures of an effect")
  func notOneFile() throws {
    let place = try Place()
    #expect(try place.refusal(Self.importing("n-%04d.png")).contains("stands for numbered images"))
    try #require(mkfifo(place.effects + "/fifo.png", 0o600) == 0)
    #expect(try place.refusal(Self.importing("fifo.png")).contains("is no regular file"))
  }

  @Test(
    "the file of a Shadertoy export's pass, and the vertex shader of an ISF file, stay there too")
  func foreignFiles() throws {
    let place = try Place()
    let export = """
      {"ver": "0.1", "renderpass": [{"name": "Image", "type": "image", "inputs": [], "outputs": [],
      "filename": "../others/secret.glsl"}]}
      """
    #expect(try place.refusal(export, name: "toy.json").contains("lies outside the folders"))
    try FileManager.default.createSymbolicLink(
      atPath: place.effects + "/b.vs", withDestinationPath: "../others/secret.glsl")
    let isf = "/*{}*/\nvoid main() { gl_FragColor = vec4(1.0); }\n"
    #expect(try place.refusal(isf, name: "b.fs").contains("lies outside the folders"))
  }

  @Test(
    "a font that a header names by its path stays there too, and one of the command line may lie anywhere"
  )
  func fonts() throws {
    let place = try Place()
    let source = """
      /*{"INPUTS": [{"NAME": "words", "TYPE": "text", "DEFAULT": "a", "SIZE": 20},
      {"NAME": "face", "TYPE": "font", "DEFAULT": "\(place.others)/secret.png"}]}*/
      vec4 effect(vec2 uv) { return words(uv); }
      """
    #expect(
      try place.refusal(source).contains("face: the font \(place.others)/secret.png lies outside"))
  }
}
