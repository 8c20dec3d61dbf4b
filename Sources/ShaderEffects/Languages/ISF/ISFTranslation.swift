import ShaderCompiler

/// A shader of an ISF file with the kernel's names; every line keeps its place.
struct ISFTranslation: Sendable {
  let text: String
  let variables: [ISFVariable]
  /// True if the text has global variables that must be set for each pixel.
  let hasOwnGlobals: Bool
  let macros: [String]
  /// The ways in which the text reads each image, by the image's number.
  private(set) var calls: [Int: Set<ISFImageCall>] = [:]
  /// The number of pixels that the calls read, with each call counted once.
  private(set) var readCount = 0
  /// The ways in which the text reads images that are passed to functions.
  private(set) var anyCalls = Set<ISFImageCall>()
  let names: ISFNames
  /// The author's function names, by the names of the kernel's functions that read images.
  private var spokenCalls: [String: String] = [:]
  /// The author's words, by the names that messages may contain.
  var spokenNames: [String: String] { names.spoken.merging(spokenCalls) { $1 } }
  /// The words of the text, for searches.
  let words: [Substring]
  /// Functions that the text calls by the new names of its own functions, where GLSL has functions of the old ones.
  let passing: String

  /// Translates `code`, which must have no comments.
  init(_ code: String, header: ISFHeader, isVertexStage: Bool) {
    let own = GlobalNames(texts: [code])
    let names = ISFNames(header, own: Set(own.names), isVertexStage: isVertexStage)
    let tokens = ISFToken.tokens(code)
    let declarations = ISFDeclarations(tokens, isVertexStage: isVertexStage)
    variables = declarations.variables
    hasOwnGlobals = declarations.hasOwnGlobals || own.hasInitializedVariables
    self.names = names
    words = GLSLText.tokens(code)
    var macros: [String] = []
    let places = tokens.indices.filter { tokens[$0].isCode }
    let functions = Self.ownFunctions(places.map { tokens[$0].text }, names: own.names)
    let suffix = isVertexStage ? "_vs" : "_isf"
    passing = functions.sorted { $0.key < $1.key }.map { name, defined in
      let counts = Set(defined.map(\.count))
      return BuiltInFunctions.passing(
        name, as: name + suffix, calling: ISFNames.ruledFunctions[name], besides: defined,
        counts: counts)
    }.joined(separator: "\n")
    let constants = ISFConstants(tokens)
    // A parameter or a variable of the author's may have the name of this pixel's place.
    let hidesPlace = places.indices.dropFirst().contains { index in
      ["isf_FragNormCoord", "vv_FragNormCoord", "RENDERSIZE"].contains(tokens[places[index]].text)
        && tokens[places[index - 1]].text.hasPrefix("vec")
        && !declarations.removed.contains(places[index])
    }
    var result = tokens.map(\.text)
    for place in declarations.removed where tokens[place].kind != .lineEnd {
      result[place] = " "
    }
    for (index, place) in places.enumerated() where tokens[place].kind == .word {
      guard !declarations.removed.contains(place) else { continue }
      if constants.places.contains(place), ISFNames.ruledFunctions[tokens[place].text] != nil {
        continue
      }
      let word = tokens[place].text
      func next(_ steps: Int) -> String {
        index + steps < places.count ? tokens[places[index + steps]].text : ""
      }
      let before = index > 0 ? tokens[places[index - 1]].text : ""
      if tokens[place].isDirective, before == "define" {
        macros.append(names.name(for: word, isCalled: false) ?? word)
        // Drivers accept `#define LIMIT.5`, but glslang does not.
        if place + 1 < tokens.count, tokens[place + 1].kind == .number {
          result[place + 1] = " " + result[place + 1]
        }
      }
      let isCalled = next(1) == "("
      if before == ".", word == "length" || word.utf8.allSatisfy("xyzwrgbastpq".utf8.contains) {
        continue
      }
      if let call = ISFImageCall.functions[word], isCalled, before != ".",
        let number = names.imageNumbers[next(2)],
        [",", ")"].contains(next(3))
      {
        let arguments = (4...).lazy.map(next).prefix { $0 != ")" && $0 != "" }.prefix(8)
        let isHere = ISFImageCall.own[call]?.contains(Array(arguments)) == true
        let own = isHere && !hidesPlace && !isVertexStage ? call.ofThisPixel : call
        calls[number, default: []].insert(own)
        readCount += own == .norm || own == .at ? 4 : 1
        result[place] = own.name(number)
        spokenCalls[own.name(number)] = word
      } else if isCalled,
        functions[word]?.contains(where: {
          $0.count == Self.arguments(tokens, places, index + 1)
        }) == true
      {
        result[place] = word + suffix
        spokenCalls[word + suffix] = word
      } else if isCalled, word.hasPrefix("texture") || word == "texelFetch",
        let call = ISFImageCall.functions[word], functions[word] == nil
      {
        anyCalls.insert(call)
        result[place] = call.anyName
        spokenCalls[call.anyName] = word
      } else if let name = names.name(for: word, isCalled: isCalled) {
        if let call = ISFImageCall.functions[word] {
          anyCalls.insert(call)
          readCount += 4
        }
        if word.hasSuffix("_imgSize"),
          let number = names.imageNumbers[String(word.dropFirst().dropLast("_imgSize".count))]
        {
          calls[number, default: []].insert(.size)
        }
        result[place] = name
      }
    }
    self.macros = macros
    text = Self.withoutForeignDirectives(tokens, result)
  }

  /// Removes `#version`, which kfrec writes itself, and `#extension`, `#pragma` and `#line`, which do
  /// not apply to kfrec's GLSL.
  private static func withoutForeignDirectives(_ tokens: [ISFToken], _ texts: [String]) -> String {
    var text = ""
    var isDropped = false
    for (place, token) in tokens.enumerated() {
      if token.kind == .lineEnd {
        isDropped = false
      } else if token.text == "#", token.isDirective {
        let word = tokens[(place + 1)...].first { $0.kind != .blank }?.text ?? ""
        isDropped = ["version", "extension", "pragma", "line"].contains(word)
      }
      text += isDropped ? "" : texts[place]
    }
    return text
  }

  /// Returns the types of the parameters of each function of the text that hides one of GLSL's own.
  private static func ownFunctions(_ words: [String], names: [String]) -> [String: [[String]]] {
    let clashing = names.filter(ISFNames.builtInFunctions.contains)
    var found: [String: [[String]]] = [:]
    for name in clashing {
      for (index, word) in words.enumerated()
      where word == name && index > 0 && index + 1 < words.count && words[index + 1] == "(" {
        guard words[index - 1].first?.isLetter == true, words[index - 1] != "return" else {
          continue
        }
        let rest = words[(index + 2)...].prefix { $0 != ")" }
        guard mayReplace(name, rest) else { continue }
        found[name, default: []].append(
          Array(rest) == ["void"] ? [] : BuiltInFunctions.types(ofParameters: rest))
      }
    }
    return found
  }

  /// Returns whether the parameter types also occur in GLSL's own function; if they do not, both
  /// functions can exist side by side.
  private static func mayReplace(_ name: String, _ parameters: ArraySlice<String>) -> Bool {
    let types = BuiltInFunctions.types(ofParameters: parameters)
    if name == "cross" { return types.allSatisfy { $0 == "vec3" } }
    let isOfNumbers = ["abs", "sign", "min", "max", "clamp", "mix"].contains(name)
    return isOfNumbers
      || !types.contains { ["int", "ivec2", "ivec3", "ivec4", "uint"].contains($0) }
  }

  /// Returns the number of arguments in the parentheses that open at a place.
  private static func arguments(_ tokens: [ISFToken], _ places: [Int], _ open: Int) -> Int {
    var depth = 0
    var commas = 0
    for index in open..<places.count {
      switch tokens[places[index]].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return index == open + 1 ? 0 : commas + 1 }
      case ",": if depth == 1 { commas += 1 }
      default: break
      }
    }
    return commas + 1
  }
}
