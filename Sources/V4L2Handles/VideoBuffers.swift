package import CV4L2
import Glibc

/// A driver's buffers, mapped into the process.
package struct VideoBuffers: ~Copyable {
  package let memory: MappedBuffers
  /// The driver does not write to a buffer until the program gives the buffer back.
  ///
  /// True for drivers that use the kernel's videobuf2, which all set one flag; a loopback's writer
  /// does not wait.
  package let areKeepable: Bool
  /// The buffer type, V4L2_BUF_TYPE_...
  private let type: UInt32

  /// Most planes that a buffer can have (VIDEO_MAX_PLANES).
  private static let planeLimit = 8

  /// The number of buffers.
  package var count: Int { memory.planes.count }

  /// Makes the driver allocate about `count` buffers for the current format, and maps them.
  package init(
    _ device: borrowing VideoDevice, type: UInt32, count: UInt32
  ) throws(V4L2Error) {
    var request = v4l2_requestbuffers()
    request.count = count
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(kf_reqbufs(device.descriptor, &request), "VIDIOC_REQBUFS")
    var places: [[MappedBuffers.Place]] = []
    for index in 0..<request.count {
      places.append(try VideoBuffers.places(ofBuffer: index, type: type, device: device))
    }
    memory = try MappedBuffers(places, descriptor: device.descriptor)
    areKeepable = request.capabilities & UInt32(V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS) != 0
    self.type = type
  }

  private static func places(
    ofBuffer index: UInt32, type: UInt32, device: borrowing VideoDevice
  ) throws(V4L2Error) -> [MappedBuffers.Place] {
    var places: [MappedBuffers.Place] = []
    func add(_ offset: UInt32, _ length: UInt32) {
      places.append(MappedBuffers.Place(offset: Int(offset), byteCount: Int(length)))
    }
    let result = withBuffer(index: index, type: type) { buffer, planes in
      let result = kf_querybuf(device.descriptor, &buffer)
      if let planes {
        for plane in planes.prefix(Int(buffer.length)) { add(plane.m.mem_offset, plane.length) }
      } else {
        add(buffer.m.offset, buffer.length)
      }
      return result
    }
    try check(result, "VIDIOC_QUERYBUF")
    return places
  }

  /// Calls `body` with a blank buffer of this type, and with the array of its planes if it has one.
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
