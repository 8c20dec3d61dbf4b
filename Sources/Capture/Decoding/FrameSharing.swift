import CFFmpeg
import FFmpegHandles
import Frames

/// Decoded frames that stay in the memory of the hardware that decoded them.
struct FrameSharing {
  /// Whether frames stay there at all; called when the first frame of hardware has come, and may wait for the GPU.
  let wanted: @Sendable () -> PictureSharing?
  private var answer: PictureSharing??
  /// Why the first frame did not stay there, as a part of a sentence; nil if it did.
  private(set) var reason: String?

  init(_ wanted: @escaping @Sendable () -> PictureSharing?) { self.wanted = wanted }

  /// Opens a frame of hardware for the GPU, which reads it where it lies; nil if the processor has to copy it.
  ///
  /// All frames of a source have one layout, so what was not done for the first frame is not done later.
  mutating func picture(
    of frame: borrowing AVFrameHandle,
    by map: (borrowing AVFrameHandle) -> HeldFrame? = FrameSharing.map
  ) -> SharedPicture? {
    let isFirst = answer == nil
    let sharing = answer ?? wanted()
    answer = .some(sharing)
    guard let sharing, sharing.take() else {
      if isFirst { refuse(because: sharing?.reason ?? "too many frames are in use") }
      return nil
    }
    guard let mapped = map(frame), let planes = mapped.planes else {
      sharing.giveBack()
      let reason = "the decoder does not open its memory to others"
      sharing.stop(because: reason)
      if isFirst { refuse(because: reason) }
      return nil
    }
    return SharedPicture(planes: planes) { [sharing] in
      // It keeps the descriptors open, and the decoder from using the memory again.
      withExtendedLifetime(mapped) {}
      sharing.giveBack()
    }
  }

  private mutating func refuse(because reason: String) {
    answer = .some(nil)
    self.reason = reason
  }

  /// Opens the memory of a frame of hardware as DMA-BUFs; nil if the hardware cannot do that.
  static func map(_ frame: borrowing AVFrameHandle) -> HeldFrame? {
    guard frame.pointer.pointee.hw_frames_ctx != nil, let mapped = try? AVFrameHandle() else {
      return nil
    }
    mapped.pointer.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
    let flags = Int32(AV_HWFRAME_MAP_READ) | Int32(AV_HWFRAME_MAP_DIRECT)
    guard av_hwframe_map(mapped.pointer, frame.pointer, flags) >= 0 else { return nil }
    return HeldFrame(mapped)
  }
}

/// A frame of FFmpeg that stays until the last reference is released; of DMA-BUFs, which are closed with it.
final class HeldFrame: @unchecked Sendable {
  // @unchecked: nothing touches the frame between here and its release, which any thread may do.
  let frame: AVFrameHandle

  init(_ frame: consuming AVFrameHandle) { self.frame = frame }

  /// Where the planes of a frame of the format DRM_PRIME lie; nil if no renderer can use the descriptor.
  var planes: [SharedPicture.Plane]? {
    guard let bytes = frame.pointer.pointee.data.0 else { return nil }
    return UnsafeMutableRawPointer(bytes).withMemoryRebound(
      to: AVDRMFrameDescriptor.self, capacity: 1
    ) { SharedPicture.planes(of: $0.pointee) }
  }
}

extension SharedPicture {
  /// Reads where the planes of a picture lie; nil if a number is out of range, or a plane in several blocks.
  ///
  /// Drivers describe a picture as one layer a plane, or as one layer of all planes. The latter says nothing of what
  /// compressed orders store beside the planes.
  static func planes(of frame: AVDRMFrameDescriptor) -> [Plane]? {
    let objects = elements(of: frame.objects, as: AVDRMObjectDescriptor.self)
      .prefix(Int(max(frame.nb_objects, 0)))
    let layers = elements(of: frame.layers, as: AVDRMLayerDescriptor.self)
      .prefix(Int(max(frame.nb_layers, 0)))
    func plane(_ parts: [AVDRMPlaneDescriptor]) -> Plane? {
      guard let place = parts.first?.object_index, objects.indices.contains(Int(place)),
        parts.allSatisfy({ $0.object_index == place && $0.offset >= 0 && $0.pitch > 0 })
      else { return nil }
      let object = objects[Int(place)]
      return Plane(
        descriptor: object.fd, byteCount: object.size, modifier: object.format_modifier,
        parts: parts.map { Part(offset: $0.offset, stride: $0.pitch) })
    }
    let described = layers.map {
      Array(
        elements(of: $0.planes, as: AVDRMPlaneDescriptor.self).prefix(Int(max($0.nb_planes, 0))))
    }
    let planes: [Plane?]
    if described.count == 1, let all = described.first, all.count > 1 {
      planes = all.map { plane([$0]) }
    } else {
      planes = described.map(plane)
    }
    let found = planes.compactMap { $0 }
    return found.isEmpty || found.count < planes.count ? nil : found
  }
}

/// How a source's frames have their chroma, in all frames alike.
enum ChromaPlanes {
  /// As each frame has it.
  case asDecoded
  /// A plane each, as the processor's decoders give it.
  case planar
  /// Both in one plane, as hardware gives it.
  case semiPlanar

  private static let interleaved: [PixelFormat] = [.nv12, .nv16, .nv24, .p010le, .p016le]

  /// Whether frames of a format are as they shall be.
  func takes(_ format: PixelFormat) -> Bool {
    switch self {
    case .asDecoded: true
    case .planar: !Self.interleaved.contains(format)
    case .semiPlanar: semiPlanar(format) == nil
    }
  }

  /// The format with chroma in one plane; nil if it has it so already, or if hardware never gives it.
  func semiPlanar(_ format: PixelFormat?) -> PixelFormat? {
    self == .semiPlanar ? format?.semiPlanar : nil
  }
}
