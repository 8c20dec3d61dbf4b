import CFFmpeg
import FFmpegHandles
import Frames
import Glibc
import TestSupport
import Testing

@testable import Capture

/// Tests of images whose samples are not display RGB or YCbCr: linear light, XYZ, a sensor mosaic, YCgCo.
@Suite("Rare colour codings")
struct RareColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let bars = ["-f", "lavfi", "-i", "smptebars=s=64x48", "-frames:v", "1"]

  /// Returns the frame's red, green and blue from 0 to 1, row by row.
  private func colors(_ frame: Frame) throws -> [Double] {
    let layout = frame.format.pixelFormat.layout
    try #require(layout.model == .rgb)
    let top = Double(layout.maximumCode)
    return (0..<frame.format.height).flatMap { y in
      (0..<frame.format.width).flatMap { x in
        layout.components.map { component in
          let plane = layout.planes[component.plane]
          let bytes = frame.pixels.bytes(ofPlane: component.plane)
          let place =
            y * frame.pixels.planes[component.plane].stride + x * plane.bytesPerTexel
            + component.channel * plane.bytesPerChannel
          return plane.bytesPerChannel == 1
            ? Double(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)) / top
            : Double(bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt16.self)) / top
        }
      }
    }
  }

  /// Returns ffmpeg's conversion of a file to RGB of 16 bits, from 0 to 1.
  private func converted(_ path: String) throws -> [Double] {
    let result = try ChildProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-pix_fmt", "rgb48le", "-f", "rawvideo", "-"]
    ).wait()
    let bytes = result.output
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 65535
    }
  }

  private func difference(_ a: [Double], _ b: [Double]) -> Double {
    guard a.count == b.count else { return .infinity }
    return zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test("linear light of EXR is coded as sRGB, and that is told")
  func linearLight() throws {
    let path = folder.file("a.exr")
    try ffmpeg(RareColorTests.bars + ["-pix_fmt", "gbrpf32le", path])
    let read = try ReadSource(path)
    let frame = try #require(read.frames.first)
    #expect(frame.format.pixelFormat == .gbrp16le && frame.format.color == .sRGB)
    // IEC 61966-2-1, 4.2; ffmpeg gives the light as it is stored.
    let expected = try converted(path).map { light in
      light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
    #expect(difference(try colors(frame), expected) < 1.5 / 255)
    #expect(read.description.notices.contains { $0.message.contains("linear light") })
  }

  @Test("a transfer curve that the user gives means that the light is coded")
  func codedFloats() throws {
    let path = folder.file("a.exr")
    try ffmpeg(RareColorTests.bars + ["-pix_fmt", "gbrpf32le", path])
    let read = try ReadSource(path) { $0.tagOverrides = ColorTags(transfer: 1) }
    let frame = try #require(read.frames.first)
    #expect(frame.format.color.transfer == 1)
    let raw = folder.file("a.raw")
    try ffmpeg("-i", path, "-f", "rawvideo", raw)
    let bytes = try readFile(raw)
    let count = 64 * 48
    try #require(bytes.count == 3 * 4 * count)
    // The planes are green, blue and red.
    let expected = (0..<count).flatMap { pixel in
      [2, 0, 1].map { plane in
        let number = bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: (plane * count + pixel) * 4, as: Float.self)
        }
        return Double(min(max(number, 0), 1))
      }
    }
    #expect(difference(try colors(frame), expected) < 1.0 / 65535)
    #expect(!read.description.notices.contains { $0.message.contains("linear light") })
  }

  /// Makes a frame of two equal rows in a float format, from one array of samples per plane.
  private func floats(_ name: String, _ numbers: [[Float]]) throws -> AVFrameHandle {
    let frame = try AVFrameHandle()
    frame.pointer.pointee.format = av_get_pix_fmt(name).rawValue
    frame.pointer.pointee.width = Int32(numbers[0].count)
    frame.pointer.pointee.height = 2
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", name)
    for (plane, row) in numbers.enumerated() {
      let data = withUnsafeBytes(of: frame.pointer.pointee.data) {
        $0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)[plane]!
      }
      let stride = withUnsafeBytes(of: frame.pointer.pointee.linesize) {
        Int($0.bindMemory(to: Int32.self)[plane])
      }
      for y in 0..<2 {
        for (x, number) in row.enumerated() {
          let bits = name.hasSuffix("be") ? number.bitPattern.bigEndian : number.bitPattern
          UnsafeMutableRawPointer(data).storeBytes(
            of: bits, toByteOffset: y * stride + x * 4, as: UInt32.self)
        }
      }
    }
    return frame
  }

  private func light(
    _ name: String, _ numbers: [[Float]], codec: AVCodecID = AV_CODEC_ID_EXR
  ) throws -> Frame {
    let parameters = try check(avcodec_parameters_alloc(), "avcodec_parameters_alloc", "test")
    defer {
      var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
      avcodec_parameters_free(&parameters)
    }
    parameters.pointee.codec_id = codec
    var conversion = FrameConversion(
      name: name, parameters: parameters, orientation: .upright, overrides: ColorTags(),
      streamAspectRatio: .zero)
    return try conversion.frame(floats(name, numbers), time: .zero, duration: nil)
  }

  private func numbers(_ frame: Frame, plane: Int) -> [UInt16] {
    let bytes = frame.packed(plane: plane)
    let row = bytes.count / 2
    return stride(from: row, to: 2 * row, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
  }

  @Test("light is coded by sRGB's formula to 16 bits", arguments: ["grayf32le", "grayf32be"])
  func formula(name: String) throws {
    var lights: [Float] = (0...2000).map { Float($0) / 2000 }
    lights += [-1, 1.5, .infinity, -.infinity, .nan, 1e-30]
    let frame = try light(name, [lights])
    #expect(frame.format.pixelFormat == .gray16le && frame.format.color.transfer == 13)
    for (light, code) in zip(lights, numbers(frame, plane: 0)) {
      let clamped = light > 0 ? min(Double(light), 1) : 0
      let coded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * pow(clamped, 1 / 2.4) - 0.055
      #expect(abs(Double(code) - coded * 65535) <= 1, "\(light): \(code)")
    }
  }

  @Test("alpha is divided out of the colours of EXR, but not of other files")
  func alpha() throws {
    // Green, blue, red, alpha, in the order of FFmpeg's planes.
    let parts: [[Float]] = [[0.25, 1, 0.1], [0, 0, 0], [0.5, 0.5, 0.5], [0.5, 1, 0]]
    let straight = try light("gbrapf32le", parts, codec: AV_CODEC_ID_PFM)
    let multiplied = try light("gbrapf32le", parts)
    #expect(multiplied.format.pixelFormat == .gbrap16le)
    #expect(numbers(multiplied, plane: 3) == [32768, 65535, 0])
    // Light of 0.5 has code 48190, 0.25 has 35199, 0.1 has 22886.
    for (frame, red, green) in [
      (straight, [48190, 48190, 48190], [35199, 65535, 22886]),
      (multiplied, [65535, 48190, 48190], [48190, 65535, 22886]),
    ] {
      for (plane, expected) in [(2, red), (0, green), (1, [0, 0, 0])] {
        for (code, wanted) in zip(numbers(frame, plane: plane), expected) {
          #expect(abs(Int(code) - wanted) <= 40, "\(code) for \(wanted)")
        }
      }
    }
  }

  @Test("XYZ of digital cinema becomes the same RGB as with ffmpeg")
  func cinema() throws {
    let path = folder.file("a.nut")
    try ffmpeg(RareColorTests.bars + ["-pix_fmt", "xyz12le", "-c:v", "rawvideo", path])
    let frame = try #require(try ReadSource(path).frames.first)
    #expect(frame.format.pixelFormat == .gbrp16le && frame.format.color == .sRGB)
    #expect(difference(try colors(frame), try converted(path)) < 1.0 / 65000)
    // It also equals the source image, except white, whose Z is above the largest code.
    let source = folder.file("a.png")
    try ffmpeg(RareColorTests.bars + ["-pix_fmt", "rgb24", source])
    #expect(difference(try colors(frame), try converted(source)) < 11.0 / 255)
  }

  @Test("a sensor mosaic becomes RGB of equal depth", arguments: ["bayer_rggb8", "bayer_gbrg16le"])
  func mosaic(format: String) throws {
    let isDeep = format.hasSuffix("16le")
    // Red 200, green 100, blue 40 in each group.
    let group = isDeep ? [[100, 40], [200, 100]] : [[200, 100], [100, 40]]
    let bytes = (0..<8).flatMap { y in
      (0..<16).flatMap { x -> [UInt8] in
        let code = UInt8(group[y % 2][x % 2])
        return isDeep ? [code, code] : [code]
      }
    }
    let raw = try folder.write(bytes, to: "a.raw")
    let path = folder.file("a.nut")
    try ffmpeg(
      "-f", "rawvideo", "-pix_fmt", format, "-s", "16x8", "-i", raw, "-c:v", "copy", path)
    let read = try ReadSource(path)
    let frame = try #require(read.frames.first)
    #expect(frame.format.pixelFormat == (isDeep ? .gbrp16le : .rgb0))
    let expected = (0..<128).flatMap { _ in [200.0 / 255, 100.0 / 255, 40.0 / 255] }
    #expect(difference(try colors(frame), expected) < 1e-6)
    #expect(read.description.notices.contains { $0.message.contains("mosaic of a sensor") })
  }

  @Test("a YCgCo tag is used, with the RGB's primaries and transfer", arguments: ["pc", "tv"])
  func greenAndOrange(range: String) throws {
    let path = folder.file("a.mkv")
    try ffmpeg(
      RareColorTests.bars + [
        "-vf", "format=yuv444p,setparams=colorspace=ycgco:range=\(range)", "-c:v", "libx264", path,
      ])
    let color = try #require(try ReadSource(path).frames.first).format.color
    #expect(color.matrix == .yCgCo && color.range == (range == "pc" ? .full : .limited))
    #expect(color.primaries == 1 && color.transfer == 13)
  }
}
