import CFFmpeg
import FFmpegHandles
import Frames

/// Writes an animated WebP.
///
/// libwebp compresses each image against those before it, and gives the file in one piece at the end: until then
/// it is in memory, and there is nothing on the disk that could be recovered.
final class WebPSink: FailureNoting {
  private let channel: OutputChannel
  private var encoder: VideoEncoder
  private var clock: TickClock
  private var end: FrameExtent
  private var durations: FrameDurations
  private var first: Int64?
  private var request: SinkRequest
  private let colors: PictureColors?
  private let format: FrameFormat
  var failure: (any Error)?

  /// Opens the encoder and the file; if it throws, no file remains.
  init(name: String, path: String, plan: EncoderPlan, request: SinkRequest) throws {
    encoder = try VideoEncoder(plan, globalHeader: false)
    channel = try OutputChannel(.file(path), name: name, isStopped: request.isStopped)
    clock = TickClock(timeBase: plan.timeBase)
    end = FrameExtent(frameRate: plan.frameRate)
    durations = FrameDurations(timeBase: plan.timeBase, frameRate: plan.frameRate)
    (self.request, format, colors) = (request, plan.format, PictureColors(plan.format))
  }

  var encoderName: String? { encoder.name }

  var notices: [Notice] {
    var common = channel.notices + [colors?.notice(channel.name)].compactMap(\.self)
    if format.sampleAspectRatio != .one {
      common.append(
        Notice(
          .outputLeftOut, channel.name,
          "\(channel.name) cannot say that its pixels are not square (\(format.sampleAspectRatio)), and viewers show "
            + "another shape; --size gives square ones"))
    }
    guard request.isLive else { return common }
    return common + [
      Notice(
        .outputAtEnd, channel.name,
        "\(channel.name) is written when the recording ends, and nothing of it survives a crash: record a .mkv "
          + "and make the WebP of it if the recording cannot be repeated")
    ]
  }

  func write(_ frame: Frame) throws {
    try noteFailure {
      let ticks = clock.ticks(of: frame.time)
      if first == nil, let own = frame.photo {
        request.photo = own.corrected(width: format.width, height: format.height)
      }
      first = first ?? ticks
      try encoder.send(frame, ticks: ticks)
      durations.enter(ticks, duration: frame.duration)
      end.note(frame)
      // The encoder gives nothing before its end, but it takes no frame before it was asked.
      _ = try encoder.receive()
    }
  }

  func finish() throws -> SinkReport {
    do {
      guard end.frames > 0, let last = clock.last else {
        throw EncodeError("\(channel.name): not one frame was encoded; check the input")
      }
      try encoder.drain()
      guard let packet = try encoder.receive() else {
        throw EncodeError("\(channel.name): libwebp cannot put the images together")
      }
      var file = Array(
        UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
      WebPFile.setTimes(
        in: &file, plays: request.plays, length: last - (first ?? last) + durations.leave(last))
      WebPFile.tellAlpha(in: &file)
      let photo = request.photo
      if let notice = photo.notice(channel.name, of: "WebP") { request.notice(notice) }
      if !photo.isEmpty || colors != nil {
        file = photo.placed(
          in: file, profile: colors?.profile ?? [], size: (format.width, format.height),
          hasAlpha: format.pixelFormat.layout.alpha != nil)
      }
      guard channel.writer.takeRoom(for: Int64(file.count)) else {
        throw EncodeError.cannotWrite(channel.name, channel.writer.failure)
      }
      avio_write(channel.writer.context, file, Int32(file.count))
      channel.writer.flush()
      try channel.checkWritten()
      let bytes = try channel.complete(replacing: request.replacesExisting)
      var report = SinkReport(
        output: channel.name, frames: end.frames, bytes: bytes, duration: end.time)
      report.canBeRead = end.frames == 1
      return report
    } catch {
      // What the disk holds is no WebP, and no part of one can be shown.
      channel.abandon()
      throw error
    }
  }

  func abandon() { channel.abandon() }
}

/// The container of WebP: RIFF chunks with sizes of four bytes, lower byte first (RFC 9649, 2.3 to 2.7).
private enum WebPFile {
  /// Sets how often an animation is shown, and for how many milliseconds in all, in place.
  ///
  /// libwebp gives the last image the mean of the durations before it, and makes one image of frames that are
  /// equal, the last ones too. A file of one image has no times.
  static func setTimes(in file: inout [UInt8], plays: Int, length: Int64) {
    var position = 12
    var lastImage: Int?
    var shownBefore: Int64 = 0
    while position + 8 <= file.count {
      let size = number(in: file, at: position + 4, bytes: 4)
      switch String(decoding: file[position..<position + 4], as: UTF8.self) {
      case "ANIM" where position + 14 <= file.count:
        // After the colour of the background.
        store(plays, in: &file, at: position + 12, bytes: 2)
      case "ANMF" where position + 24 <= file.count:
        if let lastImage {
          shownBefore += Int64(number(in: file, at: lastImage + durationOffset, bytes: 3))
        }
        lastImage = position
      default: break
      }
      position += 8 + size + size % 2
    }
    if let lastImage {
      let rest = min(max(length - shownBefore, 1), 0xFF_FFFF)
      store(Int(rest), in: &file, at: lastImage + durationOffset, bytes: 3)
    }
  }

  /// Says in the head that the file has alpha, if one of its images has, or if some of the canvas has no image; libwebp asks
  /// only some of them.
  static func tellAlpha(in file: inout [UInt8]) {
    guard file.count > 30, file[12...].starts(with: "VP8X".utf8), file[20] & 0x10 == 0 else {
      return
    }
    if hasAlpha(file) { file[20] |= 0x10 }
  }

  private static func hasAlpha(_ file: [UInt8]) -> Bool {
    var position = 30
    // Before the first image, and where one was taken away, the canvas is transparent.
    var isClear = true
    let canvas = [number(in: file, at: 24, bytes: 3), number(in: file, at: 27, bytes: 3)]
    while position + 32 <= file.count {
      let size = number(in: file, at: position + 4, bytes: 4)
      if file[position...].starts(with: "ANMF".utf8) {
        let size = [14, 17].map { number(in: file, at: position + $0, bytes: 3) }
        if isClear, size != canvas { return true }
        isClear = file[position + 23] & 1 != 0
        // The image follows a head of 16 bytes: alpha of its own, or a lossless image that says so in its 29th bit.
        let image = file[(position + 24)...]
        if image.starts(with: "ALPH".utf8)
          || image.starts(with: "VP8L".utf8) && image.count > 12 && file[position + 36] & 0x10 != 0
        {
          return true
        }
      }
      position += 8 + size + size % 2
    }
    return false
  }

  /// After the head of the chunk, and place and size of the image with three bytes each.
  private static let durationOffset = 20

  private static func number(in file: [UInt8], at position: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(file[position + $1]) << (8 * $1) }
  }

  private static func store(_ value: Int, in file: inout [UInt8], at position: Int, bytes: Int) {
    for byte in 0..<bytes {
      file[position + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }
}
