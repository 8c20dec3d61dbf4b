/// A shader that does not compile: what is wrong and where, in its author's own lines.
package struct ShaderCompileError: Error, CustomStringConvertible, Sendable, Equatable {
  /// Errors first as shaderc gave them, then warnings; never empty.
  package let diagnostics: [Diagnostic]

  package init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// One error that belongs to no line.
  package init(name: String, message: String) {
    diagnostics = [Diagnostic(file: name, severity: .error, message: message)]
  }

  /// Every error with its source line and caret; after the tenth only their number, because one
  /// slip makes a parser stumble on.
  package var description: String {
    let errors = diagnostics.filter { $0.severity == .error }
    let shown = errors.isEmpty ? diagnostics : errors
    let limit = 10
    var text = shown.prefix(limit).map(\.description).joined(separator: "\n")
    if shown.count > limit { text += "\n(\(shown.count - limit) more errors)" }
    return text
  }
}
