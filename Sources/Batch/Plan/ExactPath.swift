/// A path as its bytes, to be compared with others.
///
/// Swift takes texts for equal that mean the same, such as "é" as one character and as an "e" with an accent. They are
/// names of two files.
package struct ExactPath: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: ExactPath, other: ExactPath) -> Bool {
    one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension Dictionary where Key == ExactPath {
  package subscript(path: String) -> Value? {
    get { self[ExactPath(path)] }
    set { self[ExactPath(path)] = newValue }
  }
}
