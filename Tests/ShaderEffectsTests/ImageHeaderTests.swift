import GPU
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct ImageHeaderTests {
  private func header(_ json: String) throws -> EffectHeader {
    try EffectFile(path: "a.comp", source: "/*\(json)*/\n").header
  }

  @Test("Image inputs and imports are read, imports in both of ISF's forms")
  func read() throws {
    let header = try header(
      """
      {"INPUTS": [{"NAME": "inputImage", "TYPE": "image"},
        {"NAME": "back", "TYPE": "image", "OPTIONAL": true, "LABEL": "b"}],
       "IMPORTED": {"paper": {"PATH": "a/paper.png"}, "ink": {"PATH": "ink.jpg"}}}
      """)
    #expect(header.inputs.map(\.imageRole) == [.frame, .file])
    #expect(header.inputs.map(\.isOptional) == [false, true])
    #expect(header.inputs.map(\.isRequired) == [false, false])
    #expect(header.imports.map(\.name) == ["paper", "ink"])
    #expect(header.imports.map(\.path) == ["a/paper.png", "ink.jpg"])
    let list = try self.header(#"{"IMPORTED": [{"NAME": "x", "PATH": "x.png"}]}"#)
    #expect(list.imports.map(\.name) == ["x"] && list.imports.map(\.path) == ["x.png"])
  }

  @Test(
    "A mistake is reported by name",
    arguments: [
      (
        #""INPUTS": [{"NAME": "a", "TYPE": "image", "DEFAULT": 1}]"#,
        "input 'a': an image has no DEFAULT"
      ),
      (
        #""INPUTS": [{"NAME": "a", "TYPE": "float", "OPTIONAL": true}]"#,
        "input 'a': a float has no OPTIONAL"
      ),
      (
        #""INPUTS": [{"NAME": "a", "TYPE": "image"}, {"NAME": "aSize", "TYPE": "bool"}]"#,
        "the name 'aSize' is declared twice"
      ),
      (
        #""INPUTS": [{"NAME": "a", "TYPE": "bool"}], "IMPORTED": {"a": {"PATH": "b"}}"#,
        "the name 'a' is declared twice"
      ),
      (
        #""INPUTS": [{"NAME": "a", "TYPE": "image"}], "PASSES": [{"TARGET": "a"}, {}]"#,
        "the TARGET 'a' needs the name 'a', which is an input already"
      ),
      (#""IMPORTED": {"a": {}}"#, "the import 'a' needs PATH"),
      (#""IMPORTED": [{"PATH": "a"}]"#, "an import needs NAME"),
      (#""IMPORTED": {"a": {"PATH": ""}}"#, "PATH of the import 'a' must name a file"),
      (#""IMPORTED": {"a": {"PATH": "x", "W": 1}}"#, "the import 'a': unknown key W"),
      (#""IMPORTED": {"frame": {"PATH": "x"}}"#, "the name 'frame' is reserved"),
      (#""IMPORTED": 5"#, "IMPORTED must be an array [ ], not a number"),
    ])
  func mistakes(members: String, message: String) throws {
    let error = try #require(throws: EffectError.self) { try header("{\(members)}") }
    #expect(error.description.hasPrefix("a.comp:1:"))
    #expect(error.description.contains("error: \(message)"))
  }

  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Compiles an effect whose images are all 3x2 pixels; returns it with its folder's path.
  private func compile(
    _ source: String, _ use: String = "a"
  ) throws -> (effect: EffectInstance, folder: String) {
    let folder = try EffectFolder()
    try folder.write("a.comp", source)
    let library = EffectLibrary(
      folders: [folder.path],
      searchPath: EffectSearchPath(given: [folder.path], environment: { _ in nil }, executable: nil)
    ) { picture in
      let path = picture.words
      guard !path.hasSuffix("missing.png") else {
        throw Missing(description: "\(path) does not exist")
      }
      return EffectImage(width: 3, height: 2, texels: Array(repeating: 0.5, count: 24))
    }
    return (try library.compile(EffectSpec(parsing: use), with: ShaderCompiler()), folder.path)
  }

  private static let effect = """
    /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}, {"NAME": "inputImage", "TYPE": "image"}],
      "IMPORTED": {"paper": {"PATH": "sub/paper.png"}}}*/
    vec4 effect(vec2 uv) {
      return back(uv) + paperPixel(backSize()) + inputImagePixel();
    }
    """

  @Test("An effect with images stays per pixel, and reports the images that it was not given")
  func compiled() throws {
    let bare = try compile(Self.effect).effect
    #expect(bare.missingImages == ["back"])
    #expect(bare.warnings.isEmpty)
    #expect(bare.traits.isPerPixel && bare.traits.reads == 1)
    let images = bare.shader.images
    #expect(images.map(\.name) == ["back", "paper"])
    #expect(images.map(\.image.width) == [1, 3])
    let given = try compile(Self.effect, "a:back=x/y.png").effect
    #expect(given.missingImages.isEmpty)
    #expect(given.shader.images.map(\.image.width) == [3, 3])
    let wide = Self.effect.replacing("inputImagePixel()", with: "inputImage(uv)")
    #expect(try !compile(wide).effect.traits.isPerPixel)
  }

  @Test("An image with OPTIONAL false is needed until it is given")
  func needed() throws {
    let needing = Self.effect.replacing(
      #"{"NAME": "back", "TYPE": "image"}"#,
      with: #"{"NAME": "back", "TYPE": "image", "OPTIONAL": false}"#)
    #expect(try compile(needing).effect.neededImages == ["back"])
    #expect(try compile(needing, "a:back=x/y.png").effect.neededImages.isEmpty)
    #expect(try compile(Self.effect).effect.neededImages.isEmpty)
  }

  @Test("An image may replace another one")
  func replaced() throws {
    var effect = try compile(Self.effect).effect
    let other = EffectImage(width: 5, height: 1, texels: Array(repeating: 0, count: 20))
    let isSet = effect.setImage("back", to: other)
    #expect(isSet)
    #expect(effect.shader.images.map(\.image.width) == [5, 3])
    let isUnknown = effect.setImage("nothing", to: .nothing())
    #expect(!isUnknown)
  }

  @Test("An image that cannot be read is reported with the effect, the input and the reason")
  func missing() throws {
    let input = try #require(throws: EffectError.self) {
      try compile(Self.effect, "a:back=missing.png")
    }
    #expect(input.description == "effect 'a': back: missing.png does not exist")
    #expect(!input.isUsageError && !input.diagnostics.isEmpty)
    let imported = try #require(throws: EffectError.self) {
      try compile(Self.effect.replacing("sub/paper", with: "sub/missing"))
    }
    #expect(imported.description.contains("a.comp:2:34: error: the import 'paper': "))
    #expect(imported.description.contains("/sub/missing.png does not exist"))
  }

  @Test("The frame takes no value, and an image needs a path")
  func values() {
    #expect(
      throws: EffectError.usage("effect 'a': inputImage is the effect's input and takes no value")
    ) {
      try compile(Self.effect, "a:inputImage=x.png")
    }
    #expect(throws: EffectError.usage("effect 'a': back must be the path of an image or video")) {
      try compile(Self.effect, "a:back=")
    }
  }

  @Test("An image that is never read gives a warning")
  func unread() throws {
    let effect = try compile(
      """
      /*{"INPUTS": [{"NAME": "back", "TYPE": "image"}, {"NAME": "inputImage", "TYPE": "image"}],
        "IMPORTED": {"paper": {"PATH": "paper.png"}}}*/
      vec4 effect(vec2 uv) { return frame(uv); }
      """
    ).effect
    #expect(effect.warnings.count == 2)
    #expect(effect.warnings.contains { $0.contains("input 'back' is declared and never used") })
    #expect(effect.warnings.contains { $0.contains("import 'paper' is declared and never used") })
  }
}
