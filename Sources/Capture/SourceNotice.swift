/// Something that happens to a source while it is read, a sentence each.
package enum SourceNotice: Sendable {
  /// It gives no more frames, for good or until `back`.
  case lost(String)
  /// It goes on.
  case back(String)
}
