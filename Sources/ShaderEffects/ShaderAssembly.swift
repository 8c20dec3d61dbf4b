import ShaderCompiler

/// Puts an effect's text between what kfrec gives it and, unless it has its own, a `main`.
struct ShaderAssembly {
  let file: EffectFile
  let layout: UniformLayout
  let access: ShaderAccess

  /// The work group of effects that leave `main` to kfrec.
  static let groupSize = 16

  /// The whole shader; its lines carry the author's own numbers under the file's path.
  ///
  /// - Throws: A diagnostic where the file defines neither `effect` nor `main`.
  func source() throws(EffectError) -> String {
    let code = GLSLText.withoutComments(file.source)
    let hasMain = Self.defines(["void", "main", "("], in: code)
    guard hasMain || Self.defines(["vec4", "effect", "("], in: code) else {
      throw EffectError(
        "\(file.path): defines neither 'vec4 effect(vec2 uv)' nor 'void main()'; add one of them")
    }
    guard !hasMain || GLSLText.tokens(code).contains("local_size_x") else {
      throw EffectError(
        "\(file.path): has its own main and must say the size of its work group; "
          + "add 'layout(local_size_x = 16, local_size_y = 16) in;'")
    }
    let (extensions, body) = Self.hoistExtensions(file.source, code: code)
    let group = Self.groupSize
    return """
      #version 450
      #extension GL_GOOGLE_include_directive : require
      \(extensions)
      #line 1 "kfrec"
      \(hasMain ? "" : "layout(local_size_x = \(group), local_size_y = \(group)) in;")
      \(layout.declaration(name: "kf_Uniforms"))
      \(access.input)
      \(access.output)
      \(ShaderPrelude.clamping(isUnclamped: file.header.isUnclamped))
      \(ShaderPrelude.text)
      #line 1 "\(Self.quoted(file.path))"
      \(body)
      #line 1 "kfrec"
      \(hasMain ? "" : ShaderPrelude.main)

      """
  }

  /// Whether some words stand in a text one after the other.
  static func defines(_ words: [Substring], in code: String) -> Bool {
    let tokens = GLSLText.tokens(code)
    guard tokens.count >= words.count else { return false }
    return (0...tokens.count - words.count).contains { start in
      tokens[start..<start + words.count].elementsEqual(words)
    }
  }

  /// `#extension` lines, which must come before everything else, and the text with blank lines in
  /// their place and in that of `#version`, which is kfrec's.
  private static func hoistExtensions(_ source: String, code: String) -> (String, String) {
    let lineEnd = UInt8(ascii: "\n")
    let codeLines = code.utf8.split(separator: lineEnd, omittingEmptySubsequences: false)
    var extensions: [String] = []
    var body: [String] = []
    let lines = source.utf8.split(separator: lineEnd, omittingEmptySubsequences: false)
    for (line, codeLine) in zip(lines, codeLines) {
      let codeText = String(decoding: codeLine, as: UTF8.self)
      let words = GLSLText.tokens(codeText).prefix(2)
      if words.elementsEqual(["#", "extension"]) {
        extensions.append(codeText)
        body.append("")
      } else {
        body.append(
          words.elementsEqual(["#", "version"]) ? "" : String(decoding: line, as: UTF8.self))
      }
    }
    return (extensions.joined(separator: "\n"), body.joined(separator: "\n"))
  }

  /// A path for a `#line` directive, which has no escapes.
  private static func quoted(_ path: String) -> String {
    String(path.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
  }

  /// What the shader is called to the compiler: the same words as after `#line`.
  var compilerName: String { Self.quoted(file.path) }
}
