import CFFmpeg
import Frames

extension Orientation {
  /// Reads the orientation that a stream requires; nil if its matrix is none of the eight ways to place
  /// a rectangle on itself.
  ///
  /// The matrix maps a stored point (x, y) to the shown point (a x + c y, b x + d y) in 16.16 fixed
  /// point, with y pointing down (ISO/IEC 14496-12 6.2.2; FFmpeg's display.h).
  init?(stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    let data = kf_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let data, size >= 9 * 4 else {
      self = .upright
      return
    }
    let matrix = data.withMemoryRebound(to: Int32.self, capacity: 9) {
      (a: $0[0], b: $0[1], c: $0[3], d: $0[4])
    }
    self.init(matrix: matrix)
  }

  /// Reads the orientation from the matrix's four rotation entries.
  init?(matrix: (a: Int32, b: Int32, c: Int32, d: Int32)) {
    let entries = [matrix.a, matrix.b, matrix.c, matrix.d].map { Double($0) }
    // The demuxer has put a scale of the matrix into the pixel aspect ratio. Only the directions count
    // here, with some tolerance for files from tools that compute with angles.
    let largest = entries.map { abs($0) }.max() ?? 0
    let directions = entries.map { abs($0) <= largest / 100 ? 0 : $0 < 0 ? -1 : 1 }
    switch (directions[0], directions[1], directions[2], directions[3]) {
    case (1, 0, 0, 1): self = .upright
    case (0, 1, -1, 0): self.init(quarterTurns: 1, mirrored: false)
    case (-1, 0, 0, -1): self.init(quarterTurns: 2, mirrored: false)
    case (0, -1, 1, 0): self.init(quarterTurns: 3, mirrored: false)
    case (-1, 0, 0, 1): self.init(quarterTurns: 0, mirrored: true)
    case (0, -1, -1, 0): self.init(quarterTurns: 1, mirrored: true)
    case (1, 0, 0, -1): self.init(quarterTurns: 2, mirrored: true)
    case (0, 1, 1, 0): self.init(quarterTurns: 3, mirrored: true)
    default: return nil
    }
  }
}
