import TestSupport
import Testing

/// `overlay` and `sideBySide` on real images and videos: the places, the shapes and the transparency.
@Suite struct OverlayTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a plain picture or a video of one second; `shape` is that of its pixels.
  private func plain(
    _ name: String, _ color: String, _ size: String, shape: String = "1"
  ) throws -> String {
    try make(
      name, in: folder,
      [
        "-f", "lavfi", "-i", "color=c=\(color):s=\(size):r=10:d=1,setsar=\(shape)",
        "-frames:v", name.hasSuffix(".png") ? "1" : "10",
      ])
  }

  /// The first frame that kfrec makes, as gray or RGB.
  private func frame(_ input: String, _ effect: String, _ format: String = "gray") throws -> [UInt8]
  {
    let result = try KfrecProcess.run([
      "-i", input, "-e", effect, "--frames", "1", "-y", "-o", folder.file("out.png"),
    ])
    #expect(result.exitCode == 0, "\(result)")
    return try Probe.pixels(folder.file("out.png"), format)
  }

  /// The size and the corner of the white rectangle in a black frame; nil if the white is no rectangle.
  private func rectangle(_ pixels: [UInt8], width: Int) -> [Int]? {
    let white = pixels.indices.filter { pixels[$0] > 250 }
    guard let top = white.first.map({ $0 / width }), let bottom = white.last.map({ $0 / width }),
      let left = white.map({ $0 % width }).min(), let right = white.map({ $0 % width }).max()
    else { return nil }
    let area = (right - left + 1) * (bottom - top + 1)
    return white.count == area ? [left, top, right - left + 1, bottom - top + 1] : nil
  }

  @Test(
    "an image lies at its corner or edge, at its own size, moved by x and y",
    arguments: [
      ("at=topLeft,margin=0", [0, 0]), ("at=bottomRight,margin=0", [100, 70]),
      ("at=center,margin=0.1", [50, 35]), ("at=topRight,margin=0.1", [92, 8]),
      ("at=topLeft,margin=0,x=0.25,y=0.5", [30, 40]), ("at=left,margin=0.05", [4, 35]),
    ])
  func places(_ words: String, _ corner: [Int]) throws {
    let image = try plain("logo.png", "white", "20x10")
    let pixels = try frame(
      try plain("in.png", "black", "120x80"), "overlay:image=\(image),exact=yes,\(words)")
    #expect(rectangle(pixels, width: 120) == corner + [20, 10])
  }

  @Test(
    "the shape of a picture is kept, whatever the shape of its pixels and of those of the frame",
    arguments: [
      ("1", "1", [60, 40]), ("2", "1", [60, 20]), ("1", "2", [30, 40]), ("2", "2", [30, 20]),
    ])
  func shapes(_ image: String, _ input: String, _ size: [Int]) throws {
    let image = try plain("over.mkv", "white", "36x24", shape: image)
    let frameSize = input == "1" ? "120x80" : "60x80"
    let pixels = try frame(
      try plain("in.mkv", "black", frameSize, shape: input),
      "overlay:image=\(image),size=0.75,at=topLeft,margin=0")
    #expect(rectangle(pixels, width: input == "1" ? 120 : 60) == [0, 0] + size)
  }

  @Test("a picture that is shown many times smaller keeps its mean, with thin lines too")
  func shrinks() throws {
    let image = try make(
      "lines.png", in: folder,
      [
        "-f", "lavfi", "-i", "color=black:s=1024x1024,format=gray,geq=lum='255*eq(mod(X,16),0)'",
        "-frames:v", "1",
      ])
    let input = try plain("in.png", "black", "240x160")
    for (size, width) in [("0.1", 16.0), ("0.4", 64), ("0.6", 96), ("1", 160)] {
      let pixels = try frame(input, "overlay:image=\(image),size=\(size),at=center,margin=0")
      // A sixteenth of the picture is white.
      let mean = pixels[80 * 240..<81 * 240].reduce(0) { $0 + Double($1) } / width
      #expect((15...17).contains(mean), "\(size): \(mean)")
    }
  }

  @Test("two pictures on a transparent colour make a transparent film where the output holds it")
  func transparentSides() throws {
    let image = try plain("right.png", "white", "16x16")
    let result = try KfrecProcess.run([
      "-i", try plain("in.mkv", "white", "64x32"), "-e", "sideBySide:image=\(image),color=00000000",
      "-y", "-o", folder.file("out.mov"), "--codec", "qtrle",
    ])
    #expect(result.exitCode == 0 && !result.errors.contains("warning"), "\(result)")
    let pixels = try Probe.pixels(folder.file("out.mov"), "rgba")
    #expect(pixels[3] == 0 && pixels[4 * (16 * 64 + 40) + 3] == 255)
  }

  @Test(
    "transparent pixels of an image give no colour, at any size, and what lies beside it is untouched"
  )
  func transparency() throws {
    // Green that cannot be seen beside red that can.
    let image = try make(
      "over.png", in: folder,
      [
        "-f", "lavfi", "-i",
        "color=c=black:s=40x40,format=rgba,geq=r='255*lt(X,20)':g='255*gte(X,20)':b=0:a='255*lt(X,20)'",
        "-frames:v", "1",
      ])
    let input = try plain("in.png", "blue", "120x80")
    let before = try Probe.pixels(input, "rgb24")
    for size in ["0.1", "0.43", "1.7"] {
      let pixels = try frame(
        input, "overlay:image=\(image),size=\(size),at=left,margin=0", "rgb24")
      #expect(stride(from: 1, to: pixels.count, by: 3).allSatisfy { pixels[$0] == before[1] })
      #expect(stride(from: 0, to: pixels.count, by: 3).contains { pixels[$0] == 255 })
    }
    let faint = try frame(input, "overlay:image=\(image),amount=0", "rgb24")
    #expect(faint == before)
  }

  @Test("two pictures share the frame, each in its own shape")
  func sideBySide() throws {
    let input = try plain("in.png", "white", "120x80")
    let image = try plain("other.mkv", "0x808080", "20x40", shape: "2")
    let beside = try frame(input, "sideBySide:image=\(image)")
    // The frame fills the width of its half, the square picture too.
    #expect(rectangle(beside, width: 120) == [0, 20, 60, 40])
    #expect(
      beside[40 * 120 + 61] > 100 && beside[40 * 120 + 118] > 100 && beside[8 * 120 + 90] == 0)
    let above = try frame(input, "sideBySide:image=\(image),above=yes,swap=yes,fill=yes")
    #expect(rectangle(above, width: 120) == [0, 40, 120, 40])
    #expect((0..<120 * 40).allSatisfy { (100...150).contains(above[$0]) })
  }

  @Test("overlay cannot work without an image, and the message names it")
  func missing() throws {
    let input = try plain("in.png", "blue", "120x80")
    let result = try KfrecProcess.run(["-i", input, "-e", "overlay", "-o", folder.file("out.png")])
    #expect(result.exitCode == 2 && result.errors.contains("image"), "\(result)")
  }
}
