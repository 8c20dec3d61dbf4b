import Frames
import XCBHandles

/// A screen with its windows, or why it cannot be read.
public struct ScreenDescription: Sendable {
  /// A window that can be recorded.
  public struct Window: Sendable {
    public let title: String
    /// What `-i` takes for it: with its title, or with its number if other titles contain it too.
    public let input: String
    /// In pixels.
    public let width: Int
    public let height: Int
    /// Whether it is shown, and not minimised.
    public let isShown: Bool
  }

  /// The name of its display, such as ":0".
  public let display: String
  /// In pixels; nil if it cannot be read.
  public var size: (width: Int, height: Int)?
  public var windows: [Window] = []
  /// Why it cannot be read, as a sentence.
  public var problem: String?
}

/// Returns the screen of the environment's display; nil if there is none.
public func listScreen() -> ScreenDescription? {
  guard let name = ScreenEnvironment.current.display else { return nil }
  var screen = ScreenDescription(display: name)
  do throws(XCBError) {
    let display = try DisplayConnection(nil, limit: .init(Interruption(), patience: Rational(2)))
    let size = try display.geometry(of: display.root)
    screen.size = (size.width, size.height)
    let windows = try display.windows()
    screen.windows = windows.map { window in
      let isUnique = (try? windows.wanted(by: window.title))?.id == window.id
      return ScreenDescription.Window(
        title: window.title, input: "window:" + (isUnique ? window.title : window.number),
        width: window.width, height: window.height, isShown: window.isShown)
    }
  } catch {
    screen.problem = "\(CaptureError(error, reading: "the display \(name)"))"
  }
  return screen
}

extension DisplayWindow {
  /// Its number as X programs show it.
  var number: String { "0x" + String(id, radix: 16) }

  var quotedTitle: String { "\"\(title)\"" }
}

extension [DisplayWindow] {
  /// Finds the window with this title or number, or the one whose title contains the text; the error lists the windows.
  func wanted(by text: String) throws(CaptureError) -> DisplayWindow {
    if text.hasPrefix("0x"), let id = UInt32(text.dropFirst(2), radix: 16),
      let window = first(where: { $0.id == id })
    {
      return window
    }
    let sought = text.lowercased()
    let named = filter { $0.title.lowercased().contains(sought) }
    let exact = named.filter { $0.title == text }
    if let window = exact.count == 1 ? exact.first : named.count == 1 ? named.first : nil {
      return window
    }
    guard !text.isEmpty, !named.isEmpty else {
      throw CaptureError(
        isEmpty
          ? "there is no window with a title on this display"
          : (text.isEmpty
            ? "window: needs a part of a title" : "no window has \(text) in its title")
            + "; there are " + Self.list(map(\.quotedTitle)), isUsageError: true)
    }
    throw CaptureError(
      "\(text) is in the titles of \(named.count) windows; say which: "
        + Self.list(named.map { "window:\($0.number) is \($0.quotedTitle)" }), isUsageError: true)
  }

  /// The first 20 of some words, in one line.
  private static func list(_ words: [String]) -> String {
    words.prefix(20).joined(separator: ", ")
      + (words.count > 20 ? " and \(words.count - 20) more (kfrec devices lists all)" : "")
  }
}
