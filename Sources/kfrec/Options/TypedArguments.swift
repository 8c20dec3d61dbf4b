import Glibc

/// The words after the program's name, as the bytes that the shell passes.
///
/// File names are bytes on Linux, and a `String` replaces those that are not UTF-8, so it would name
/// another file. So such words are refused.
struct TypedArguments {
  private let words: [[UInt8]]

  init(_ words: [[UInt8]]) { self.words = words }

  /// The arguments of this process.
  static var ofThisProcess: TypedArguments {
    let count = Int(CommandLine.argc)
    return TypedArguments(
      (0..<count).dropFirst().compactMap { index in
        CommandLine.unsafeArgv[index].map { bytes(of: $0) }
      })
  }

  /// The words as text.
  func texts() throws(CommandLineError) -> [String] {
    // Not even the program's own name: Swift reads them there.
    guard CommandLine.argc > 0 else {
      throw CommandLineError(
        "the words of the command cannot be read, because /proc is not there; mount it, as with "
          + "\"mount -t proc proc /proc\"", isUsageError: false)
    }
    var texts: [String] = []
    for word in words {
      guard let text = String(validating: word, as: UTF8.self) else {
        throw CommandLineError(
          "\(TypedArguments.shown(word)) is not UTF-8, and names are read as UTF-8 here: rename the file, "
            + "or use -i - with < and -o - with > for it")
      }
      texts.append(text)
    }
    return texts
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
