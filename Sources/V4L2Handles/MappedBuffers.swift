import CPosix
import Glibc

/// The memory of a driver's buffers as the process sees it; unmapped when the last reference goes.
package final class MappedBuffers: @unchecked Sendable {
  // @unchecked: the addresses are fixed for life; a buffer's bytes are read only while the driver has
  // not got it, and written (to a transmitter's) by one thread. `isMapped` is the owner's business, and
  // of the last one to let go.

  /// For each buffer its planes.
  package let planes: [[UnsafeMutableRawBufferPointer]]

  /// For each buffer whether there is memory at its addresses.
  private var isMapped: [Bool]

  /// A plane in the device's memory.
  package struct Place {
    let offset: Int
    let byteCount: Int

    package init(offset: Int, byteCount: Int) {
      self.offset = offset
      self.byteCount = byteCount
    }
  }

  /// Bytes behind a plane that may be read, and mean nothing: encoders read whole registers, past the
  /// last row's end, which often is the end of a page.
  private static let slack = Int(getpagesize())

  /// Maps the planes of each buffer.
  package init(_ places: [[Place]], descriptor: Int32) throws(V4L2Error) {
    var planes: [[UnsafeMutableRawBufferPointer]] = []
    do throws(V4L2Error) {
      for places in places {
        planes.append([])
        for place in places {
          planes[planes.count - 1].append(try MappedBuffers.map(place, descriptor: descriptor))
        }
      }
    } catch {
      MappedBuffers.unmap(planes)
      throw error
    }
    self.planes = planes
    isMapped = Array(repeating: true, count: planes.count)
  }

  deinit { MappedBuffers.unmap(zip(planes, isMapped).filter(\.1).map(\.0)) }

  /// Lets go of the device's memory, which else keeps the device open after it was closed: what others
  /// look at becomes a copy at the same addresses, and the rest is there no more.
  ///
  /// Called by the owner of the device before it closes it; others may read meanwhile.
  ///
  /// - Parameter isKept: For each buffer whether somebody may look at it still.
  package func detach(keeping isKept: [Bool]) {
    for index in planes.indices where isMapped[index] {
      if isKept[index] {
        for plane in planes[index] { MappedBuffers.replaceByCopy(plane) }
      } else {
        MappedBuffers.unmap([planes[index]])
        isMapped[index] = false
      }
    }
  }

  private static func map(
    _ place: Place, descriptor: Int32
  ) throws(V4L2Error) -> UnsafeMutableRawBufferPointer {
    let whole = place.byteCount + slack
    // The process's own memory first, of which the device's then takes all but the end.
    let address = mmap(nil, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else { throw V4L2Error(call: "mmap", code: errno) }
    let mapped = mmap(
      address, place.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
      off_t(place.offset))
    // Not unmapped then: a part may be gone already, and another thread's memory be in its place.
    guard mapped != MAP_FAILED else { throw V4L2Error(call: "mmap", code: errno) }
    return UnsafeMutableRawBufferPointer(start: address, count: place.byteCount)
  }

  /// Without memory for the copy the device's stays.
  private static func replaceByCopy(_ plane: UnsafeMutableRawBufferPointer) {
    let copy = mmap(nil, plane.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let copy, copy != MAP_FAILED, let source = plane.baseAddress else { return }
    copy.copyMemory(from: source, byteCount: plane.count)
    if kf_move_pages(copy, plane.count, source) != 0 { munmap(copy, plane.count) }
  }

  private static func unmap(_ planes: [[UnsafeMutableRawBufferPointer]]) {
    for plane in planes.joined() { munmap(plane.baseAddress, plane.count + slack) }
  }
}
