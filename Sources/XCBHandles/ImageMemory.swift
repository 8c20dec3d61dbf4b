import CPosix
import CXCB
package import Frames
import Glibc

/// Memory for a picture of an X server, which the server writes itself if it can.
package final class ImageMemory: PixelMemory, @unchecked Sendable {
  // @unchecked: for the same reason as PixelMemory.

  /// The server's name of the memory; nil if only this process sees it.
  let segment: UInt32?
  private let display: DisplayConnection
  private let mappedBytes: Int

  /// Readable bytes behind the picture: encoders read whole registers past the end of the last row.
  private static let slack = Int(getpagesize())

  /// Allocates memory, and shares it with the server if the connection allows it.
  package init(byteCount: Int, for display: DisplayConnection) throws(XCBError) {
    self.display = display
    mappedBytes = byteCount + Self.slack
    let file = display.sharesMemory ? kf_memory_file() : -1
    let isShared = file >= 0 && ftruncate(file, off_t(mappedBytes)) == 0
    let address = mmap(
      nil, mappedBytes, PROT_READ | PROT_WRITE,
      isShared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, isShared ? file : -1, 0)
    guard let address, address != MAP_FAILED else {
      if file >= 0 { close(file) }
      // BadAlloc.
      throw XCBError(call: "mmap", reason: .refused(11))
    }
    var segment: UInt32?
    if isShared {
      let wanted = xcb_generate_id(display.connection)
      // libxcb closes the file.
      let cookie = xcb_shm_attach_fd_checked(display.connection, wanted, file, 0)
      do throws(XCBError) {
        try display.complete(cookie, "ShmAttachFd")
        segment = wanted
      } catch {
        // A server in another container may refuse it; pictures then come through the connection.
        guard case .refused = error.reason else {
          munmap(address, mappedBytes)
          throw error
        }
      }
    } else if file >= 0 {
      close(file)
    }
    self.segment = segment
    super.init(baseAddress: address, byteCount: byteCount)
  }

  deinit {
    if let segment {
      xcb_shm_detach(display.connection, segment)
      xcb_flush(display.connection)
    }
    munmap(baseAddress, mappedBytes)
  }
}

extension DisplayConnection {
  /// Reads an area of a window or pixmap into memory, row after row without bytes between.
  ///
  /// BadMatch (8) means that the area does not lie within it, or the window is not shown.
  package func read(
    _ drawable: UInt32, _ area: PixelArea, into memory: ImageMemory
  ) throws(XCBError) {
    let (x, y) = (Int16(clamping: area.x), Int16(clamping: area.y))
    let (width, height) = (UInt16(clamping: area.width), UInt16(clamping: area.height))
    if let segment = memory.segment {
      let cookie = xcb_shm_get_image(
        connection, drawable, x, y, width, height, .max, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue),
        segment, 0)
      free(try answer(cookie.sequence, "ShmGetImage"))
      return
    }
    let cookie = xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), drawable, x, y, width, height, .max)
    let reply: Reply<xcb_get_image_reply_t> = try reply(cookie.sequence, "GetImage")
    let count = Int(xcb_get_image_data_length(reply.pointer))
    guard count >= area.width * area.height * 4, let bytes = xcb_get_image_data(reply.pointer)
    else { throw XCBError(call: "GetImage", reason: .missing) }
    memory.baseAddress.copyMemory(
      from: bytes, byteCount: min(count, area.width * area.height * 4, memory.byteCount))
  }
}
