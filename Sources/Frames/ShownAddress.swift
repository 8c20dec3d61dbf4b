/// Addresses without what may be secret in them, for messages, programs and pages.
public enum ShownAddress {
  /// Protocols whose path is the key of a stream.
  private static let keyed: Set = ["rtmp", "rtmps", "rtmpt", "rtmpe", "srt", "udp", "rtp", "rist"]

  /// Returns the address without name and password, without its query, and for streams without the path; any other text as it
  /// is.
  public static func of(_ text: String) -> String {
    guard let mark = text.firstRange(of: "://"), isScheme(text[..<mark.lowerBound]) else {
      return text
    }
    return parts(of: text[mark.upperBound...], scheme: text[..<mark.lowerBound]).shown
  }

  /// Replaces each address in a text by what is shown of it; an address ends at a blank or a quotation mark.
  ///
  /// `replacement` gets what is left out behind an address, such as its query, and gives what stands there instead.
  public static func inText(
    _ text: String, replacing replacement: (Substring) -> String = { _ in "" }
  ) -> String {
    var (result, rest) = ("", text[...])
    while let mark = rest.firstRange(of: "://") {
      let before = rest[..<mark.lowerBound]
      let scheme = before.suffix(before.reversed().prefix(while: isOfScheme).count)
      var address = rest[mark.upperBound...].prefix { !$0.isWhitespace && !"\"<>".contains($0) }
      // Another one may follow without a blank, as in the images of an effect.
      let plain = address.prefix { !"?#".contains($0) }
      if !keyed.contains(scheme.lowercased()), let next = plain.firstRange(of: "://") {
        let lead = plain[..<next.lowerBound]
        address = lead.dropLast(lead.reversed().prefix(while: isOfScheme).count)
      }
      result += before.dropLast(scheme.count)
      rest = rest[address.endIndex...]
      guard !scheme.isEmpty else {
        result += "://\(address)"
        continue
      }
      let (shown, left) = parts(of: address, scheme: scheme)
      // A sentence has its own marks behind an address.
      let marks = left.suffix(left.reversed().prefix { ",.;:)'".contains($0) }.count)
      result += shown + replacement(left.dropLast(marks.count)) + marks
    }
    return result + rest
  }

  /// What is shown of an address, and what stands behind that and is not shown.
  private static func parts(
    of rest: Substring, scheme: Substring
  ) -> (shown: String, left: Substring) {
    let host = rest.prefix { !"/?#".contains($0) }
    // A name and a password come before the last @ of the host.
    let place = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let path =
      keyed.contains(scheme.lowercased())
      ? "" : rest[host.endIndex...].prefix { !"?#".contains($0) }
    return ("\(scheme)://\(place)\(path)", rest[host.endIndex...].dropFirst(path.count))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy(isOfScheme)
  }

  private static func isOfScheme(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
  }
}
