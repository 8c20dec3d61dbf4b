import ShaderCompiler

/// An effect's text with its `#extension` lines taken out, which must come before everything else,
/// and blank lines in their place and in that of `#version`, which is kfrec's.
struct HoistedText {
  let extensions: String
  let body: String

  init(_ source: String) {
    let lineEnd = UInt8(ascii: "\n")
    let code = GLSLText.withoutComments(source)
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
    self.extensions = extensions.joined(separator: "\n")
    self.body = body.joined(separator: "\n")
  }
}
