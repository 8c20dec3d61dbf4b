/// A kind of output: what the user types for it, and which words it accepts.
///
/// It makes an `OutputTarget` of a word, which describes and opens the output.
public struct OutputKind: Sendable {
  /// What the user types after `-o`, as the help and the manual show it: ".mov .mp4 .mkv .y4m".
  public let words: String
  /// Description of the kind in one line, for the help and the manual.
  public let summary: String
  /// Returns nil if the word is not of this kind; throws if it is but cannot be used.
  let recognize: @Sendable (OutputSpec) throws(EncodeError) -> (any OutputTarget)?

  /// All kinds, in the order in which they are asked: the first that accepts a word gets it.
  public static let all: [OutputKind] =
    [null, standardOutput, network, virtualCamera, stream, playlist]
    + ImageFileFormat.all.flatMap { [images(in: $0), image(in: $0)] }
    + AnimationFormat.allCases.map(animation) + [movie]
}
