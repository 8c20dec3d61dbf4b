import Foundation
import Frames
import GPU
import ShaderCompiler
import Testing

@testable import ShaderEffects

@Suite struct EffectLibraryTests {
  private let plain = "vec4 effect(vec2 uv) { return frame(uv); }\n"

  @Test("A name is searched in every folder in order, and a path is used as it is")
  func search() throws {
    let (first, second) = (try EffectFolder(), try EffectFolder())
    try first.write("a.comp", "/*{\"DESCRIPTION\": \"first\"}*/\n" + plain)
    try second.write("a.comp", "/*{\"DESCRIPTION\": \"second\"}*/\n" + plain)
    try second.write("B.comp", "/*{\"DESCRIPTION\": 5}*/\n" + plain)
    try second.write("include/c.comp", plain)
    try second.write("notes.txt", "")
    let folders = [first.path, second.path]
    let library = EffectLibrary(
      folders: folders,
      searchPath: EffectSearchPath(given: folders, environment: { _ in nil }, executable: nil))
    let all = try library.descriptions()
    #expect(all.map(\.name) == ["a", "B"])
    #expect(all.map(\.description) == ["first", ""])
    #expect(all[1].problem?.contains("B.comp:1:19: error: DESCRIPTION must be a string") == true)
    #expect(try library.describe("a.comp").description == "first")
    #expect(try library.describe("\(second.path)/a.comp").description == "second")
  }

  @Test("The search path is the documented one, and every folder in it is searched once")
  func searchPath() throws {
    let variables = ["KFREC_EFFECTS": "/k1:/k2", "HOME": "/home/me"]
    let path = EffectSearchPath(
      given: ["/g", "/k1"], environment: { variables[$0] }, executable: "/opt/bin/kfrec")
    #expect(
      path.folders
        == ["/g", "/k1", "/k2", "/home/me/.local/share/kfrec/effects", "/opt/share/kfrec/effects"])
    let xdg = EffectSearchPath(
      given: [], environment: { $0 == "XDG_DATA_HOME" ? "/x" : nil }, executable: nil)
    #expect(xdg.folders == ["/x/kfrec/effects"])
    let folder = try EffectFolder()
    try folder.write("Package.swift", "")
    try folder.write("Effects/a.comp", plain)
    let checkout = EffectSearchPath(
      given: [], environment: { _ in nil }, executable: "\(folder.path)/.build/debug/kfrec")
    #expect(checkout.folders.last == "\(folder.path)/Effects")
  }

  @Test(
    "Wrong words are a usage error with near names and the allowed values",
    arguments: [
      ("flur", "there is no effect 'flur' in FOLDER; did you mean 'blur'?"),
      ("blur,blur", "'blur,blur' is 2 effects: name each by itself, as in -e blur -e blur"),
      ("hflip", "there is no effect 'hflip': use --flip h"),
      (
        "fade-out",
        "there is no effect 'fade-out': -e colorAdjust:gain=black@0..white@2 comes from black in two seconds, "
          + "gain=white@8..black@10 goes to black, and crossfade and dipToBlack lead from one input to the next"
      ),
      (
        "subtitles",
        "there is no effect 'subtitles': use --subtitles FILE to draw them, or --subtitles-track FILE to keep them as "
          + "a track"
      ),
      ("xyzxyz", "there is no effect 'xyzxyz' in FOLDER; 'kfrec effects' lists all effects"),
      (
        "no/such.comp",
        "there is no effect file no/such.comp; give its path, or the name of an effect"
      ),
      (
        "blur=3",
        "'blur=3' is not an effect: parameters are written NAME:param=value,param=value; "
          + "write blur:radius=VALUE"
      ),
      (
        "flur=3:4",
        "'flur=3:4' is not an effect: parameters are written NAME:param=value,param=value; "
          + "did you mean 'blur'?"
      ),
      (
        "zzzzzz=w=3:h=4",
        "'zzzzzz=w=3' is not an effect: parameters are written NAME:param=value,param=value; "
          + "'kfrec effects' lists all effects"
      ),
      ("blur:raduis=1", "effect 'blur' has no parameter 'raduis'; did you mean 'radius'?"),
      (
        "blur:zzz=1",
        "effect 'blur' has no parameter 'zzz'; it has radius, shape, soft, spot, tint"
      ),
      ("blur:radius=3", "effect 'blur': radius must be a number from 0 to 2, not '3'"),
      ("blur:radius=", "effect 'blur': radius must be a number from 0 to 2, not ''"),
      ("blur:radius=0x1", "effect 'blur': radius must be a number from 0 to 2, not '0x1'"),
      ("blur:shape=star", "effect 'blur': shape must be one of Box, Disc, not 'star'"),
      ("blur:shape=2", "effect 'blur': shape must be one of Box, Disc, not '2'"),
      ("blur:soft=maybe", "effect 'blur': soft must be true or false, not 'maybe'"),
      ("blur:spot=1", "effect 'blur': spot must be two numbers x/y, not '1'"),
      (
        "blur:tint=reddish",
        "effect 'blur': tint must be a colour such as red, ff8000, ff8000c0 or 1/0.5/0/1, each part "
          + "from 0 to 1, not 'reddish'"
      ),
      (
        "blur:tint=1/2/0",
        "effect 'blur': tint must be a colour such as red, ff8000, ff8000c0 or 1/0.5/0/1, each part "
          + "from 0 to 1, not '1/2/0'"
      ),
    ])
  func usage(words: String, message: String) throws {
    let folder = try EffectFolder()
    try folder.write("blur.comp", Self.blur)
    let error = try #require(throws: EffectError.self) {
      try folder.library.compile(EffectSpec(parsing: words), with: ShaderCompiler())
    }
    #expect(error == .usage(message.replacing("FOLDER", with: folder.path)))
  }

  @Test(
    "Values are read in every notation",
    arguments: [
      ("radius=1e-1", 0, [0.1]), ("shape=disc", 1, [1]), ("shape=0", 1, [0]), ("soft=off", 2, [0]),
      ("spot=-3/0.5", 3, [-3, 0.5]), ("tint=#ff0000", 4, [1, 0, 0, 1]),
      ("tint=00ff0000", 4, [0, 1, 0, 0]), ("tint=0/0/1", 4, [0, 0, 1, 1]),
      ("tint=0/0/1/0.5", 4, [0, 0, 1, 0.5]),
    ] as [(String, Int, [Double])])
  func values(words: String, index: Int, expected: [Double]) throws {
    let file = try EffectFile(path: "blur.comp", source: Self.blur)
    let values = try ParameterValues.resolve(EffectSpec(parsing: "blur:" + words), for: file)
    #expect(values[index] == ParameterTrack(expected))
  }

  @Test("A description is one JSON object with every parameter")
  func json() throws {
    let folder = try EffectFolder()
    try folder.write("blur.comp", Self.blur)
    let text = try folder.library.describe("blur").json
    #expect(!text.contains("\n"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["name"] as? String == "blur")
    #expect(object["path"] as? String == "\(folder.path)/blur.comp")
    #expect(object["description"] as? String == "Says \"blur\"")
    let inputs = try #require(object["inputs"] as? [[String: Any]])
    // A number would also pass as a bool, and a bool as a number, so the text is compared too.
    #expect(inputs[0]["default"] as? Double == 1 && inputs[1]["default"] as? String == "Box")
    #expect(inputs[2]["default"] as? Bool == true && text.contains(#""default":true"#))
    #expect(inputs[3]["default"] as? [Double] == [0, 0])
    #expect(inputs[4]["default"] as? [Double] == [1, 1, 1, 1])
    #expect(inputs[1]["labels"] as? [String] == ["Box", "Disc"])
    #expect(inputs[0]["max"] as? Double == 2 && inputs[3]["max"] == nil)
    #expect(inputs[4]["min"] as? [Double] == [0, 0, 0, 0])
  }

  @Test("A folder that was named and does not exist is a usage error")
  func missingFolder() {
    let library = EffectLibrary(folders: ["/no/such"])
    #expect(
      throws: EffectError.usage("the effects folder /no/such does not exist; check --effects-dir")
    ) {
      try library.descriptions()
    }
  }

  private static let blur = """
    /*{"DESCRIPTION": "Says \\"blur\\"", "INPUTS": [
      {"NAME": "radius", "TYPE": "float", "MIN": 0, "MAX": 2},
      {"NAME": "shape", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["Box", "Disc"]},
      {"NAME": "soft", "TYPE": "bool"}, {"NAME": "spot", "TYPE": "point2D"},
      {"NAME": "tint", "TYPE": "color"}]}*/
    vec4 effect(vec2 uv) { return frame(uv); }
    """

  @Test("An alias gives the same values as the name, and only one of the two can be given")
  func aliases() throws {
    let folder = try EffectFolder()
    try folder.write(
      "a.comp",
      """
      /*{"INPUTS": [{"NAME": "amount", "TYPE": "float", "ALIASES": ["radius"]},
        {"NAME": "tall", "TYPE": "bool"}],
        "PASSES": [{"TARGET": "small", "WIDTH": "amount * SIDE", "HEIGHT": "SIDE"}, {}],
        "CONSTANTS": [{"NAME": "reach", "VALUE": "amount * SIDE"}]}*/
      vec4 effect(vec2 uv) { return tall ? small(uv) * reach : framePixel(); }
      """)
    let compiler = try ShaderCompiler()
    let named = try folder.library.compile(EffectSpec(parsing: "a:amount=0.25"), with: compiler)
    let aliased = try folder.library.compile(EffectSpec(parsing: "a:radius=0.25"), with: compiler)
    for (width, height) in [(640, 360), (360, 640)] {
      let bytes = aliased.uniforms(clock(.one), width: width, height: height)
      #expect(bytes == named.uniforms(clock(.one), width: width, height: height))
      #expect(try aliased.value(of: "reach", Float.self, in: bytes) == 90)
      let plan = try aliased.passPlan(width: width, height: height, storage: .images)
      #expect(plan.size(of: 0) == (90, 360))
    }
    #expect(
      throws: EffectError.usage(
        "effect 'a': 'amount' and 'radius' are the same parameter; keep one")
    ) { try folder.library.check(EffectSpec(parsing: "a:amount=0.1,radius=0.2")) }
    let input = try folder.library.describe("a").inputs[0]
    #expect(input.name == "amount" && input.aliases == ["radius"])
  }

  @Test("A colour with a picker takes a place in the picture, and others do not")
  func picker() throws {
    let folder = try EffectFolder()
    let text = """
      /*{"INPUTS": [{"NAME": "key", "TYPE": "color", "PICKER": "pick"},
        {"NAME": "pick", "TYPE": "point2D", "DEFAULT": [-1, -1]}, {"NAME": "tint", "TYPE": "color"}]}*/
      vec4 effect(vec2 uv) { return pick.x < 0.0 ? key * tint : frame(pick); }
      """
    try folder.write("a.comp", text)
    let compiler = try ShaderCompiler()
    let effect = try folder.library.compile(
      EffectSpec(parsing: "a:key=@0.25/0.75"), with: compiler)
    let bytes = effect.uniforms(clock(.one), width: 64, height: 36)
    #expect(try effect.value(of: "pick", Float.self, in: bytes) == 0.25)
    #expect(try effect.value(of: "pick", Float.self, part: 1, in: bytes) == 0.75)
    for (words, message) in [
      ("a:key=@0.25/0.75,pick=0/0", "'key' and 'pick' are the same parameter"),
      ("a:key=@red", "pick must be two numbers"), ("a:key=reddish", "or a place in the picture"),
      ("a:tint=@0/0", "is not an event and takes a value"),
    ] {
      let error = #expect(throws: EffectError.self) {
        try folder.library.check(EffectSpec(parsing: words))
      }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? words)")
    }
    try folder.write("b.comp", text.replacing(#""PICKER": "pick""#, with: #""PICKER": "tint""#))
    #expect(throws: EffectError.self) { try folder.library.describe("b") }
  }
}
