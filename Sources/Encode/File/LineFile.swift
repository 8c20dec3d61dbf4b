import Glibc

/// A text file beside the outputs that grows line by line while a recording runs.
///
/// Text is written at once, under a partial name, so that a killed recording leaves what it wrote. A failure
/// to write never ends the recording; `finish` reports it. Used by one thread at a time.
public final class LineFile {
  private let path: String
  /// What the file holds, as the subject of a sentence with a plural verb.
  private let subject: String
  private var file: PartialFile?
  private let descriptor: Int32
  /// The `errno` of the first failed write; 0 if all was written.
  private var failure: Int32 = 0
  /// Whether something follows the head, and is kept.
  private var hasLines = false

  /// Makes the file and writes its head, which is not kept if nothing follows, and which a full disk need not take.
  public init(_ path: String, of subject: String, head: String) throws(EncodeError) {
    (self.path, self.subject) = (path, subject)
    let file = try PartialFile(place: path, name: path)
    descriptor = file.descriptor
    self.file = consume file
    put(head)
  }

  /// New name of the file that a killed run had left here; nil if there was none.
  public var recovered: String? { file?.recovered }

  /// Adds text, which is in the file when this returns; does nothing after a failure.
  public func write(_ text: String) {
    guard failure == 0 else { return }
    file?.noteFootage()
    hasLines = true
    put(text)
  }

  private func put(_ text: String) {
    var text = text
    failure = text.withUTF8 { bytes in
      bytes.baseAddress.map { ByteWriter.write($0, bytes.count, to: descriptor) } ?? 0
    }
  }

  /// Gives the file its name; returns a sentence if not everything is there.
  public func finish(replacing: Bool) -> String? {
    guard var file = file.take() else { return nil }
    if failure == 0 {
      do throws(EncodeError) { try file.commit(replacing: replacing) } catch {
        return "\(subject) are incomplete: \(error)"
      }
      return nil
    }
    let sentence = "\(subject) are incomplete: \(EncodeError.cannotWrite(path, failure))"
    return hasLines ? "\(sentence); \(file.keep())" : sentence
  }

  /// Leaves the file under its partial name, or removes it if nothing follows its head.
  public func abandon() { _ = file.take() }
}

/// A file that a recording writes beside its outputs, for checks of its place.
public struct SideFile: Sendable {
  /// The path as typed.
  public let path: String
  /// The option that names it, with its dashes.
  public let option: String
  /// What it holds, such as "the hashes".
  public let content: String

  public init(_ path: String, option: String, content: String) {
    (self.path, self.option, self.content) = (path, option, content)
  }

  /// Whether something exists at the path.
  public var exists: Bool { OutputPath(path).exists }
}

extension OutputSet {
  /// Throws a usage error if a side file cannot be made, or would replace an input, another side file, or a file that must
  /// stay.
  public func checkPlace(
    of file: SideFile, inputs: [String], others: [String] = [], mayReplace: Bool
  ) throws(EncodeError) {
    let (path, place) = (file.path, OutputPath(file.path))
    let remedy = "give \(file.content) another name"
    if place.isStream {
      throw EncodeError(
        "\(file.option) \(path) is no regular file; name a file", isUsageError: true)
    }
    try place.checkPlace()
    if outputs.contains(where: { $0.target.place.isSame(as: .single(.file(path))) }) {
      throw EncodeError(
        "\(file.option) \(path) is the output itself; \(remedy)", isUsageError: true)
    }
    if let other = others.first(where: { OutputPath.areSame(path, $0) }) {
      throw EncodeError(
        "\(file.option) \(path) is the place of \(other) too; \(remedy)", isUsageError: true)
    }
    if let input = inputs.first(where: { OutputPath.areSame(path, $0) }) {
      throw EncodeError(
        "\(file.option) would be written over the input \(input); \(remedy)", isUsageError: true)
    }
    guard place.exists, !mayReplace else { return }
    throw EncodeError(
      "\(path) exists already; add -y to replace it, or \(remedy)", isUsageError: true)
  }
}
