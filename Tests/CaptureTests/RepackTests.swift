import CFFmpeg
import FFmpegHandles
import Frames
import Testing

@testable import Capture

@Suite("Repacked layouts")
struct RepackTests {
  /// Every FFmpeg layout that the GPU does not take and that fits into a format of the GPU.
  private static let sources: [String] = {
    var names: [String] = []
    var descriptor = av_pix_fmt_desc_next(nil)
    while let known = descriptor {
      let format = av_pix_fmt_desc_get_id(known)
      let name = String(cString: known.pointee.name)
      // Versions of FFmpeg count their bits from either end (pixdesc.c), and none has anything that makes them.
      guard name != "xv30be", name != "v30xbe" else {
        descriptor = av_pix_fmt_desc_next(known)
        continue
      }
      let isDirect = PixelFormat(format).map { $0 != .rgb24 } ?? false
      if !isDirect, PixelFormat(holding: format) != nil {
        names.append(name)
      }
      descriptor = av_pix_fmt_desc_next(known)
    }
    return names
  }()

  /// Makes a frame of the format whose bytes are noise, the same each time.
  private func noise(_ format: AVPixelFormat, _ width: Int, _ height: Int) throws -> AVFrameHandle {
    let frame = try AVFrameHandle()
    frame.pointer.pointee.format = format.rawValue
    frame.pointer.pointee.width = Int32(width)
    frame.pointer.pointee.height = Int32(height)
    try check(av_frame_get_buffer(frame.pointer, 0), "av_frame_get_buffer", "noise")
    var state: UInt32 = 12345
    for index in 0..<4 {
      let buffers = withUnsafeBytes(of: frame.pointer.pointee.buf) {
        $0.bindMemory(to: UnsafeMutablePointer<AVBufferRef>?.self)[index]
      }
      guard let buffer = buffers else { continue }
      for byte in 0..<Int(buffer.pointee.size) {
        state = state &* 1_664_525 &+ 1_013_904_223
        buffer.pointee.data[byte] = UInt8(state >> 24)
      }
    }
    return frame
  }

  /// Returns a component's sample as `AVComponentDescriptor` defines it, bit by bit.
  private func number(
    _ frame: borrowing AVFrameHandle, _ descriptor: AVPixFmtDescriptor, part: Int, x: Int, y: Int
  ) -> Int {
    var descriptor = descriptor
    let component = withUnsafeBytes(of: &descriptor.comp) {
      $0.bindMemory(to: AVComponentDescriptor.self)[part]
    }
    let data = withUnsafeBytes(of: frame.pointer.pointee.data) {
      $0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)[Int(component.plane)]!
    }
    let stride = withUnsafeBytes(of: frame.pointer.pointee.linesize) {
      Int($0.bindMemory(to: Int32.self)[Int(component.plane)])
    }
    let row = data + y * stride
    let (step, offset) = (Int(component.step), Int(component.offset))
    if descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0 {
      return (0..<Int(component.depth)).reduce(0) { value, bit in
        let place = x * step + offset + bit
        return value << 1 | Int(row[place / 8]) >> (7 - place % 8) & 1
      }
    }
    let place = row + x * step + offset
    // A component of 8 bits or less in a big-endian word lies in the other byte of the offset's pair.
    let isBig = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
    let bits = Int(component.shift) + Int(component.depth)
    let word: Int
    if bits <= 8 {
      word = Int(isBig && step > 1 && component.plane == 0 ? (place + 1).pointee : place.pointee)
    } else if bits <= 16 {
      word = isBig ? Int(place[0]) << 8 | Int(place[1]) : Int(place[1]) << 8 | Int(place[0])
    } else {
      word =
        isBig
        ? (0..<4).reduce(0) { $0 << 8 | Int(place[$1]) }
        : (0..<4).reduce(0) { $0 | Int(place[$1]) << (8 * $1) }
    }
    return word >> Int(component.shift) & (1 << Int(component.depth) - 1)
  }

  private func stored(_ frame: Frame, _ component: PixelLayout.Component, x: Int, y: Int) -> Int {
    let plane = frame.format.pixelFormat.layout.planes[component.plane]
    let bytes = frame.pixels.bytes(ofPlane: component.plane)
    let place =
      y / plane.subsamplingY * frame.pixels.planes[component.plane].stride
      + x / plane.subsamplingX * plane.bytesPerTexel + component.channel * plane.bytesPerChannel
    return plane.bytesPerChannel == 1
      ? Int(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
      : Int(bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt16.self))
  }

  private func converted(_ noise: consuming AVFrameHandle) throws -> Frame {
    let parameters = try check(avcodec_parameters_alloc(), "avcodec_parameters_alloc", "test")
    defer {
      var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
      avcodec_parameters_free(&parameters)
    }
    var conversion = FrameConversion(
      name: "noise", parameters: parameters, orientation: .upright, overrides: ColorTags(),
      streamAspectRatio: .zero)
    return try conversion.frame(noise, time: .zero, duration: nil)
  }

  @Test("every sample value is kept", arguments: sources.filter { $0 != "pal8" })
  func exact(name: String) throws {
    let (width, height) = (13, 7)
    let format = av_get_pix_fmt(name)
    let descriptor = try #require(av_pix_fmt_desc_get(format)).pointee
    let frame = try converted(try noise(format, width, height))
    let original = try noise(format, width, height)
    let layout = frame.format.pixelFormat.layout
    let parts = Int(descriptor.nb_components)
    let hasAlpha = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    var wrong = 0
    for y in 0..<height {
      for x in 0..<width {
        var pairs = layout.components.enumerated().map { (parts < 3 ? 0 : $0, $1) }
        if let alpha = layout.alpha { pairs.append((hasAlpha ? parts - 1 : -1, alpha)) }
        for (part, component) in pairs {
          let value = stored(frame, component, x: x, y: y)
          if part < 0 {
            if value != layout.maximumCode { wrong += 1 }
            continue
          }
          let isChroma = layout.model == .yCbCr && (part == 1 || part == 2)
          let from = withUnsafeBytes(of: descriptor.comp) {
            Int($0.bindMemory(to: AVComponentDescriptor.self)[part].depth)
          }
          var expected = number(
            original, descriptor, part: part, x: isChroma ? x >> Int(descriptor.log2_chroma_w) : x,
            y: isChroma ? y >> Int(descriptor.log2_chroma_h) : y)
          let top = 1 << from - 1
          if name == "monow" { expected = top - expected }
          expected =
            layout.model == .yCbCr && part != 3
            ? expected << (layout.depth - from)
            : Int((Double(expected) * Double(layout.maximumCode) / Double(top)).rounded())
          if value != expected { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0, "\(name) as \(frame.format.pixelFormat)")
  }

  @Test("a palette layout keeps the palette's colours and alpha")
  func palette() throws {
    let frame = try converted(try noise(AV_PIX_FMT_PAL8, 13, 7))
    let original = try noise(AV_PIX_FMT_PAL8, 13, 7)
    #expect(frame.format.pixelFormat == .rgba)
    let picture = original.pointer.pointee
    let (indexes, palette) = (try #require(picture.data.0), try #require(picture.data.1))
    let expected = (0..<7).flatMap { y in
      (0..<13).flatMap { x -> [UInt8] in
        // 0xAARRGGBB in the machine's byte order.
        let entry = palette + Int(indexes[y * Int(picture.linesize.0) + x]) * 4
        return [entry[2], entry[1], entry[0], entry[3]]
      }
    }
    #expect(frame.packed(plane: 0) == expected)
  }

  @Test(
    "a layout is converted to the nearest format that holds it",
    arguments: [
      ("bgr24", PixelFormat.rgb0), ("rgb24", .rgb0), ("rgb565le", .rgb0), ("rgb48be", .gbrp16le),
      ("rgba64be", .rgba64le), ("x2rgb10le", .gbrp10le), ("gbrp14le", .gbrp16le),
      ("gbrap12le", .rgba64le), ("pal8", .rgba), ("ya8", .rgba), ("ya16be", .rgba64le),
      ("monow", .gray), ("monob", .gray), ("gray16be", .gray16le), ("gray9le", .gray10le),
      ("yuv420p10be", .yuv420p10le), ("yuv440p10le", .yuv444p10le), ("yuv422p16be", .yuv422p16le),
      ("uyyvyy411", .yuv411p), ("nv20le", .yuv422p10le), ("p210le", .yuv422p10le),
      ("p410le", .yuv444p10le), ("y210le", .yuv422p10le), ("yuva422p9le", .yuva422p10le),
      ("yuv420p9le", .yuv420p10le), ("yuv420p14le", .yuv420p16le),
    ])
  func nearest(name: String, target: PixelFormat) {
    #expect(PixelFormat(holding: av_get_pix_fmt(name)) == target)
  }

  @Test(
    "a layout that fits into no format is refused by name",
    arguments: ["vaapi", "cuda"])
  func refused(name: String) {
    let said = #expect(throws: CaptureError.self) {
      try PixelRepack(
        PixelRepack.Source(format: av_get_pix_fmt(name), width: 8, height: 8), name: "a.mkv")
    }
    #expect(said?.description.contains(name) == true)
  }

  @Test("a sensor mosaic of an odd size is refused by name")
  func oddMosaic() {
    let said = #expect(throws: CaptureError.self) {
      try PixelRepack(
        PixelRepack.Source(format: AV_PIX_FMT_BAYER_RGGB8, width: 9, height: 8), name: "a.nut")
    }
    #expect(said?.description.contains("bayer_rggb8") == true)
  }

  @Test("a layout that the GPU takes is not repacked: the pixels are the decoder's own")
  func direct() throws {
    let frame = try noise(AV_PIX_FMT_YUV420P, 32, 16)
    let address = UnsafeRawPointer(frame.pointer.pointee.data.0)
    let pixels = try converted(frame).pixels
    let given = pixels.bytes(ofPlane: 0).withUnsafeBytes { $0.baseAddress }
    #expect(given == address)
  }
}
