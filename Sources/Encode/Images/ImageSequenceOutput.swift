import CFFmpeg
import FFmpegHandles
import Frames

extension OutputKind {
  static func images(in format: ImageFileFormat) -> OutputKind {
    OutputKind(
      words: "name-%04d\(format.ending)",
      summary: "one \(format.name) file per frame, numbered from 1"
    ) { word throws(EncodeError) in
      guard format.isNamed(by: word), let pattern = SequencePattern(word.text) else { return nil }
      try OutputPath(pattern.path(1)).checkPlace()
      return ImageSequenceOutput(format: format, pattern: pattern)
    }
  }
}

struct ImageSequenceOutput: ImageTarget {
  let format: ImageFileFormat
  let pattern: SequencePattern
  var requested: PixelFormat?

  var place: OutputPlace { .numbered(pattern) }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    try ImageSequenceSink(name: name, pattern: pattern, format: format, request: request)
  }
}

/// Writes each frame as its own image file, numbered from 1.
///
/// Every file is complete as soon as it has its final name, and stays whatever happens after it.
final class ImageSequenceSink: FailureNoting {
  private let name: String
  private let pattern: SequencePattern
  private var encoder: VideoEncoder
  private var end: FrameExtent
  private var latency = LatencyMeter()
  private let request: SinkRequest
  private let format: ImageFileFormat
  private let colors: PictureColors?
  /// What a camera wrote into the pictures whose images the encoder has not given yet, by their ticks.
  private var photos: [Int64: PhotoData] = [:]
  private var hasToldExcess = false
  private var files = 0
  /// New names of image files that a killed run had left.
  private var recovered: [String] = []
  private var bytes: Int64 = 0
  private var sent: Int64 = 0
  var failure: (any Error)?

  init(
    name: String, pattern: SequencePattern, format: ImageFileFormat, request: SinkRequest
  ) throws {
    encoder = try VideoEncoder(try format.plan(request), globalHeader: false)
    self.name = name
    self.pattern = pattern
    end = FrameExtent(frameRate: request.frameRate)
    (self.format, self.request) = (format, request)
    colors = PictureColors(request.format)
  }

  var encoderName: String? { encoder.name }

  var notices: [Notice] { [colors?.notice(name)].compactMap(\.self) }

  func write(_ frame: Frame) throws {
    latency.enter(sent, captured: frame.captured)
    photos[sent] = frame.photo?.corrected(width: frame.format.width, height: frame.format.height)
    try encoder.send(frame, ticks: sent)
    sent += 1
    end.note(frame)
    try moveOn()
  }

  func finish() throws -> SinkReport {
    if failure == nil {
      try encoder.drain()
      try moveOn()
    }
    guard files > 0 else {
      throw EncodeError("\(name): not one frame has come; check the input")
    }
    var report = SinkReport(
      output: name, frames: files, bytes: bytes, duration: end.time, latency: latency.latency)
    report.recovered = recovered
    return report
  }

  func abandon() {}

  private func moveOn() throws {
    try noteFailure {
      while let packet = try encoder.receive() {
        let ticks = packet.pointee.pts
        try write(picture: packet)
        latency.leave(ticks)
      }
    }
  }

  private func write(picture: UnsafeMutablePointer<AVPacket>) throws {
    let path = pattern.path(files + 1)
    // A link itself is replaced, not its target: the target may be the input.
    if !request.replacesExisting, FileIdentity(at: path) != nil {
      throw EncodeError("\(path) exists already: overwrite it with -y, or choose another name")
    }
    let photo = photos.removeValue(forKey: picture.pointee.pts) ?? request.photo
    if !hasToldExcess, let notice = photo.notice(path, of: format.name) {
      request.notice(notice)
      hasToldExcess = true
    }
    // Written directly to the file: one packet is a whole image, and needs no buffer.
    var file = try PartialFile(place: path, name: path)
    if let recovered = file.recovered { self.recovered.append(recovered) }
    var size = Int(picture.pointee.size)
    let code: Int32
    if photo.isEmpty {
      code = ByteWriter.write(picture.pointee.data, size, to: file.descriptor)
    } else {
      let whole = photo.placed(
        in: UnsafeBufferPointer(start: picture.pointee.data, count: size), of: format)
      size = whole.count
      code = ByteWriter.write(whole, size, to: file.descriptor)
    }
    guard code == 0 else { throw EncodeError.cannotWrite(path, code) }
    // Not synchronized to the disk one by one: every frame would wait for the disk.
    try file.commit(replacing: request.replacesExisting, synchronously: false)
    bytes += Int64(size)
    files += 1
  }
}
