/// The cells of a terminal after some output: what a person would see.
///
/// Knows the sequences that kfrec uses for characters; others are left out.
struct ScreenReader {
  struct Cell: Equatable {
    var character: Character = " "
    var ink: [Int] = [255, 255, 255]
    var paper: [Int] = [0, 0, 0]

    /// The colour of most of the cell, where it has one colour: that of a space or a full block.
    var color: [Int]? { character == " " ? paper : character == "\u{2588}" ? ink : nil }
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [[Cell]]
  private(set) var isAlternate = false
  private(set) var hasCursor = true
  private var (row, column) = (0, 0)
  private var pen = Cell()
  private var isInverted = false

  init(_ text: String, columns: Int = 80, rows: Int = 24) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    var rest = Substring(text)
    while let next = rest.popFirst() {
      switch next {
      case "\u{1b}": obey(&rest)
      case "\r\n":
        (row, column) = (min(row + 1, rows - 1), 0)
      case "\n": row = min(row + 1, rows - 1)
      case "\r": column = 0
      default: put(next)
      }
    }
  }

  /// The text of a row, without the spaces at its end.
  func line(_ row: Int) -> String {
    var text = String(cells[row].map(\.character))
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  var lines: [String] { (0..<rows).map(line) }

  private mutating func put(_ character: Character) {
    guard row < rows, column < columns else { return }
    var cell = pen
    if isInverted { swap(&cell.ink, &cell.paper) }
    cell.character = character
    cells[row][column] = cell
    column += 1
  }

  private mutating func obey(_ rest: inout Substring) {
    guard let kind = rest.popFirst() else { return }
    if kind == "_" || kind == "P" || kind == "]" {
      while let next = rest.popFirst() {
        if next == "\u{1b}" { return rest = rest.dropFirst() }
      }
    }
    guard kind == "[" else { return }
    let body = rest.prefix { !$0.isLetter }
    rest = rest.dropFirst(body.count)
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (rest.popFirst(), body) {
    case ("H", _): (row, column) = ((numbers.first ?? 1) - 1, (numbers.last ?? 1) - 1)
    case ("J", _): for row in 0..<rows { erase(row, from: 0) }
    case ("K", _): erase(row, from: column)
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("h", "?25"): hasCursor = true
    case ("l", "?25"): hasCursor = false
    case ("m", _): color(numbers)
    default: break
    }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for place in column..<columns { cells[row][place] = Cell() }
  }

  private mutating func color(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: (pen, isInverted) = (Cell(), false)
      case 7: isInverted = true
      case 38, 48:
        let value = Array(rest.dropFirst().prefix(3))
        rest = rest.dropFirst(4)
        if number == 38 { pen.ink = value } else { pen.paper = value }
      default: break
      }
    }
  }
}
