/// The overloads of GLSL's own functions (GLSL 4.60 specification, chapter 8).
///
/// A text may have a function of such a name. GLSL's hosts then still find the overloads of other types; here the author's
/// function gets another name, and functions of that name pass on what GLSL's own would take.
enum BuiltInFunctions {
  /// Returns functions with another name for all overloads but those that an author defines with these parameters.
  ///
  /// They call `called`, or else the function of GLSL. `counts` are the numbers of parameters that are wanted; nil for all.
  static func passing(
    _ name: String, as other: String, calling called: String? = nil, besides defined: [[String]],
    counts: Set<Int>? = nil
  ) -> String {
    overloads(of: name).filter {
      !defined.contains($0.parameters) && counts?.contains($0.parameters.count) != false
    }.map { overload in
      let parameters = overload.parameters.enumerated().map { "\($1) a\($0)" }
      let arguments = overload.parameters.indices.map { "a\($0)" }
      return "\(overload.result) \(other)(\(parameters.joined(separator: ", "))) "
        + "{ return \(called ?? name)(\(arguments.joined(separator: ", "))); }"
    }.joined(separator: "\n")
  }

  /// Returns the result and the parameters of each overload; none for a function that is not in the table.
  static func overloads(of name: String) -> [(result: String, parameters: [String])] {
    var found: [(result: String, parameters: [String])] = []
    for (shapes, names) in table where names.split(separator: " ").contains(name[...]) {
      for shape in shapes {
        let parts = shape.split(separator: ">")
        for size in sizes(of: shape) {
          let types = parts[0].split(separator: ",").map { type(of: $0, size) }
          let result = type(of: parts[1], size)
          if !found.contains(where: { $0.parameters == types }) { found.append((result, types)) }
        }
      }
    }
    return found
  }

  /// Returns the types of a list of parameters, which is split into words and signs.
  static func types(ofParameters words: some Collection<String>) -> [String] {
    words.split(separator: ",").map { parameter in
      parameter.first { !["const", "in", "lowp", "mediump", "highp"].contains($0) } ?? ""
    }
  }

  /// Returns the type for a letter of a shape.
  ///
  /// `g` is float or a vector of floats, `v` a vector only; `i` and `j` the same of int, `b` and `c` of bool; `m` is a square matrix. All
  /// of a shape have the same size.
  private static func type(of letter: Substring, _ size: Int) -> String {
    let (scalar, vector): (String, String)
    switch letter {
    case "g", "v": (scalar, vector) = ("float", "vec")
    case "i", "j": (scalar, vector) = ("int", "ivec")
    case "b", "c": (scalar, vector) = ("bool", "bvec")
    case "m": return "mat\(size)"
    default: return String(letter)
    }
    return size == 1 ? scalar : "\(vector)\(size)"
  }

  private static func sizes(of shape: String) -> ClosedRange<Int> {
    let letters = shape.split { ",>".contains($0) }
    if letters.contains(where: { ["v", "j", "c", "m"].contains($0) }) { return 2...4 }
    return letters.contains { ["g", "i", "b"].contains($0) } ? 1...4 : 1...1
  }

  private static let table: [(shapes: [String], names: String)] = [
    (
      ["g>g"],
      """
      radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log exp2 log2 sqrt inversesqrt abs sign \
      floor trunc round roundEven ceil fract normalize
      """
    ),
    (["i>i"], "abs sign"),
    (["g,g>g"], "atan pow mod min max step reflect"),
    (["i,i>i", "j,int>j"], "min max"),
    (["v,float>v"], "mod min max"),
    (["float,v>v"], "step"),
    (["g,g,g>g"], "clamp mix smoothstep fma faceforward"),
    (["v,float,float>v", "i,i,i>i", "j,int,int>j"], "clamp"),
    (["v,v,float>v", "g,g,b>g"], "mix"),
    (["float,float,v>v"], "smoothstep"),
    (["g,g,float>g"], "refract"),
    (["g>float"], "length"),
    (["g,g>float"], "distance dot"),
    (["vec3,vec3>vec3"], "cross"),
    (["g>b"], "isnan isinf"),
    (["c>bool"], "any all"),
    (["c>c"], "not"),
    (["v,v>c", "j,j>c"], "lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual"),
    (["c,c>c"], "equal notEqual"),
    (["m>m"], "transpose inverse"),
    (["m>float"], "determinant"),
    (["m,m>m"], "matrixCompMult"),
    (["v,v>m"], "outerProduct"),
  ]
}
