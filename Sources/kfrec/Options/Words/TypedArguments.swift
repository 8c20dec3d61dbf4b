import Frames
import Glibc
import Settings

/// The words after the program's name, as the bytes that the shell passes.
///
/// File names are bytes on Linux, and a `String` replaces those that are not UTF-8, so it would name
/// another file. So such words are refused.
struct TypedArguments {
  /// Nil if nobody knows them.
  private let words: [[UInt8]]?

  /// - Parameter all: The program's name and the words; empty if nobody knows them.
  init(_ all: [[UInt8]]) { words = all.isEmpty ? nil : Array(all.dropFirst()) }

  /// The arguments of this process.
  ///
  /// Swift finds them beside the environment, and finds none where a library has moved that at its start, as SDL 3 does
  /// in the place of SDL 2. The kernel keeps them, too.
  static var ofThisProcess: TypedArguments {
    let found = (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { bytes(of: $0) }
    }
    return found.isEmpty ? ofKernel : TypedArguments(found)
  }

  /// The arguments of this process as the kernel keeps them.
  static var ofKernel: TypedArguments {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return TypedArguments([]) }
    defer { close(file) }
    let bytes = Frames.bytes(of: file, fromStart: false) ?? []
    // Each ends with a zero.
    return TypedArguments(
      bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) })
  }

  /// Whether one word is all that was typed.
  func areOnly(_ word: String) -> Bool { words == [Array(word.utf8)] }

  func texts() throws(CommandLineError) -> [String] {
    guard let words else {
      throw CommandLineError(
        "the words of the command cannot be read, because /proc is not there; mount it, as with "
          + "\"mount -t proc proc /proc\"", isUsageError: false)
    }
    return try words.map { word throws(CommandLineError) in
      guard let text = String(validating: word, as: UTF8.self) else {
        throw CommandLineError(
          "\(TypedArguments.shown(word)) is not UTF-8, and names are read as UTF-8 here: rename the file, "
            + "or use -i - with < and -o - with > for it")
      }
      return text
    }
  }

  /// Throws if an environment variable for a folder is not UTF-8.
  static func checkEnvironment() throws(CommandLineError) {
    for name in [
      "KFREC_EFFECTS", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME", "TMPDIR",
    ] {
      guard let value = getenv(name) else { continue }
      let bytes = bytes(of: value)
      guard String(validating: bytes, as: UTF8.self) == nil else { continue }
      throw CommandLineError(
        "\(name) is \(shown(bytes)), which is not UTF-8, and names are read as UTF-8 here: "
          + "set it to another folder")
    }
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
  }

  /// Text with `\xNN` for each byte that is not part of a character.
  private static func shown(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        result.unicodeScalars.append(Unicode.UTF8.decode(scalar))
        rest = rest.dropFirst(scalar.count)
      case .error(let length):
        for byte in rest.prefix(length) { result += escaped(UInt32(byte)) }
        rest = rest.dropFirst(length)
      case .emptyInput:
        return result
      }
    }
    return result
  }
}
