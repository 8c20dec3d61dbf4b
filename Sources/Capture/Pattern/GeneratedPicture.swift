import Frames

/// A picture that kfrec draws itself.
protocol GeneratedPicture: Sendable {
  /// One plane of four bytes a pixel.
  var pixelFormat: PixelFormat { get }

  /// Draws frame number `frame` over whatever is in `target`.
  func draw(frame: Int, into target: UnsafeMutableRawBufferPointer, stride: Int)
}

/// The same colour everywhere and always.
struct PlainPicture: GeneratedPicture {
  let pixelFormat: PixelFormat
  /// The bytes of a pixel, as they lie in memory.
  let pixel: UInt32

  /// Transparent black.
  static let blank = PlainPicture(pixelFormat: .rgba, pixel: 0)

  func draw(frame: Int, into target: UnsafeMutableRawBufferPointer, stride: Int) {
    target.initializeMemory(as: UInt32.self, repeating: pixel)
  }
}
