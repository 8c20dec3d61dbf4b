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
    let scheme = text[..<mark.lowerBound]
    let rest = text[mark.upperBound...]
    let host = rest.prefix { !"/?#".contains($0) }
    // A name and a password come before the last @ of the host.
    let shown = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard !keyed.contains(scheme.lowercased()) else { return "\(scheme)://\(shown)" }
    return "\(scheme)://\(shown)\(rest.dropFirst(host.count).prefix { !"?#".contains($0) })"
  }

  private static func isScheme(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
