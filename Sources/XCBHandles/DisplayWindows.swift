import CXCB
import Glibc

/// A window of a program.
package struct DisplayWindow: Sendable, Equatable {
  package let id: UInt32
  package let title: String
  /// In pixels, without a border.
  package let width: Int
  package let height: Int
  /// Whether it is shown, and not minimised.
  package let isShown: Bool
}

extension DisplayConnection {
  /// Size, border and depth of a window or pixmap.
  package struct Geometry: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package let border: Int
    /// Bits of a pixel that have a meaning.
    package let depth: UInt8
  }

  package func geometry(of drawable: UInt32) throws(XCBError) -> Geometry {
    let reply: Reply<xcb_get_geometry_reply_t> = try reply(
      xcb_get_geometry(connection, drawable).sequence, "GetGeometry")
    let value = reply.value
    return Geometry(
      width: Int(value.width), height: Int(value.height), border: Int(value.border_width),
      depth: value.depth)
  }

  /// Whether a window is shown: itself and all that it lies in.
  package func isShown(_ window: UInt32) throws(XCBError) -> Bool {
    try attributes(of: window).map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
  }

  private func attributes(
    of window: UInt32
  ) throws(XCBError) -> xcb_get_window_attributes_reply_t {
    let reply: Reply<xcb_get_window_attributes_reply_t> = try reply(
      xcb_get_window_attributes(connection, window).sequence, "GetWindowAttributes")
    return reply.value
  }

  /// The place of a window's left upper pixel on the screen.
  package func place(of window: UInt32) throws(XCBError) -> (x: Int, y: Int) {
    let reply: Reply<xcb_translate_coordinates_reply_t> = try reply(
      xcb_translate_coordinates(connection, window, root, 0, 0).sequence, "TranslateCoordinates")
    return (Int(reply.value.dst_x), Int(reply.value.dst_y))
  }

  /// Makes the server keep all pixels of a window, also those behind other windows.
  package func keepPixels(of window: UInt32) throws(XCBError) {
    try complete(
      xcb_composite_redirect_window_checked(
        connection, window, UInt8(XCB_COMPOSITE_REDIRECT_AUTOMATIC.rawValue)), "RedirectWindow")
  }

  /// Returns a name for the kept pixels of a window in its present size; they include its border.
  package func namePixels(of window: UInt32) throws(XCBError) -> UInt32 {
    let pixmap = xcb_generate_id(connection)
    try complete(
      xcb_composite_name_window_pixmap_checked(connection, window, pixmap), "NameWindowPixmap")
    return pixmap
  }

  /// Gives up a name of pixels.
  package func release(pixels: UInt32) { xcb_free_pixmap(connection, pixels) }

  /// Returns the windows with a title, without those of this process: those that the window manager lists, from
  /// below to above, or else all that are shown.
  package func windows() throws(XCBError) -> [DisplayWindow] {
    let names = try Names(self)
    let listed = try property(names.clients, of: root).words
    let all = listed.isEmpty ? try shownWindows(in: root, depth: 3) : listed
    var found: [DisplayWindow] = []
    for id in all {
      do throws(XCBError) {
        guard let title = try title(of: id, names),
          try property(names.process, of: id).words.first != UInt32(getpid())
        else { continue }
        let geometry = try geometry(of: id)
        found.append(
          DisplayWindow(
            id: id, title: title, width: geometry.width, height: geometry.height,
            isShown: try isShown(id)))
      } catch {
        // It was closed meanwhile.
        guard error.meansGone else { throw error }
      }
    }
    return found
  }

  /// The windows that are shown inside another one, to a depth.
  private func shownWindows(in parent: UInt32, depth: Int) throws(XCBError) -> [UInt32] {
    let reply: Reply<xcb_query_tree_reply_t>
    do throws(XCBError) {
      reply = try self.reply(xcb_query_tree(connection, parent).sequence, "QueryTree")
    } catch {
      guard error.meansGone else { throw error }
      return []
    }
    let count = Int(xcb_query_tree_children_length(reply.pointer))
    let children = UnsafeBufferPointer(
      start: xcb_query_tree_children(reply.pointer), count: count)
    var found: [UInt32] = []
    for child in children {
      guard (try? isShown(child)) == true else { continue }
      found.append(child)
      if depth > 1 { found += try shownWindows(in: child, depth: depth - 1) }
    }
    return found
  }

  private func title(of window: UInt32, _ names: Names) throws(XCBError) -> String? {
    let modern = try property(names.title, of: window).bytes
    let bytes =
      modern.isEmpty ? try property(UInt32(XCB_ATOM_WM_NAME.rawValue), of: window).bytes : modern
    let title =
      String(validating: bytes, as: UTF8.self)
      // The older property is in Latin-1, if it is no UTF-8.
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return title.isEmpty ? nil : title
  }

  /// The value of a property; empty if the window has none.
  private func property(
    _ name: UInt32, of window: UInt32
  ) throws(XCBError) -> (bytes: [UInt8], words: [UInt32]) {
    // At most 16 KiB: titles, and lists of 4096 windows.
    let cookie = xcb_get_property(connection, 0, window, name, 0, 0, 4096)
    let reply: Reply<xcb_get_property_reply_t> = try reply(cookie.sequence, "GetProperty")
    let count = Int(xcb_get_property_value_length(reply.pointer))
    guard count > 0, let value = xcb_get_property_value(reply.pointer) else { return ([], []) }
    let bytes = UnsafeRawBufferPointer(start: value, count: count)
    let words = reply.value.format == 32 ? Array(bytes.bindMemory(to: UInt32.self)) : []
    return (Array(bytes), words)
  }

  /// The numbers of the names that window managers have agreed on (EWMH 1.5).
  private struct Names {
    let clients: UInt32
    let title: UInt32
    let process: UInt32

    init(_ display: DisplayConnection) throws(XCBError) {
      func number(_ name: StaticString) throws(XCBError) -> UInt32 {
        let cookie = name.withUTF8Buffer { text in
          text.withMemoryRebound(to: CChar.self) {
            xcb_intern_atom(display.connection, 0, UInt16($0.count), $0.baseAddress)
          }
        }
        let reply: Reply<xcb_intern_atom_reply_t> = try display.reply(
          cookie.sequence, "InternAtom")
        return reply.value.atom
      }
      clients = try number("_NET_CLIENT_LIST")
      title = try number("_NET_WM_NAME")
      process = try number("_NET_WM_PID")
    }
  }
}
