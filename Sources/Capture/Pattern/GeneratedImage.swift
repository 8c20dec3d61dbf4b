import Frames

/// An image that kfrec draws itself.
protocol GeneratedImage: Sendable {
  /// A format with one plane of four bytes per pixel.
  var pixelFormat: PixelFormat { get }

  /// Draws frame number `frame` over the old content of `target`.
  func draw(frame: Int, into target: UnsafeMutableRawBufferPointer, stride: Int)
}

/// An image of the same colour everywhere and always.
struct PlainImage: GeneratedImage {
  let pixelFormat: PixelFormat
  /// The bytes of a pixel in memory order.
  let pixel: UInt32

  /// Transparent black.
  static let blank = PlainImage(pixelFormat: .rgba, pixel: 0)

  func draw(frame: Int, into target: UnsafeMutableRawBufferPointer, stride: Int) {
    target.initializeMemory(as: UInt32.self, repeating: pixel)
  }
}
