import Testing

@testable import Frames

@Suite("Layouts")
struct LayoutTests {
  @Test("a buffer's planes and rows are aligned, hold their pixels and do not overlap")
  func buffers() {
    for format in PixelFormat.allCases {
      for (width, height) in [(1, 1), (3, 5), (64, 2), (641, 361)] {
        let layout = BufferLayout(pixelFormat: format, width: width, height: height)
        var end = 0
        for (plane, place) in zip(format.layout.planes, layout.planes) {
          #expect(place.offset >= end && place.offset % 256 == 0 && place.stride % 64 == 0)
          #expect(place.stride % plane.bytesPerTexel == 0)
          #expect(place.stride >= plane.width(width) * plane.bytesPerTexel)
          #expect(place.rows == plane.height(height))
          end = place.offset + place.byteCount
        }
        #expect(layout.planes.count == format.layout.planes.count && layout.byteCount >= end)
      }
    }
  }

  @Test("memory for other devices has rows at multiples of 256 bytes, and room below the picture")
  func shared() {
    let layout = BufferLayout(pixelFormat: .nv12, width: 642, height: 362, alignment: .shared)
    #expect(layout.planes.map(\.stride) == [768, 768])
    #expect(layout.planes.map(\.rows) == [362, 181])
    #expect(layout.planes[1].offset == 768 * 384 && layout.byteCount == 768 * (384 + 192))
  }

  @Test("a partial chroma sample counts")
  func oddSizes() {
    let planes = BufferLayout(pixelFormat: .yuv420p, width: 641, height: 361).planes
    #expect(planes.map(\.rows) == [361, 181, 181])
    #expect(planes.map(\.stride) == [704, 384, 384])
    #expect(BufferLayout(pixelFormat: .yuv410p, width: 5, height: 5).planes[1].rows == 2)
    #expect(BufferLayout(pixelFormat: .rgb24, width: 65, height: 2).planes[0].stride == 384)
    let packed = BufferLayout(
      pixelFormat: .yuyv422, width: 3, height: 1, alignment: .init(bytes: 1))
    #expect(packed.planes[0].stride == 8)
  }

  @Test("every colour component has its own place in the texels")
  func components() {
    for format in PixelFormat.allCases {
      let layout = format.layout
      let parts = layout.components + [layout.alpha, layout.secondLuma].compactMap { $0 }
      #expect(Set(parts).count == parts.count)
      #expect(parts.allSatisfy { $0.channel < layout.planes[$0.plane].channels })
      #expect(layout.depth + layout.shift <= 8 * layout.planes[0].bytesPerChannel)
      #expect(layout.components.count == (layout.model == .gray ? 1 : 3))
    }
  }

  @Test("chroma subsampling matches the format's name")
  func subsampling() {
    for (format, x, y) in [
      (.yuv420p, 2, 2), (.yuv422p, 2, 1), (.yuv444p, 1, 1), (.yuv410p, 4, 4), (.yuv411p, 4, 1),
      (.yuv440p, 1, 2), (.nv12, 2, 2), (.nv16, 2, 1), (.nv24, 1, 1), (.yuyv422, 2, 1),
      (.p010le, 2, 2), (.rgba, 1, 1), (.gray, 1, 1),
    ] as [(PixelFormat, Int, Int)] {
      #expect(format.layout.chromaSubsampling == (x, y), "\(format)")
    }
  }

  @Test("the eight orientations are the rotations and mirror images of a 3x2 frame")
  func orientations() {
    // The stored image is abc / def; each case gives its rows as displayed.
    for (turns, mirrored, rows) in [
      (0, false, ["abc", "def"]), (1, false, ["da", "eb", "fc"]), (2, false, ["fed", "cba"]),
      (3, false, ["cf", "be", "ad"]), (0, true, ["cba", "fed"]), (1, true, ["fc", "eb", "da"]),
      (2, true, ["def", "abc"]), (3, true, ["ad", "be", "cf"]), (-1, false, ["cf", "be", "ad"]),
    ] {
      let orientation = Orientation(quarterTurns: turns, mirrored: mirrored)
      let map = orientation.storedPixel(width: 3, height: 2)
      let (width, height) = orientation.swapsAxes ? (2, 3) : (3, 2)
      let seen = (0..<height).map { y in
        String(
          (0..<width).map { x in
            let column = map.origin.x + x * map.dx.x + y * map.dy.x
            let row = map.origin.y + x * map.dx.y + y * map.dy.y
            return [["a", "b", "c"], ["d", "e", "f"]][row][column] as Character
          })
      }
      #expect(seen == rows)
    }
  }

  @Test("a rotated frame swaps its sides and its pixel aspect ratio")
  func upright() {
    var format = FrameFormat(
      width: 720, height: 576, pixelFormat: .yuv420p, color: .sRGB,
      sampleAspectRatio: Rational(16, 15))
    #expect(format.uprightSize == (720, 576))
    format.orientation = Orientation(quarterTurns: 1, mirrored: false)
    #expect(format.uprightSize == (576, 720))
    #expect(format.uprightSampleAspectRatio == Rational(15, 16))
  }
}
