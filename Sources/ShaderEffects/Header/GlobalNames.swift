import ShaderCompiler

/// The names that a GLSL text defines at file scope: functions, constants, variables, structs and
/// macros.
///
/// Two effects in one kernel may each have a function of the same name. The names are found by the
/// shape of the text alone; a missed name makes the kernel fail to compile, and each effect then gets
/// its own kernel.
struct GlobalNames: Sendable, Equatable {
  private(set) var names: [String] = []
  private var known: Set<String> = []
  private(set) var macros: [String] = []
  /// True if a variable, and not only a constant, has a value from the start.
  private(set) var hasInitializedVariables = false

  init() {}

  /// Finds the names in texts without comments.
  init(texts: [String]) {
    for text in texts { scan(text) }
  }

  /// Returns whether the text gives a name a meaning, also by a macro.
  func defines(_ name: String) -> Bool { names.contains(name) || macros.contains(name) }

  mutating func add(_ more: [String]) {
    for name in more where known.insert(name).inserted { names.append(name) }
  }

  private mutating func scan(_ text: String) {
    var code: [Substring] = []
    var directive: [Substring] = []
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      let tokens = GLSLText.tokens(String(decoding: line, as: UTF8.self))
      if directive.isEmpty, tokens.first != "#" {
        code += tokens.map { Substring(String($0)) }
        continue
      }
      directive += tokens
      if directive.last == "\\" {
        directive.removeLast()
      } else {
        read(directive)
        directive = []
      }
    }
    read(directive)
    scan(code)
  }

  private mutating func read(_ directive: [Substring]) {
    guard directive.count > 2, directive[1] == "define" else { return }
    macros.append(String(directive[2]))
    var body = directive.dropFirst(3)
    if body.first == "(" { body = body.drop { $0 != ")" }.dropFirst() }
    if Self.startsVariable(body) { hasInitializedVariables = true }
  }

  /// Returns whether the body of a macro gives a variable a value, if it stands outside functions: `float n = 0.25;`.
  private static func startsVariable(_ body: ArraySlice<Substring>) -> Bool {
    var depth = 0
    var statement: [Substring] = []
    for (token, next) in zip(body, body.dropFirst() + [""]) {
      switch token {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "=" where depth == 0 && next != "=":
        let isDeclared = statement.count > 1 && statement.prefix(2).allSatisfy(isName)
        if statement.isEmpty || isDeclared && !["const", "else", "return"].contains(statement[0]) {
          return true
        }
      default: break
      }
      if token == ";", depth == 0 { statement = [] } else { statement.append(token) }
    }
    return false
  }

  private mutating func scan(_ tokens: [Substring]) {
    var depth = 0
    // What follows a '=' is a value, until the declaration or its part ends.
    var isInValue = false
    var isConstant = false
    for (index, token) in tokens.enumerated() {
      switch token {
      case "{", "(", "[": depth += 1
      case "}", ")", "]":
        depth -= 1
        if token == "}", depth == 0, !isInValue { isConstant = false }
      case "=" where depth == 0:
        isInValue = true
        if !isConstant { hasInitializedVariables = true }
      case "const" where depth == 0: isConstant = true
      case ";", ",":
        if depth == 0 { isInValue = false }
        if depth == 0, token == ";" { isConstant = false }
      default:
        guard depth == 0, !isInValue, index > 0, Self.isName(token),
          index + 1 < tokens.count, token != "layout"
        else { continue }
        // What a macro makes of `float n(0.25);` is not read; it may give the variable a value.
        if tokens[index + 1] == "(", tokens[index - 1] == "," || Self.isName(tokens[index - 1]),
          macros.contains(String(token))
        {
          hasInitializedVariables = true
        }
        let isDefined =
          tokens[index - 1] == "struct" || ["(", "=", ";", ",", "["].contains(tokens[index + 1])
        if isDefined { add([String(token)]) }
      }
    }
  }

  private static func isName(_ token: Substring) -> Bool {
    token.first.map { $0.isLetter || $0 == "_" } ?? false
  }
}
