import CV4L2
import Glibc
import V4L2Handles

/// The driver's buffers, mapped into the process; one owner, unmapped with it.
struct CameraBuffers: ~Copyable {
  /// For each buffer its planes.
  let planes: [[UnsafeMutableRawBufferPointer]]

  /// What a driver can need at once beside the one that is read: enough that a copy which is late by
  /// some frames loses none.
  private static let wantedCount: UInt32 = 8
  /// Of all buffers together, in bytes: large pictures get fewer.
  private static let largestTotal = 128 << 20
  static let planeLimit = 8

  /// Has the driver make buffers for the setting, and maps them.
  init(
    _ device: borrowing VideoDevice, setting: CameraSetting
  ) throws(V4L2Error) {
    let bytes = max(setting.planes.reduce(0) { $0 + $1.byteCount }, 1)
    var request = v4l2_requestbuffers()
    request.count = min(
      CameraBuffers.wantedCount, UInt32(clamping: max(CameraBuffers.largestTotal / bytes, 3)))
    request.type = device.bufferType
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(kf_reqbufs(device.descriptor, &request), "VIDIOC_REQBUFS")
    var planes: [[UnsafeMutableRawBufferPointer]] = []
    do throws(V4L2Error) {
      for index in 0..<request.count {
        planes.append(try CameraBuffers.map(buffer: index, of: device))
      }
    } catch {
      CameraBuffers.unmap(planes)
      throw error
    }
    self.planes = planes
  }

  // The driver lets its buffers go when the device is closed and nothing is mapped any more.
  deinit { CameraBuffers.unmap(planes) }

  private static func map(
    buffer index: UInt32, of device: borrowing VideoDevice
  ) throws(V4L2Error) -> [UnsafeMutableRawBufferPointer] {
    var places: [(length: UInt32, offset: UInt32)] = []
    let result = withBuffer(index: index, of: device) { buffer, planes in
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

  /// Calls `body` with a blank buffer of the device's kind, and the array of its planes where it has
  /// one.
  static func withBuffer(
    index: UInt32, of device: borrowing VideoDevice,
    _ body: (inout v4l2_buffer, UnsafeMutableBufferPointer<v4l2_plane>?) -> Int32
  ) -> Int32 {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = device.bufferType
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    guard device.isMultiplanar else { return body(&buffer, nil) }
    return withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: planeLimit) { planes in
      planes.initialize(repeating: v4l2_plane())
      buffer.m.planes = planes.baseAddress
      buffer.length = UInt32(planeLimit)
      return body(&buffer, planes)
    }
  }
}
