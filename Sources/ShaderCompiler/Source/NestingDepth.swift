/// How deep the parts of a text are nested at most: a compiler calls itself for each level.
///
/// It is counted without a grammar, and rather too high than too low: in `a+b+c` and `a.x.x` each operator is a level; an
/// argument, an element of a list and a statement begin anew.
struct NestingDepth {
  let levels: Int

  /// A bracket that is open, or the whole text.
  private struct Place {
    var count = 0
    /// Whether commas divide what does not depend on each other.
    var isList = false
  }

  private static let elseWord = Array("else".utf8)
  /// Words in front of a statement or of brackets that are no call.
  private static let leading = Set(
    ["else", "if", "for", "while", "do", "switch", "return", "case"].map { Array($0.utf8) })

  /// - Parameter text: GLSL without macros and comments; directives in it are passed over.
  init(_ text: some Sequence<UInt8>) {
    var places = [Place()]
    var (sum, deepest, blocks) = (0, 0, 0)
    var word: [UInt8] = []
    // The last token ("a" for a name), and whether it ended a statement that only `else` continues.
    var (before, isOver) = (UInt8(ascii: ";"), false)
    var (isLineStart, isDirective) = (true, false)
    func restart() {
      sum -= places[places.count - 1].count
      places[places.count - 1].count = 0
      isOver = false
    }
    func add() {
      places[places.count - 1].count += 1
      sum += 1
      deepest = max(deepest, sum)
    }
    func endWord() {
      guard !word.isEmpty else { return }
      if isOver, word != Self.elseWord { restart() }
      isOver = false
      let isLeading = Self.leading.contains(word)
      if isLeading { add() }
      (before, word) = (UInt8(ascii: isLeading ? ";" : "a"), [])
    }
    for byte in text {
      if byte == UInt8(ascii: "\n") {
        endWord()
        (isLineStart, isDirective) = (true, false)
        continue
      }
      if isLineStart, byte == UInt8(ascii: "#") { isDirective = true }
      if isDirective { continue }
      if byte.isOfWord || byte == UInt8(ascii: ".") && word.first?.isDigit == true {
        word.append(byte)
        isLineStart = false
        continue
      }
      endWord()
      guard byte > UInt8(ascii: " ") else { continue }
      isLineStart = false
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if isOver { restart() }
        add()
        let isList =
          byte == UInt8(ascii: "(")
          ? before == UInt8(ascii: "a") || before == UInt8(ascii: "]")
          : before == UInt8(ascii: "=") || places[places.count - 1].isList
        if byte == UInt8(ascii: "{"), places.count == 1 { blocks += 1 }
        places.append(Place(isList: isList))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if places.count > 1 { sum -= places.removeLast().count }
        isOver = byte == UInt8(ascii: "}")
      case UInt8(ascii: ";"): isOver = true
      case UInt8(ascii: ",") where places[places.count - 1].isList: restart()
      default:
        if isOver { restart() }
        add()
      }
      before = byte
    }
    // Functions and structures may each use the one before.
    levels = deepest + blocks
  }
}
