import Frames
import Testing

@testable import GPU

@Suite("A frame's place on the canvas")
struct PictureGeometryTests {
  private static func source(
    _ width: Int, _ height: Int, aspect: Rational = .one, turns: Int = 0
  ) -> FrameFormat {
    FrameFormat(
      width: width, height: height, pixelFormat: .yuv420p, color: .sRGB, sampleAspectRatio: aspect,
      orientation: Orientation(quarterTurns: turns, mirrored: false))
  }

  @Test("without a size the frame keeps its size and pixel aspect ratio, upright")
  func asItIs() {
    let geometry = FrameGeometry(
      source: Self.source(721, 577, aspect: Rational(16, 15), turns: 1))
    #expect((geometry.canvasWidth, geometry.canvasHeight) == (577, 721))
    #expect((geometry.x, geometry.y, geometry.width, geometry.height) == (0, 0, 577, 721))
    #expect((geometry.sourceX, geometry.sourceY) == (0, 0))
    #expect((geometry.sourceWidth, geometry.sourceHeight) == (577, 721))
    #expect(geometry.sampleAspectRatio == Rational(15, 16))
  }

  @Test(
    "fit shows the whole frame, centred",
    arguments: [
      (source(1920, 1080), 1280, 720, [0, 0, 1280, 720]),
      (source(1920, 1080), 1000, 1000, [0, 218, 1000, 563]),
      (source(640, 480), 1280, 720, [160, 0, 960, 720]),
      (source(1366, 768), 1280, 720, [0, 0, 1280, 720]),
      (source(720, 576, aspect: Rational(64, 45)), 1280, 720, [0, 0, 1280, 720]),
      (source(720, 576, aspect: Rational(16, 15)), 1280, 720, [160, 0, 960, 720]),
      (source(1920, 1080, turns: 1), 1280, 720, [437, 0, 405, 720]),
      (source(1, 4000), 64, 64, [31, 0, 1, 64]), (source(4000, 1), 64, 64, [0, 31, 64, 1]),
    ])
  func fit(source: FrameFormat, width: Int, height: Int, place: [Int]) {
    let geometry = FrameGeometry(source: source, size: (width, height), scale: .fit)
    #expect([geometry.canvasWidth, geometry.canvasHeight] == [width, height])
    #expect([geometry.x, geometry.y, geometry.width, geometry.height] == place)
    let (wide, high) = source.uprightSize
    #expect([geometry.sourceX, geometry.sourceY] == [0, 0])
    #expect([geometry.sourceWidth, geometry.sourceHeight] == [Double(wide), Double(high)])
    #expect(geometry.sampleAspectRatio == .one)
  }

  @Test(
    "fill crops the overhang equally on both sides",
    arguments: [
      (source(1920, 1080), 1280, 720, [0, 0, 1920, 1080]),
      (source(1920, 1080), 1000, 1000, [420, 0, 1080, 1080]),
      (source(640, 480), 1280, 720, [0, 60, 640, 360]),
      (source(1920, 1080, turns: 3), 100, 100, [0, 420, 1080, 1080]),
      (source(720, 576, aspect: Rational(16, 15)), 1280, 720, [0, 72, 720, 432]),
    ])
  func fill(source: FrameFormat, width: Int, height: Int, part: [Double]) {
    let geometry = FrameGeometry(source: source, size: (width, height), scale: .fill)
    #expect([geometry.x, geometry.y, geometry.width, geometry.height] == [0, 0, width, height])
    let shown = [
      geometry.sourceX, geometry.sourceY, geometry.sourceWidth, geometry.sourceHeight,
    ]
    #expect(zip(shown, part).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test(
    "a canvas with non-square pixels keeps the aspect ratio of a frame",
    arguments: [
      // 16:9 and 4:3 on 720 columns that are displayed as 16:9.
      (source(720, 576, aspect: Rational(64, 45)), [0, 0, 720, 576]),
      (source(720, 576, aspect: Rational(16, 15)), [90, 0, 540, 576]),
      (source(1920, 1080), [0, 0, 720, 576]), (source(360, 288), [107, 0, 506, 576]),
    ])
  func anamorphic(source: FrameFormat, place: [Int]) {
    let geometry = FrameGeometry(
      source: source, size: (720, 576), scale: .fit, sampleAspectRatio: Rational(64, 45))
    #expect([geometry.x, geometry.y, geometry.width, geometry.height] == place)
    #expect(geometry.sampleAspectRatio == Rational(64, 45))
  }

  @Test("stretch fills the canvas with the whole frame")
  func stretch() {
    let geometry = FrameGeometry(source: Self.source(640, 480), size: (100, 300), scale: .stretch)
    #expect([geometry.x, geometry.y, geometry.width, geometry.height] == [0, 0, 100, 300])
    #expect([geometry.sourceWidth, geometry.sourceHeight] == [640, 480])
  }

  @Test(
    "an omitted side follows from the aspect ratio, even and without bars",
    arguments: [
      (source(1920, 1080), 1280, nil, 1280, 720), (source(1920, 1080), nil, 720, 1280, 720),
      (source(1920, 1080), 500, nil, 500, 282), (source(1920, 1080), nil, 500, 888, 500),
      (source(1920, 1080), 641, nil, 641, 360), (source(1920, 1080, turns: 1), 720, nil, 720, 1280),
      (source(720, 576, aspect: Rational(64, 45)), nil, 576, 1024, 576),
      (source(4000, 1), 64, nil, 64, 2),
    ] as [(FrameFormat, Int?, Int?, Int, Int)])
  func oneSide(
    source: FrameFormat, width: Int?, height: Int?, canvasWidth: Int, canvasHeight: Int
  ) {
    for scale in ScaleMode.allCases {
      let geometry = FrameGeometry(source: source, size: (width, height), scale: scale)
      #expect([geometry.canvasWidth, geometry.canvasHeight] == [canvasWidth, canvasHeight])
      #expect(
        [geometry.x, geometry.y, geometry.width, geometry.height]
          == [0, 0, canvasWidth, canvasHeight])
      let (wide, high) = source.uprightSize
      #expect([geometry.sourceWidth, geometry.sourceHeight] == [Double(wide), Double(high)])
    }
  }
}
