import CShaderc
import Glibc

/// The includes of one compilation, which shaderc's callbacks read and record; used by one thread.
final class IncludeSession {
  /// Deeper nesting counts as a file that includes itself: GLSL has no include-once.
  static let maximumDepth = 16
  /// Bytes of all included text together; the limit ends files that include each other many times.
  static let maximumLength = 4 << 20

  private static let tooDeep = "more than \(maximumDepth) files deep"
  private static let tooLong = "more than \(maximumLength >> 20) MiB of included text"

  /// Whether a message says that includes did not end; all others are then about the repetitions.
  static func isAboutRepetition(_ message: String) -> Bool {
    message.contains(tooDeep) || message.contains(tooLong)
  }

  private let resolver: IncludeResolver
  /// The requests and the files found, each request once, in the order of first use.
  private(set) var answers: [IncludeAnswer] = []
  private var asked: Set<IncludeQuestion> = []
  private var length = 0

  init(_ resolver: IncludeResolver) { self.resolver = resolver }

  /// Sets this session's callbacks in the options; the session must outlive their use.
  func attach(to options: borrowing OptionsHandle) {
    shaderc_compile_options_set_include_callbacks(
      options.pointer,
      { session, request, type, requester, depth in
        guard let session, let request, let requester else { return nil }
        return Unmanaged<IncludeSession>.fromOpaque(session).takeUnretainedValue().answer(
          String(cString: request), from: String(cString: requester),
          besideRequester: type == Int32(shaderc_include_type_relative.rawValue), depth: depth)
      },
      { _, result in release(result) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private func answer(
    _ request: String, from requester: String, besideRequester: Bool, depth: Int
  ) -> UnsafeMutablePointer<shaderc_include_result> {
    do {
      let file = try read(request, from: requester, besideRequester: besideRequester, depth: depth)
      return makeResult(name: file.path, content: file.text)
    } catch {
      // With an empty name, shaderc takes the content as the reason of the failure.
      return makeResult(name: "", content: error.message)
    }
  }

  private func read(
    _ request: String, from requester: String, besideRequester: Bool, depth: Int
  ) throws(IncludeFailure) -> IncludedFile {
    guard depth <= Self.maximumDepth else {
      throw IncludeFailure("\(Self.tooDeep); does '\(request)' include itself?")
    }
    let question = IncludeQuestion(
      request: request, requester: requester, besideRequester: besideRequester)
    let file = try resolver.resolve(question)
    length += file.text.utf8.count
    guard length <= Self.maximumLength else {
      throw IncludeFailure(Self.tooLong)
    }
    if asked.insert(question).inserted {
      answers.append(IncludeAnswer(question: question, file: file))
    }
    return file
  }
}

/// A result in memory of the C heap, which shaderc returns to `release`.
private func makeResult(name: String, content: String)
  -> UnsafeMutablePointer<shaderc_include_result>
{
  let result = UnsafeMutablePointer<shaderc_include_result>.allocate(capacity: 1)
  result.initialize(
    to: shaderc_include_result(
      source_name: strdup(name), source_name_length: name.utf8.count,
      content: strdup(content), content_length: content.utf8.count, user_data: nil))
  return result
}

private func release(_ result: UnsafeMutablePointer<shaderc_include_result>?) {
  guard let result else { return }
  free(UnsafeMutablePointer(mutating: result.pointee.source_name))
  free(UnsafeMutablePointer(mutating: result.pointee.content))
  result.deallocate()
}
