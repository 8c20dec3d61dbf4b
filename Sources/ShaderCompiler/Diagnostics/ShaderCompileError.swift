/// A shader that does not compile: the errors and their positions in the author's own lines.
public struct ShaderCompileError: Error, CustomStringConvertible, Sendable, Equatable {
  /// Errors in shaderc's order, then warnings; never empty.
  public let diagnostics: [Diagnostic]

  public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// Makes one error without a line.
  public init(name: String, message: String) {
    diagnostics = [Diagnostic(file: name, severity: .error, message: message)]
  }

  /// All errors with source line and caret; after the tenth only their number, because one mistake can
  /// cause many errors.
  public var description: String {
    let errors = diagnostics.filter { $0.severity == .error }
    let shown = errors.isEmpty ? diagnostics : errors
    let limit = 10
    var text = shown.prefix(limit).map(\.description).joined(separator: "\n")
    if shown.count > limit { text += "\n(\(shown.count - limit) more errors)" }
    return text
  }
}
