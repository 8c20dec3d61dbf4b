import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// A picture in the memory of another device, described as FFmpeg's frames of DRM_PRIME are.
///
/// It keeps the pixels for as long as FFmpeg has a reference.
final class SharedFrame {
  let description: UnsafeMutablePointer<AVDRMFrameDescriptor>
  private let pixels: PixelBuffer

  /// The names of the planes in the kernel's drm_fourcc.h: all versions of libavutil's VA-API know these (5.1,
  /// hwcontext_vaapi.c), while P010 as a whole is unknown to it.
  private static let names: [PixelFormat: [String]] = [
    .nv12: ["R8  ", "RG88"], .p010le: ["R16 ", "RG32"],
  ]

  /// Describes a picture; nil if VA-API does not open such memory: it shall be one block, with nothing beside the planes.
  init?(_ picture: SharedPicture, of pixels: PixelBuffer, _ format: PixelFormat) {
    guard let names = Self.names[format], let first = picture.planes.first,
      picture.planes.count == names.count,
      picture.planes.allSatisfy({
        ($0.descriptor, $0.modifier) == (first.descriptor, first.modifier) && $0.parts.count == 1
      })
    else { return nil }
    var frame = AVDRMFrameDescriptor()
    frame.nb_objects = 1
    frame.objects.0 = AVDRMObjectDescriptor(
      fd: first.descriptor, size: first.byteCount, format_modifier: first.modifier)
    frame.nb_layers = Int32(names.count)
    withUnsafeMutableBytes(of: &frame.layers) { bytes in
      let layers = bytes.bindMemory(to: AVDRMLayerDescriptor.self)
      for (index, name) in names.enumerated() {
        let part = picture.planes[index].parts[0]
        layers[index].format = name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        layers[index].nb_planes = 1
        layers[index].planes.0 = AVDRMPlaneDescriptor(
          object_index: 0, offset: part.offset, pitch: part.stride)
      }
    }
    description = .allocate(capacity: 1)
    description.initialize(to: frame)
    self.pixels = pixels
  }

  deinit { description.deallocate() }

  /// Makes a blank frame refer to the picture.
  func become(
    _ frame: UnsafeMutablePointer<AVFrame>, width: Int32, height: Int32
  ) throws(FFmpegError) {
    let bytes = UnsafeMutableRawPointer(description).assumingMemoryBound(to: UInt8.self)
    let kept = Unmanaged.passRetained(self)
    let buffer = av_buffer_create(
      bytes, MemoryLayout<AVDRMFrameDescriptor>.size,
      { kept, _ in
        guard let kept else { return }
        Unmanaged<SharedFrame>.fromOpaque(kept).release()
      }, kept.toOpaque(), AV_BUFFER_FLAG_READONLY)
    guard let buffer else {
      kept.release()
      throw FFmpegError(call: "av_buffer_create", subject: "a frame", code: kf_averror(ENOMEM))
    }
    frame.pointee.buf.0 = buffer
    frame.pointee.data.0 = bytes
    frame.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
    (frame.pointee.width, frame.pointee.height) = (width, height)
  }
}
