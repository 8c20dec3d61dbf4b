import Frames
import Testing

@testable import Terminal

@Suite struct TerminalSizeTests {
  @Test("what a terminal tells of its size is limited")
  func limits() {
    let usual = TerminalSize(reported: (120, 40), pixels: (1200, 800))
    #expect((usual.columns, usual.rows) == (120, 40) && usual.cell == (10, 20))
    let silent = TerminalSize(reported: (0, 0), pixels: (0, 0))
    #expect((silent.columns, silent.rows) == (80, 24) && silent.cell == (8, 16))
    #expect(TerminalSize(reported: (120, 40), pixels: (0, 0)).cell == (8, 16))
    let huge = TerminalSize(reported: (65535, 65535), pixels: (65535, 65535))
    #expect((huge.columns, huge.rows) == (1000, 500) && huge.cell == (1, 1))
    #expect(TerminalSize(reported: (1, 1), pixels: (65535, 65535)).cell == (8, 16))
  }

  @Test("a picture has no more pixels than the largest screens", arguments: TerminalStyle.allCases)
  func pixels(_ style: TerminalStyle) {
    let format = FrameFormat(width: 1920, height: 1080, pixelFormat: .rgba, color: .sRGB)
    let size = TerminalSize(reported: (1000, 500), pixels: (65000, 65000))
    let area = TerminalArea(format, in: size, rows: 499, style: style)
    #expect(area.width * area.height < 40_000_000, "\(area)")
    let small = TerminalSize(reported: (80, 24), pixels: (800, 480))
    #expect(TerminalArea(format, in: small, rows: 23, style: style).columns == 80)
  }
}
