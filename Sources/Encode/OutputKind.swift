/// A kind of output: what is typed for it, and which words it claims.
///
/// What it is like, and how it is opened, is said by the `OutputTarget` that it makes of a word.
package struct OutputKind: Sendable {
  /// What is typed after `-o`, as the help and the manual show it: ".mov .mp4 .mkv .y4m".
  package let words: String
  /// What it is, in a line for the help and the manual.
  package let summary: String
  /// Nil when the word is not of this kind; throws when it is and cannot be used.
  let recognize: @Sendable (OutputSpec) throws(EncodeError) -> (any OutputTarget)?

  /// All kinds, in the order in which they are asked: the first that claims a word has it.
  package static let all: [OutputKind] =
    [null, standardOutput, virtualCamera, stream]
    + ImageFileFormat.all.flatMap { [pictures(in: $0), picture(in: $0)] } + [movie]
}
