import CV4L2
import Glibc
import Synchronization
import V4L2Handles

/// A filled buffer of a camera, which goes back to the driver when the last reference goes.
final class CameraBuffer: @unchecked Sendable {
  // @unchecked: what it refers to is mapped as long as it lives, and only read.

  /// Counts frames from 0, lost ones too, modulo 2^32.
  let sequence: UInt32
  let flags: UInt32
  /// By the clock that the flags name.
  let stamp: timeval
  /// What was filled of each plane.
  let planes: [UnsafeRawBufferPointer]
  /// The driver has enough others to go on for a while, and writes nothing to this one until it is let go.
  let mayBeKept: Bool

  private let index: UInt32
  private let memory: MappedBuffers
  private let returns: Returns

  /// Those that were let go, on whatever thread, until the stream's thread gives them to the driver.
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

  /// Whether the error flag is set: what is in it may be damaged.
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
        // The image begins behind the offset, which the count of bytes used includes.
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
