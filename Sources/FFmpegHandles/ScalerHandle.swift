public import CFFmpeg
public import Frames

/// Owns a scaler of libswscale from one size and format to another.
///
/// Used by one thread at a time.
public struct ScalerHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// Rows of a source.
  private let rows: Int32

  /// A size in pixels, and how they are stored.
  public typealias Shape = (width: Int, height: Int, format: AVPixelFormat)

  /// Planes, and the bytes from each row of them to the next.
  private typealias Planes<Pointer> = (planes: [Pointer?], strides: [Int32])

  /// Makes a scaler with one of `kf_sws_...` as its filter; nil if libswscale does not convert so.
  public init?(from source: Shape, to target: Shape, filter: Int32) {
    guard
      let made = kf_scaler_make(
        Int32(source.width), Int32(source.height), source.format, Int32(target.width),
        Int32(target.height), target.format, filter)
    else { return nil }
    (pointer, rows) = (made, Int32(source.height))
  }

  deinit { kf_scaler_free(pointer) }

  /// Says which matrices (numbers of H.273) and ranges both sides have; formats without a matrix need none.
  public func setColors(
    matrix: Int32, isFull: Bool, toMatrix target: Int32, isTargetFull: Bool
  ) {
    kf_scaler_set_colors(
      pointer, sws_getCoefficients(matrix), isFull ? 1 : 0, sws_getCoefficients(target),
      isTargetFull ? 1 : 0)
  }

  /// Scales a frame, and returns the number of rows that were made.
  public func scale(_ frame: Frame, to pixels: inout WritablePixels<HeapMemory>) -> Int32 {
    let (targets, strides) = Self.planes(of: &pixels)
    return scale(frame, to: targets, strides: strides)
  }

  /// Scales a frame of FFmpeg's, and returns the number of rows that were made.
  public func scale(
    _ frame: UnsafePointer<AVFrame>, to pixels: inout WritablePixels<HeapMemory>
  ) -> Int32 {
    let sources = withUnsafeBytes(of: frame.pointee.data) {
      $0.bindMemory(to: UnsafePointer<UInt8>?.self).prefix(4).map { $0 }
    }
    let sourceStrides = withUnsafeBytes(of: frame.pointee.linesize) {
      $0.bindMemory(to: Int32.self).prefix(4).map { $0 }
    }
    let (targets, strides) = Self.planes(of: &pixels)
    return kf_scaler_scale(
      pointer, sources, sourceStrides, frame.pointee.height, targets, strides)
  }

  /// Scales a frame into up to four planes, and returns the number of rows that were made.
  public func scale(
    _ frame: Frame, to targets: [UnsafeMutablePointer<UInt8>?], strides: [Int32]
  ) -> Int32 {
    var (sources, sourceStrides): Planes<UnsafePointer<UInt8>> = Self.noPlanes()
    for (index, plane) in frame.pixels.planes.enumerated().prefix(4) {
      // The frame keeps the memory until the end of this function.
      sources[index] = frame.pixels.bytes(ofPlane: index).withUnsafeBytes {
        $0.bindMemory(to: UInt8.self).baseAddress
      }
      sourceStrides[index] = Int32(plane.stride)
    }
    return withExtendedLifetime(frame) {
      kf_scaler_scale(pointer, sources, sourceStrides, rows, targets, strides)
    }
  }

  /// Scales a frame of FFmpeg's into another one that has memory.
  public func scale(
    _ frame: UnsafePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>
  ) throws(FFmpegError) {
    try check(kf_scaler_scale_frame(pointer, target, frame), "sws_scale_frame", "a frame")
  }

  /// The planes of pixels, which stay in place for as long as they are being written.
  public static func planes(
    of pixels: inout WritablePixels<HeapMemory>
  ) -> (planes: [UnsafeMutablePointer<UInt8>?], strides: [Int32]) {
    var (planes, strides): Planes<UnsafeMutablePointer<UInt8>> = noPlanes()
    for index in pixels.layout.planes.indices {
      planes[index] = pixels.withBytes(ofPlane: index) {
        $0.bindMemory(to: UInt8.self).baseAddress
      }
      strides[index] = Int32(pixels.stride(ofPlane: index))
    }
    return (planes, strides)
  }

  private static func noPlanes<Pointer>() -> Planes<Pointer> {
    (Array(repeating: nil, count: 4), Array(repeating: 0, count: 4))
  }
}
