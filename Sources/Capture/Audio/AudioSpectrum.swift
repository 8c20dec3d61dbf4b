import CFFmpeg
import FFmpegHandles
import Glibc

/// Computes the strength of each frequency in a run of samples.
///
/// Used by one thread.
public final class AudioSpectrum {
  /// Number of samples per spectrum, a power of two.
  public let count: Int

  private var context: OpaquePointer?
  private let transform: av_tx_fn
  private let window: [Float]
  /// Aligned as the transform requires; both hold complex numbers.
  private let input: UnsafeMutableBufferPointer<Float>
  private let output: UnsafeMutableBufferPointer<Float>

  /// Returns the number of samples for `columns` frequencies: fine enough for music, and at least two
  /// per column.
  public static func count(columns: Int) -> Int {
    var count = 2048
    while count < 2 * columns { count *= 2 }
    return count
  }

  public init(columns: Int) throws(CaptureError) {
    let count = AudioSpectrum.count(columns: columns)
    var transform: av_tx_fn?
    var made: OpaquePointer?
    _ = try explained { () throws(FFmpegError) in
      try check(
        av_tx_init(&made, &transform, AV_TX_FLOAT_FFT, 0, Int32(count), nil, 0), "av_tx_init",
        "a spectrum of \(count) samples")
    }
    context = made
    guard let transform else {
      throw CaptureError("a spectrum of \(count) samples cannot be made")
    }
    self.transform = transform
    self.count = count
    // A Hann window, scaled so that a full-scale tone has the magnitude 1.
    window = (0..<count).map { index in
      Float((1 - cos(2 * Double.pi * Double(index) / Double(count))) * 2 / Double(count))
    }
    func aligned() -> UnsafeMutableBufferPointer<Float> {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * count, alignment: 64)
      return bytes.bindMemory(to: Float.self)
    }
    (input, output) = (aligned(), aligned())
  }

  deinit {
    av_tx_uninit(&context)
    UnsafeMutableRawBufferPointer(input).deallocate()
    UnsafeMutableRawBufferPointer(output).deallocate()
  }

  /// Fills the columns with magnitudes, from 0 Hz to half the sample rate; each column gets its
  /// strongest frequency.
  public func fill(
    _ columns: UnsafeMutableBufferPointer<Float>, from samples: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(samples.count == count && columns.count <= count / 2)
    for index in 0..<count {
      input[2 * index] = samples[index] * window[index]
      input[2 * index + 1] = 0
    }
    transform(context, output.baseAddress, input.baseAddress, MemoryLayout<AVComplexFloat>.size)
    let bins = count / 2
    for column in columns.indices {
      let first = column * bins / columns.count
      var strongest: Float = 0
      for bin in first..<max((column + 1) * bins / columns.count, first + 1) {
        let (real, imaginary) = (output[2 * bin], output[2 * bin + 1])
        strongest = max(strongest, (real * real + imaginary * imaginary).squareRoot())
      }
      columns[column] = strongest
    }
  }
}
