import CXCB
package import Frames
import Glibc

extension DisplayConnection {
  /// Draws the pointer into a picture of an area of the screen, whose rows have four bytes for each pixel and none between.
  package func drawPointer(
    into pixels: UnsafeMutableRawBufferPointer, showing area: PixelArea
  ) throws(XCBError) {
    let cookie = xcb_xfixes_get_cursor_image(connection)
    let reply: Reply<xcb_xfixes_get_cursor_image_reply_t> = try reply(
      cookie.sequence, "GetCursorImage")
    let value = reply.value
    let (width, height) = (Int(value.width), Int(value.height))
    guard let image = xcb_xfixes_get_cursor_image_cursor_image(reply.pointer),
      Int(xcb_xfixes_get_cursor_image_cursor_image_length(reply.pointer)) >= width * height,
      pixels.count >= area.width * area.height * 4
    else { return }
    let left = Int(value.x) - Int(value.xhot) - area.x
    let top = Int(value.y) - Int(value.yhot) - area.y
    for row in max(0, -top)..<max(max(0, -top), min(height, area.height - top)) {
      for column in max(0, -left)..<max(max(0, -left), min(width, area.width - left)) {
        // Its colours are multiplied by its alpha.
        let color = image[row * width + column]
        let through = 255 - (color >> 24)
        let place = ((top + row) * area.width + left + column) * 4
        for channel in 0..<3 {
          let added = color >> (8 * UInt32(channel)) & 0xff
          let below = UInt32(pixels[place + channel]) * through
          pixels[place + channel] = UInt8(min(255, added + (below + 127) / 255))
        }
      }
    }
  }
}
