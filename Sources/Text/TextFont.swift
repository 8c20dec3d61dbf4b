import CLibass
import Glibc

/// A font that is there: one of the system, or one of a file.
package struct TextFont: Sendable, Equatable {
  /// The name by which libass knows the font.
  let name: String
  /// The file; nil for a font of the system.
  package let path: String?

  /// The font of text that asks for none: that of Debian's fonts-dejavu-core, which has Latin, Greek, Cyrillic, Arabic
  /// and Hebrew letters, and figures of one width.
  package static let usual = "DejaVu Sans"

  /// Finds a font.
  ///
  /// - Parameter words: The name of a family or a full name such as "DejaVu Sans Bold", in any case; or the path of a
  ///   font file, which has a `/` or one of the usual extensions.
  /// - Throws: A usage error if there is no such font.
  package init(_ words: String) throws(TextError) {
    let ending = words.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if words.contains("/") || ["ttf", "otf", "ttc", "otc", "pfb"].contains(ending) {
      (name, path) = (try Self.name(inFile: words), words)
      return
    }
    for property in [FC_FAMILY, FC_FULLNAME] where try Self.exists(words, property) {
      (name, path) = (words, nil)
      return
    }
    let remedy =
      words == Self.usual
      ? "install fonts-dejavu-core, or name another font"
      : "'fc-list : family' lists the fonts; or give the path of a font file"
    throw TextError("there is no font '\(words)'; \(remedy)", isUsageError: true)
  }

  /// Returns whether the system has a font with this family or full name.
  private static func exists(_ name: String, _ property: String) throws(TextError) -> Bool {
    let pattern = FontPattern(try check(FcPatternCreate(), "FcPatternCreate"))
    guard FcPatternAddString(pattern.handle, property, name) == FcTrue else {
      throw TextError("FcPatternAddString failed: memory is short")
    }
    let wanted = try check(FcObjectSetCreate(), "FcObjectSetCreate")
    defer { FcObjectSetDestroy(wanted) }
    guard FcObjectSetAdd(wanted, property) == FcTrue else {
      throw TextError("FcObjectSetAdd failed: memory is short")
    }
    // Nil also if no font is installed.
    guard let found = FcFontList(nil, pattern.handle, wanted) else { return false }
    defer { FcFontSetDestroy(found) }
    return found.pointee.nfont > 0
  }

  /// Returns the full name of the first font in a file.
  private static func name(inFile path: String) throws(TextError) -> String {
    guard access(path, R_OK) == 0 else {
      throw TextError(
        "the font file \(path) cannot be read: \(String(cString: strerror(errno)))",
        isUsageError: true)
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TextError("\(path) is no regular file, as a font must be", isUsageError: true)
    }
    var count: Int32 = 0
    guard let handle = FcFreeTypeQuery(path, 0, nil, &count) else {
      throw TextError("\(path) is no font", isUsageError: true)
    }
    let pattern = FontPattern(handle)
    for property in [FC_FULLNAME, FC_FAMILY] {
      var name: UnsafeMutablePointer<FcChar8>?
      if FcPatternGetString(pattern.handle, property, 0, &name) == FcResultMatch, let name {
        return String(cString: name)
      }
    }
    throw TextError("the font in \(path) has no name", isUsageError: true)
  }
}

/// Owns a pattern of fontconfig.
private struct FontPattern: ~Copyable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { FcPatternDestroy(handle) }
}
