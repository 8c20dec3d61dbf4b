import CPosix
import Glibc

/// The memory of a driver's buffers, mapped into the process until the last reference is released.
package final class MappedBuffers: @unchecked Sendable {
  // @unchecked: the addresses never change. A buffer's bytes are read only while the driver does
  // not have the buffer, and written (a transmitter's) by one thread. Only the owner uses
  // `isMapped`, and `deinit` after the last reference.

  /// The planes of each buffer.
  package let planes: [[UnsafeMutableRawBufferPointer]]

  /// For each buffer, whether memory is mapped at its addresses.
  private var isMapped: [Bool]

  /// The position of a plane in the device's memory, in bytes.
  package struct Place {
    let offset: Int
    let byteCount: Int

    package init(offset: Int, byteCount: Int) {
      self.offset = offset
      self.byteCount = byteCount
    }
  }

  /// Readable bytes without meaning after a plane: encoders read whole registers past the end of
  /// the last row, which is often the end of a page.
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

  /// Releases the device's memory, which otherwise keeps the device open after close: buffers that somebody may still read
  /// become copies at the same addresses, and the others are unmapped.
  ///
  /// The owner of the device calls this before closing it; others may read meanwhile.
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
    // Private memory first; the device's memory then replaces all of it but the end.
    let address = mmap(nil, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else { throw V4L2Error(call: "mmap", code: errno) }
    let mapped = mmap(
      address, place.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
      off_t(place.offset))
    // Not unmapped: a part may already be free, and another thread's memory may be in its place.
    guard mapped != MAP_FAILED else { throw V4L2Error(call: "mmap", code: errno) }
    return UnsafeMutableRawBufferPointer(start: address, count: place.byteCount)
  }

  /// If there is no memory for the copy, the device's memory stays.
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
