import EffectLab
import Frames
import Glibc
import Settings

/// A page that shows golden images side by side, problems first, with the images as files beside it.
///
/// The page also contains the images, so that it can be sent or kept alone.
struct GoldenReport {
  let results: [GoldenResult]
  let gpu: String

  /// Writes page and images into a folder, by default a new temporary one, and returns the page's path.
  func write(to folder: String?) throws -> String {
    let folder = try folder.map { try Self.made($0) } ?? Self.temporaryFolder()
    let path = "\(folder)/index.html"
    let file = WholeFile(
      path, replacing: .own { String(decoding: $0, as: UTF8.self).contains(Self.title) })
    try Self.explained(path) { () throws(WholeFile.Failure) in try file.check() }
    // The images of an earlier report are replaced with it.
    let rule: WholeFile.Rule = file.exists ? .file : .nothing
    let order = results.filter { !$0.passed } + results.filter(\.passed)
    var rows = ""
    var names: Set<String> = []
    for (index, result) in order.enumerated() {
      // Two folders may have effects with the same name.
      let name = names.insert(result.name).inserted ? result.name : "\(result.name)-\(index)"
      var cells = ""
      for (word, picture) in result.images {
        guard let picture else {
          cells += "<td></td>"
          continue
        }
        let path = "\(folder)/\(name)-\(word).png"
        try Self.explained(path) { () throws(WholeFile.Failure) in
          try WholeFile(path, replacing: rule).check()
        }
        try ImageFileReader.write(picture, to: path)
        let bytes = base64(try fileBytes(path))
        cells +=
          "<td><img alt=\"\(word)\" width=\"\(max(picture.width, 240))\" "
          + "src=\"data:image/png;base64,\(bytes)\"></td>"
      }
      let explanation = String(result.line.dropFirst(result.name.count + 2))
      rows += """
        <tr class="\(result.word)"><th>\(escaped(name))<p>\(escaped(explanation))\
        </p></th>\(cells)</tr>

        """
    }
    let text = page(rows)
    try Self.explained(path) { () throws(WholeFile.Failure) in try file.write(text.utf8) }
    return path
  }

  /// Every page of this kind has it.
  private static let title = "<title>kfrec golden</title>"

  private static func explained(
    _ path: String, _ body: () throws(WholeFile.Failure) -> Void
  ) throws(CommandLineError) {
    do throws(WholeFile.Failure) { try body() } catch {
      throw CommandLineError(
        "\(path) \(error.words); name another folder with --report", isUsageError: false)
    }
  }

  private func page(_ rows: String) -> String {
    let passed = results.count(where: \.passed)
    return """
      <!DOCTYPE html>
      <html lang="en"><meta charset="utf-8">\(Self.title)
      <style>
      body { font: 15px/1.4 sans-serif; margin: 2em; background: #eee; color: #111 }
      table { border-collapse: collapse }
      td, th { padding: .5em; vertical-align: top; text-align: left; border-top: 1px solid #bbb }
      th { width: 20em; font-weight: bold } th p { font-weight: normal; white-space: pre-wrap }
      tr.off th, tr.missing th, tr.failed th { border-left: .4em solid #c22 }
      tr.passed th { border-left: .4em solid #2a2 }
      img { image-rendering: pixelated; background: #888 }
      </style>
      <h1>\(passed) of \(results.count) golden images passed</h1>
      <p>On \(escaped(gpu)). Differences are shown eight times as strong; white is a difference only in alpha.</p>
      <table><tr><th>Case</th><th>Expected</th><th>Actual</th><th>Difference</th></tr>
      \(rows)</table></html>

      """
  }

  private static func made(_ folder: String) throws -> String {
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw CommandLineError(
        "cannot make the folder \(folder): \(String(cString: strerror(errno)))", isUsageError: false
      )
    }
    return folder
  }

  private static func temporaryFolder() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(base)/kfrec-golden-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else {
      throw CommandLineError(
        "cannot make a folder in \(base): \(String(cString: strerror(errno))); name one with --report",
        isUsageError: false)
    }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension GoldenResult {
  fileprivate var images: [(String, RGBAImage?)] {
    [
      ("expected", difference?.expected), ("actual", actual), ("difference", difference?.image),
    ]
  }
}

private func escaped(_ text: String) -> String {
  [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(text) {
    $0.replacing($1.0, with: $1.1)
  }
}

/// Encodes bytes in base64 (RFC 4648, section 4).
func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let part = bytes[start..<min(start + 3, bytes.count)]
    let word = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
    for place in 0..<4 {
      let digit = Int(word >> (18 - 6 * UInt32(place)) & 63)
      text.append(place <= part.count ? letters[digit] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

private func fileBytes(_ path: String) throws(CommandLineError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  defer { if file >= 0 { close(file) } }
  guard file >= 0, let bytes = Frames.bytes(of: file) else {
    throw CommandLineError(
      "cannot read \(path): \(String(cString: strerror(errno)))", isUsageError: false)
  }
  return bytes
}
