import CV4L2
import Glibc
import Synchronization
import V4L2Handles

/// A filled buffer of a camera; it returns to the driver when its last reference is released.
final class CameraBuffer: @unchecked Sendable {
  // @unchecked: its memory stays mapped during its lifetime, and is only read.

  /// The driver's frame number from 0, which counts lost frames too, modulo 2^32.
  let sequence: UInt32
  let flags: UInt32
  /// The driver's timestamp, by the clock that `flags` name.
  let stamp: timeval
  /// The filled bytes of each plane.
  let planes: [UnsafeRawBufferPointer]
  /// Whether the driver has enough other buffers for a while; it does not write to this one until release.
  let mayBeKept: Bool

  private let index: UInt32
  private let memory: MappedBuffers
  private let returns: Returns

  /// Indexes of buffers released by any thread, until the stream's thread gives them to the driver.
  final class Returns: Sendable {
    private let indexes = Mutex<[UInt32]>([])

    fileprivate func put(_ index: UInt32) { indexes.withLock { $0.append(index) } }

    func takeAll() -> [UInt32] {
      indexes.withLock { indexes in
        defer { indexes.removeAll(keepingCapacity: true) }
        return indexes
      }
    }
  }

  /// Whether the error flag is set: the content may be damaged.
  var hasError: Bool { flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

  /// Takes a buffer that the driver has filled; its index must be one of `memory`.
  init(
    _ buffer: v4l2_buffer, planes: UnsafeMutableBufferPointer<v4l2_plane>?, memory: MappedBuffers,
    mayBeKept: Bool, returns: Returns
  ) {
    index = buffer.index
    sequence = buffer.sequence
    flags = buffer.flags
    stamp = buffer.timestamp
    let mapped = memory.planes[Int(buffer.index)]
    if let planes {
      self.planes = zip(mapped, planes).map { memory, plane in
        // The image begins after the offset, and the count of used bytes includes the offset.
        let end = min(Int(plane.bytesused), memory.count)
        return UnsafeRawBufferPointer(
          rebasing: memory[min(Int(plane.data_offset), end)..<end])
      }
    } else {
      self.planes = mapped.prefix(1).map {
        UnsafeRawBufferPointer(rebasing: $0[0..<min(Int(buffer.bytesused), $0.count)])
      }
    }
    self.memory = memory
    self.mayBeKept = mayBeKept
    self.returns = returns
  }

  deinit { returns.put(index) }
}
