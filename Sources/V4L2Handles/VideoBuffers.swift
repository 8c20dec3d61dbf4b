package import CV4L2
import Glibc

/// A driver's buffers, mapped into the process; one owner, unmapped with it.
package struct VideoBuffers: ~Copyable, @unchecked Sendable {
  // @unchecked: the addresses are fixed for life, and whoever owns it alone uses what is there.

  /// For each buffer its planes.
  package let planes: [[UnsafeMutableRawBufferPointer]]
  /// V4L2_BUF_TYPE_...
  private let type: UInt32

  /// Planes that a buffer can have (VIDEO_MAX_PLANES).
  private static let planeLimit = 8

  /// Has the driver make about so many buffers for the format that is set, and maps them.
  package init(
    _ device: borrowing VideoDevice, type: UInt32, count: UInt32
  ) throws(V4L2Error) {
    var request = v4l2_requestbuffers()
    request.count = count
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(kf_reqbufs(device.descriptor, &request), "VIDIOC_REQBUFS")
    var planes: [[UnsafeMutableRawBufferPointer]] = []
    do throws(V4L2Error) {
      for index in 0..<request.count {
        planes.append(try VideoBuffers.map(buffer: index, type: type, of: device))
      }
    } catch {
      VideoBuffers.unmap(planes)
      throw error
    }
    self.planes = planes
    self.type = type
  }

  // The driver lets its buffers go when the device is closed and nothing is mapped any more.
  deinit { VideoBuffers.unmap(planes) }

  private static func map(
    buffer index: UInt32, type: UInt32, of device: borrowing VideoDevice
  ) throws(V4L2Error) -> [UnsafeMutableRawBufferPointer] {
    var places: [(length: UInt32, offset: UInt32)] = []
    let result = withBuffer(index: index, type: type) { buffer, planes in
      let result = kf_querybuf(device.descriptor, &buffer)
      if let planes {
        places = planes.prefix(Int(buffer.length)).map { ($0.length, $0.m.mem_offset) }
      } else {
        places = [(buffer.length, buffer.m.offset)]
      }
      return result
    }
    try check(result, "VIDIOC_QUERYBUF")
    var mapped: [UnsafeMutableRawBufferPointer] = []
    for place in places {
      let address = mmap(
        nil, Int(place.length), PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor,
        off_t(place.offset))
      guard let address, address != MAP_FAILED else {
        let code = errno
        unmap([mapped])
        throw V4L2Error(call: "mmap", code: code)
      }
      mapped.append(UnsafeMutableRawBufferPointer(start: address, count: Int(place.length)))
    }
    return mapped
  }

  private static func unmap(_ planes: [[UnsafeMutableRawBufferPointer]]) {
    for plane in planes.joined() { munmap(plane.baseAddress, plane.count) }
  }

  /// Calls `body` with a blank buffer of the kind, and the array of its planes where it has one.
  package func withBuffer(
    _ index: UInt32,
    _ body: (inout v4l2_buffer, UnsafeMutableBufferPointer<v4l2_plane>?) -> Int32
  ) -> Int32 {
    VideoBuffers.withBuffer(index: index, type: type, body)
  }

  private static func withBuffer(
    index: UInt32, type: UInt32,
    _ body: (inout v4l2_buffer, UnsafeMutableBufferPointer<v4l2_plane>?) -> Int32
  ) -> Int32 {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = type
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    guard type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue else { return body(&buffer, nil) }
    return withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: planeLimit) { planes in
      planes.initialize(repeating: v4l2_plane())
      buffer.m.planes = planes.baseAddress
      buffer.length = UInt32(planeLimit)
      return body(&buffer, planes)
    }
  }
}
