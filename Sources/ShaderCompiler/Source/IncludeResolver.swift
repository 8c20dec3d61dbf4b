/// Finds the file of an `#include`: first beside the including file, then in given folders.
///
/// It follows links and refuses a file outside those folders, because an effect may come from anywhere
/// and must not be able to print another person's file in an error message.
public struct IncludeResolver: Sendable {
  /// Canonical folders, in the order in which they are searched.
  public let roots: [String]
  /// The folders in which a file may lie.
  private let readable: ReadableFolders
  var readableFolders: [String] { readable.folders }

  /// Skips folders that do not exist.
  ///
  /// Only `roots` are searched; files may also lie in the others, which a path or a link in the roots leads to.
  public init(roots: [String], others: [String] = []) {
    self.roots = ReadableFolders(roots).folders
    readable = ReadableFolders(roots + others)
  }

  /// Allows no includes.
  public static let none = IncludeResolver(roots: [])

  /// The file that an `#include` names; the error is a sentence for the author.
  func resolve(_ question: IncludeQuestion) throws(IncludeFailure) -> IncludedFile {
    let request = question.request
    var candidates = roots.map { "\($0)/\(request)" }
    if request.hasPrefix("/") {
      candidates = [request]
    } else if question.besideRequester {
      candidates.insert("\(SourceFile.folder(of: question.requester))/\(request)", at: 0)
    }
    let found = candidates.compactMap(SourceFile.canonical)
    guard let path = found.first(where: readable.holds) else {
      let folders = roots.isEmpty ? "no folder" : roots.joined(separator: ", ")
      throw IncludeFailure(
        found.isEmpty
          ? "cannot find '\(request)'; searched \(folders)"
          : "'\(request)' \(readable.refusal)")
    }
    do {
      return IncludedFile(path: path, text: try SourceFile.read(path))
    } catch {
      throw IncludeFailure("cannot read '\(request)': \(error.path): \(error.reason)")
    }
  }
}

/// An `#include` directive in a file.
struct IncludeQuestion: Hashable {
  /// The text between the quotes or angle brackets.
  let request: String
  /// The file that contains it.
  let requester: String
  /// Whether the name is in quotes: the requester's own folder then comes first.
  let besideRequester: Bool
}

/// An `#include` and the file that it found.
struct IncludeAnswer {
  let question: IncludeQuestion
  let file: IncludedFile

  init(question: IncludeQuestion, file: IncludedFile) {
    (self.question, self.file) = (question, file)
  }

  /// Reads the five parts that `parts` makes.
  init(parts: some RandomAccessCollection<some RandomAccessCollection<UInt8>>) {
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    question = IncludeQuestion(
      request: texts[0], requester: texts[1], besideRequester: !texts[2].isEmpty)
    file = IncludedFile(path: texts[3], text: texts[4])
  }

  var parts: [[UInt8]] {
    [
      Array(question.request.utf8), Array(question.requester.utf8),
      question.besideRequester ? [1] : [], Array(file.path.utf8), Array(file.text.utf8),
    ]
  }
}

/// Why an `#include` was refused.
struct IncludeFailure: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
