import CShaderc
import Glibc

/// The includes of one compilation: what the callbacks read and keep; used by one thread.
final class IncludeSession {
  /// Deeper nesting is taken for a file that includes itself: GLSL has no include-once.
  static let maximumDepth = 16
  /// Of all included text together, so that files which include each other many times end.
  static let maximumLength = 4 << 20

  private static let tooDeep = "more than \(maximumDepth) files deep"
  private static let tooLong = "more than \(maximumLength >> 20) MiB of included text"

  /// Whether a message says that includes did not end, so that all others are about the repetitions.
  static func isAboutRepetition(_ message: String) -> Bool {
    message.contains(tooDeep) || message.contains(tooLong)
  }

  private let resolver: IncludeResolver
  /// What was asked for and found, each question once, in the order first met.
  private(set) var answers: [IncludeAnswer] = []
  private var asked: Set<IncludeQuestion> = []
  private var length = 0

  init(_ resolver: IncludeResolver) { self.resolver = resolver }

  /// Hooks this session into the options; it must outlive their use.
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
      // An empty name tells shaderc that the content is the reason.
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

/// A result on the C heap, which shaderc hands back to `release`.
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
