import CFFmpeg
import FFmpegHandles
import Frames

extension OutputKind {
  static func image(in format: ImageFileFormat) -> OutputKind {
    OutputKind(
      words: "name\(format.ending)", summary: "one frame as \(format.name)"
    ) { word throws(EncodeError) in
      guard format.isNamed(by: word) else { return nil }
      try word.path.checkPlace()
      return ImageOutput(format: format, destination: .file(word.path.target))
    }
  }
}

/// A place for image files; what it takes follows from their format, and from a requested pixel format.
protocol ImageTarget: OutputTarget {
  var format: ImageFileFormat { get }
  /// One of the format's requestable pixel formats, if it was requested.
  var requested: PixelFormat? { get set }
}

extension ImageTarget {
  var preference: PixelPreference { requested.map { .format($0) } ?? .picture(format.pixels) }
  var holdsAlpha: Bool { (requested ?? format.alphaPixelFormat)?.layout.alpha != nil }
  var holdsFieldOrder: Bool { false }
  var holdsTransfer: Bool { false }
  func nearest(to contents: PixelContents, hasAlpha: Bool) -> PixelFormat? {
    contents.nearest(of: format.requestable, hasAlpha: hasAlpha && format.alphaPixelFormat != nil)
  }

  mutating func settle(_ settings: EncodeSettings) throws(EncodeError) {
    guard let asked = settings.pixelFormat else { return }
    guard format.requestable.contains(asked) else {
      throw EncodeError(
        "a \(format.name) has no pixels of \(asked.rawValue): use --pixel-format "
          + format.requestable.map(\.rawValue).joined(separator: " or ") + ", or leave it out",
        isUsageError: true)
    }
    requested = asked
  }

  func frameFormat(_ frame: FrameDescription) -> FrameFormat {
    format.frameFormat(frame, requested: requested)
  }
}

struct ImageOutput: ImageTarget {
  let format: ImageFileFormat
  let destination: Destination
  var requested: PixelFormat?

  var place: OutputPlace { .single(destination) }
  var frameLimit: Int? { 1 }
  var nameForAllFrames: String? { format.sequenceName }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    try ImageSink(name: name, destination: destination, format: format, request: request)
  }
}

/// Writes one frame as an image file.
final class ImageSink: MediaSink {
  private let format: ImageFileFormat
  private let channel: OutputChannel
  private var encoder: VideoEncoder
  private var end: FrameExtent
  private var latency = LatencyMeter()
  private let request: SinkRequest
  private let colors: PictureColors?

  /// Opens the encoder and the file; if it throws, no file remains.
  init(
    name: String, destination: Destination, format: ImageFileFormat, request: SinkRequest
  ) throws {
    encoder = try VideoEncoder(try format.plan(request), globalHeader: false)
    (self.format, self.request) = (format, request)
    channel = try OutputChannel(destination, name: name, isStopped: request.isStopped)
    end = FrameExtent(frameRate: request.frameRate)
    colors = PictureColors(request.format)
  }

  var encoderName: String? { encoder.name }

  var notices: [Notice] { channel.notices + [colors?.notice(channel.name)].compactMap(\.self) }

  /// Throws on a second frame, which the file cannot hold.
  func write(_ frame: Frame) throws {
    guard end.frames == 0 else {
      throw EncodeError(
        "\(channel.name) holds one image, but more frames have come: "
          + "number the images with a name such as \(format.sequenceName), or ask for one "
          + "frame with --frames 1")
    }
    latency.enter(0, captured: frame.captured)
    try encoder.send(frame, ticks: 0)
    try encoder.drain()
    let photo =
      frame.photo?.corrected(width: frame.format.width, height: frame.format.height)
      ?? request.photo
    if let notice = photo.notice(channel.name, of: format.name) { request.notice(notice) }
    while let packet = try encoder.receive() {
      guard !photo.isEmpty else {
        avio_write(channel.writer.context, packet.pointee.data, packet.pointee.size)
        continue
      }
      let picture = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
      let file = photo.placed(in: picture, of: format)
      avio_write(channel.writer.context, file, Int32(file.count))
    }
    channel.writer.flush()
    try channel.checkWritten()
    channel.noteFootage()
    latency.leave(0)
    end.note(frame)
  }

  func finish() throws -> SinkReport {
    do {
      guard end.frames > 0 else {
        try channel.checkWritten()
        throw EncodeError("\(channel.name): not one frame has come; check the input")
      }
      let bytes = try channel.complete(replacing: request.replacesExisting)
      return SinkReport(
        output: channel.name, frames: 1, bytes: bytes, duration: end.time, latency: latency.latency)
    } catch {
      throw channel.keepPartial(after: error)
    }
  }

  func abandon() { channel.abandon() }
}
