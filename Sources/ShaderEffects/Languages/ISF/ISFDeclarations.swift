/// A variable that a shader shares with the stage before or after it, or with the host.
struct ISFVariable: Sendable, Equatable {
  enum Storage: Sendable {
    /// Passed from stage to stage: `varying`, `in` of a fragment shader, `out` of a vertex shader.
    case varying
    case uniform
    /// A colour that a fragment shader makes, or an input of a vertex shader.
    case outside
  }

  let storage: Storage
  let type: String
  let name: String
  /// The brackets of an array; empty if it is not an array.
  let array: String
  /// True if it takes the value of one corner and is not interpolated.
  let isFlat: Bool
}

/// The declarations of a shader that a compute shader cannot contain, found by their first words.
struct ISFDeclarations {
  /// The variables, once each even if the branches of an `#if` repeat them.
  private(set) var variables: [ISFVariable] = []
  private var names = Set<String>()
  /// The indexes of the tokens to leave out.
  private(set) var removed = Set<Int>()
  /// True if there are global variables that are set when an invocation begins and may change later.
  private(set) var hasOwnGlobals = false

  private static let shared = ["varying", "in", "out", "attribute", "uniform"]
  private static let interpolation = ["flat", "smooth", "noperspective", "centroid"]
  private static let precisions = ["lowp", "mediump", "highp"]

  init(_ tokens: [ISFToken], isVertexStage: Bool) {
    for statement in ISFToken.statements(tokens)
    where tokens[statement[statement.count - 1]].text == ";" {
      read(statement, tokens, isVertexStage)
    }
  }

  private mutating func read(_ places: [Int], _ tokens: [ISFToken], _ isVertexStage: Bool) {
    var words = places.map { tokens[$0].text }
    if words.first == "layout", let end = words.firstIndex(of: ")") {
      words.removeFirst(end + 1)
    }
    guard words.first != "precision", words.first != "invariant" || words.count != 3 else {
      return remove(places)
    }
    let qualifiers = words.prefix {
      Self.shared.contains($0) || Self.interpolation.contains($0) || Self.precisions.contains($0)
        || $0 == "invariant" || $0 == "const"
    }
    let rest = words.dropFirst(qualifiers.count)
    guard let type = rest.first else { return }
    guard let storage = qualifiers.first(where: Self.shared.contains) else {
      let next = rest.dropFirst(2).first ?? ""
      if !qualifiers.contains("const"), type != "struct", rest.count > 2,
        ["=", ";", ",", "["].contains(next)
      {
        hasOwnGlobals = true
      }
      return
    }
    guard !rest.contains("{"), !rest.contains("(") || storage != "uniform" else { return }
    remove(places)
    declare(
      rest.dropFirst(), type: type, storage: kind(of: storage, isVertexStage),
      isFlat: qualifiers.contains("flat") || ["int", "uint"].contains(type))
  }

  private func kind(of storage: String, _ isVertexStage: Bool) -> ISFVariable.Storage {
    switch storage {
    case "varying": .varying
    case "in": isVertexStage ? .outside : .varying
    case "out": isVertexStage ? .varying : .outside
    case "uniform": .uniform
    default: .outside
    }
  }

  private mutating func declare(
    _ words: ArraySlice<String>, type: String, storage: ISFVariable.Storage, isFlat: Bool
  ) {
    // `vec2[5] a` means the same as `vec2 a[5]`.
    var common = ""
    var words = words
    if words.first == "[", let end = words.firstIndex(of: "]") {
      common = words[...end].joined()
      words = words[(end + 1)...]
    }
    for part in words.dropLast().split(separator: ",") {
      guard let name = part.first, names.insert(name).inserted else { continue }
      let array = part.dropFirst().prefix { $0 != "=" }.joined()
      variables.append(
        ISFVariable(
          storage: storage, type: type, name: name, array: array + common, isFlat: isFlat))
    }
  }

  private mutating func remove(_ places: [Int]) {
    guard let first = places.first, let last = places.last else { return }
    removed.formUnion(first...last)
  }
}
