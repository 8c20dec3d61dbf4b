import Frames
import Testing

@testable import GPU

@Suite("The conversion between YCbCr and RGB")
struct ColorConversionTests {
  private static func color(_ matrix: ColorMatrix, _ range: ColorRange) -> ColorDescription {
    ColorDescription(matrix: matrix, range: range, primaries: 1, transfer: 1)
  }

  /// The published coefficients for samples of 0 to 1 (code over the largest code): gain of luma, red
  /// of Cr, green of Cb and of Cr, blue of Cb; then the offsets of red, green and blue.
  @Test(
    "the conversion to RGB has the published coefficients",
    arguments: [
      (
        .bt470bg, .limited, 8, [1.164384, 1.596027, -0.391762, -0.812968, 2.017232],
        [-0.874202, 0.531668, -1.085631]
      ),
      (
        .bt709, .limited, 8, [1.164384, 1.792741, -0.213249, -0.532909, 2.112402],
        [-0.972945, 0.301483, -1.133402]
      ),
      (
        .bt2020NonConstant, .limited, 8, [1.164384, 1.678674, -0.187326, -0.650424, 2.141772],
        [-0.915688, 0.347458, -1.148145]
      ),
      (
        .smpte170m, .limited, 10, [1.167808, 1.600721, -0.392915, -0.815359, 2.023165],
        [-0.874202, 0.531668, -1.085631]
      ),
      (
        .bt709, .limited, 10, [1.167808, 1.798014, -0.213876, -0.534477, 2.118615],
        [-0.972945, 0.301483, -1.133402]
      ),
      (
        .bt2020NonConstant, .limited, 10, [1.167808, 1.683611, -0.187877, -0.652337, 2.148072],
        [-0.915688, 0.347458, -1.148145]
      ),
      (
        .bt470bg, .full, 8, [1, 1.402, -0.344136, -0.714136, 1.772],
        [-0.703749, 0.531211, -0.889475]
      ),
      (
        .bt709, .full, 8, [1, 1.5748, -0.187324, -0.468124, 1.8556],
        [-0.790488, 0.329009, -0.931438]
      ),
      (
        .bt2020NonConstant, .full, 8, [1, 1.4746, -0.164553, -0.571353, 1.8814],
        [-0.740191, 0.369396, -0.944389]
      ),
      (
        .smpte170m, .full, 10, [1, 1.402, -0.344136, -0.714136, 1.772],
        [-0.701685, 0.529654, -0.886866]
      ),
      (
        .bt709, .full, 10, [1, 1.5748, -0.187324, -0.468124, 1.8556],
        [-0.788170, 0.328045, -0.928707]
      ),
      (
        .bt2020NonConstant, .full, 10, [1, 1.4746, -0.164553, -0.571353, 1.8814],
        [-0.738021, 0.368313, -0.941620]
      ),
    ] as [(ColorMatrix, ColorRange, Int, [Double], [Double])])
  func published(
    matrix: ColorMatrix, range: ColorRange, depth: Int, gains: [Double], offset: [Double]
  ) {
    let map = ColorConversion.toRGB(Self.color(matrix, range), model: .yCbCr, depth: depth)
    let maximum = Double((1 << depth) - 1)
    let expected = [
      [gains[0], 0, gains[1]], [gains[0], gains[2], gains[3]], [gains[0], gains[4], 0],
    ]
    for row in 0..<3 {
      for column in 0..<3 {
        #expect(abs(map.rows[row][column] * maximum - expected[row][column]) < 1e-6)
      }
      #expect(abs(map.offset[row] - offset[row]) < 1e-6)
    }
  }

  @Test(
    "the conversion from RGB has the published coefficients",
    arguments: [
      (
        .bt470bg,
        [
          [0.256788, 0.504129, 0.097906], [-0.148223, -0.290993, 0.439216],
          [0.439216, -0.367788, -0.071427],
        ]
      ),
      (
        .bt709,
        [
          [0.182586, 0.614231, 0.062007], [-0.100644, -0.338572, 0.439216],
          [0.439216, -0.398942, -0.040274],
        ]
      ),
      (
        .bt2020NonConstant,
        [
          [0.225613, 0.582282, 0.050928], [-0.122655, -0.316560, 0.439216],
          [0.439216, -0.403890, -0.035325],
        ]
      ),
    ] as [(ColorMatrix, [[Double]])])
  func publishedBack(matrix: ColorMatrix, rows: [[Double]]) {
    let map = ColorConversion.fromRGB(Self.color(matrix, .limited), model: .yCbCr, depth: 8)
    for (row, expected) in zip(map.rows, rows) {
      for (value, wanted) in zip(row, expected) { #expect(abs(value / 255 - wanted) < 1e-6) }
    }
    #expect(map.offset == [16, 128, 128])
  }

  @Test("white and the primaries have the codes of each standard's formula")
  func primaries() {
    for (matrix, red, blue) in [
      (ColorMatrix.smpte240m, 0.212, 0.087), (.fcc, 0.30, 0.11), (.bt709, 0.2126, 0.0722),
    ] {
      for (range, zero, luma, chroma) in [
        (ColorRange.limited, 16.0, 219.0, 224.0), (.full, 0, 255, 255),
      ] {
        let map = ColorConversion.fromRGB(Self.color(matrix, range), model: .yCbCr, depth: 8)
        let expected: [([Double], [Double])] = [
          ([0, 0, 0], [zero, 128, 128]), ([1, 1, 1], [zero + luma, 128, 128]),
          (
            [1, 0, 0], [zero + red * luma, 128 - chroma * red / (2 * (1 - blue)), 128 + chroma / 2]
          ),
          (
            [0, 0, 1],
            [zero + blue * luma, 128 + chroma / 2, 128 - chroma * blue / (2 * (1 - red))]
          ),
        ]
        for (rgb, codes) in expected {
          for (value, wanted) in zip(map.applied(to: rgb), codes) {
            #expect(abs(value - wanted) < 1e-9)
          }
        }
      }
    }
  }

  @Test(
    "YCgCo is coded by H.273's sums of RGB codes",
    arguments: [
      (.full, 8, 0, 255), (.limited, 8, 16, 235), (.full, 10, 0, 1023), (.limited, 10, 64, 940),
    ] as [(ColorRange, Int, Double, Double)])
  func greenAndOrange(range: ColorRange, depth: Int, black: Double, white: Double) {
    let color = Self.color(.yCgCo, range)
    let neutral = Double(1 << (depth - 1))
    for rgb in [[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, 0.5, 0.75]] {
      let (r, g, b) = (
        black + rgb[0] * (white - black), black + rgb[1] * (white - black),
        black + rgb[2] * (white - black)
      )
      let codes = [
        0.5 * g + 0.25 * (r + b), 0.5 * g - 0.25 * (r + b) + neutral, 0.5 * (r - b) + neutral,
      ]
      let map = ColorConversion.fromRGB(color, model: .yCbCr, depth: depth)
      for (value, wanted) in zip(map.applied(to: rgb), codes) {
        #expect(abs(value - wanted) < 1e-9)
      }
      let back = ColorConversion.toRGB(color, model: .yCbCr, depth: depth)
      for (value, wanted) in zip(back.applied(to: codes), rgb) {
        #expect(abs(value - wanted) < 1e-9)
      }
    }
  }

  @Test("the two conversions together are the identity")
  func inverse() {
    for matrix in ColorMatrix.allCases where matrix != .rgb {
      for range in [ColorRange.limited, .full] {
        let color = Self.color(matrix, range)
        for depth in [8, 10, 12] {
          let there = ColorConversion.toRGB(color, model: .yCbCr, depth: depth)
          let back = ColorConversion.fromRGB(color, model: .yCbCr, depth: depth)
          for codes in [
            [0.0, 0, 0], [255, 255, 255], [16, 128, 128], [81, 90, 240], [200, 3, 250],
          ] {
            for (value, code) in zip(back.applied(to: there.applied(to: codes)), codes) {
              #expect(abs(value - code) < 1e-9)
            }
          }
        }
      }
    }
  }

  @Test("gray and RGB need no matrix")
  func others() {
    let limited = ColorConversion.toRGB(Self.color(.bt709, .limited), model: .gray, depth: 10)
    #expect(limited.applied(to: [64, 64, 64]).allSatisfy { abs($0) < 1e-12 })
    #expect(limited.applied(to: [940, 940, 940]).allSatisfy { abs($0 - 1) < 1e-12 })
    let full = ColorConversion.toRGB(Self.color(.bt709, .full), model: .gray, depth: 16)
    #expect(full.applied(to: [65535, 65535, 65535]).allSatisfy { abs($0 - 1) < 1e-12 })
    let rgb = ColorConversion.toRGB(.sRGB, model: .rgb, depth: 12)
    #expect(rgb.applied(to: [4095, 0, 4095]) == [1, 0, 1])
    #expect(
      ColorConversion.fromRGB(.sRGB, model: .rgb, depth: 8).applied(to: [1, 0, 0.5]) == [
        255, 0, 127.5,
      ])
  }
}

extension ColorConversion {
  fileprivate func applied(to v: [Double]) -> [Double] {
    zip(rows, offset).map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] + $1 }
  }
}
