/// The places of constant expressions at file scope: the values of `const` declarations outside
/// functions, and the macros that they name.
///
/// GLSL allows only its own functions there.
struct ISFConstants {
  private(set) var places = Set<Int>()

  init(_ tokens: [ISFToken]) {
    for statement in ISFToken.statements(tokens) where tokens[statement[0]].text == "const" {
      places.formUnion(statement)
    }
    addMacros(tokens)
  }

  /// Adds the macros that the constants name, and the macros that these name.
  private mutating func addMacros(_ tokens: [ISFToken]) {
    var bodies: [String: [Int]] = [:]
    let directives = tokens.indices.filter { tokens[$0].isDirective && tokens[$0].isCode }
    for (name, body) in Self.macros(directives, tokens) { bodies[name, default: []] += body }
    guard !bodies.isEmpty else { return }
    var words = places.map { tokens[$0].text }
    while let word = words.popLast() {
      guard let body = bodies.removeValue(forKey: word) else { continue }
      places.formUnion(body)
      words += body.map { tokens[$0].text }
    }
  }

  /// Returns the name and the places of each macro in consecutive directives.
  private static func macros(_ places: [Int], _ tokens: [ISFToken]) -> [(String, [Int])] {
    let starts = places.indices.filter { tokens[places[$0]].text == "#" }
    return starts.enumerated().compactMap { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] : places.count
      guard start + 2 < end, tokens[places[start + 1]].text == "define" else { return nil }
      return (tokens[places[start + 2]].text, Array(places[(start + 2)..<end]))
    }
  }
}
