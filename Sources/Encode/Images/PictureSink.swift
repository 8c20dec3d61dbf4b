import CFFmpeg
import FFmpegHandles
import Frames

/// Writes one frame as a PNG file.
final class PictureSink: MediaSink, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MediaSink says.
  private let channel: OutputChannel
  private var encoder: VideoEncoder
  private var end: OutputEnd
  private var latency = LatencyMeter()
  private let replacesExisting: Bool

  /// Opens the encoder and the file; nothing is left when it throws.
  init(name: String, destination: Destination, request: SinkRequest) throws {
    encoder = try VideoEncoder(try EncoderPlan.png(request: request), globalHeader: false)
    channel = try OutputChannel(destination, name: name, isStopped: request.isStopped)
    end = OutputEnd(frameRate: request.frameRate)
    replacesExisting = request.replacesExisting
  }

  var encoderName: String? { encoder.name }

  var notices: [Notice] { channel.notices }

  /// Throws on a second frame, which has no place in the file.
  func write(_ frame: Frame) throws {
    guard end.frames == 0 else {
      throw EncodeError(
        "\(channel.name) holds one picture and more have come: "
          + "number them with a name as out-%04d.png, or ask for one with --frames 1")
    }
    latency.enter(0, captured: frame.captured)
    try encoder.send(frame, ticks: 0)
    try encoder.drain()
    while let packet = try encoder.receive() {
      avio_write(channel.writer.context, packet.pointee.data, packet.pointee.size)
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
      let bytes = try channel.complete(replacing: replacesExisting)
      return SinkReport(
        output: channel.name, frames: 1, bytes: bytes, duration: end.time, latency: latency.latency)
    } catch {
      throw channel.keepPartial(after: error)
    }
  }

  func abandon() { channel.abandon() }
}

/// Writes each frame as a PNG file of its own, numbered from 1.
///
/// Every file is whole as soon as it has its name, and stays whatever comes after it.
final class PictureSequenceSink: MediaSink, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MediaSink says.
  private let name: String
  private let pattern: SequencePattern
  private var encoder: VideoEncoder
  private var end: OutputEnd
  private var latency = LatencyMeter()
  private let replacesExisting: Bool
  private var files = 0
  /// The names that were given to pictures which a killed run had left.
  private var recovered: [String] = []
  private var bytes: Int64 = 0
  private var sent: Int64 = 0
  private var hasFailed = false

  init(name: String, pattern: SequencePattern, request: SinkRequest) throws {
    encoder = try VideoEncoder(try EncoderPlan.png(request: request), globalHeader: false)
    self.name = name
    self.pattern = pattern
    end = OutputEnd(frameRate: request.frameRate)
    replacesExisting = request.replacesExisting
  }

  var encoderName: String? { encoder.name }

  func write(_ frame: Frame) throws {
    latency.enter(sent, captured: frame.captured)
    try encoder.send(frame, ticks: sent)
    sent += 1
    end.note(frame)
    try moveOn()
  }

  func finish() throws -> SinkReport {
    if !hasFailed {
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
    do {
      while let packet = try encoder.receive() {
        let ticks = packet.pointee.pts
        try write(picture: packet)
        latency.leave(ticks)
      }
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func write(picture: UnsafeMutablePointer<AVPacket>) throws {
    let path = pattern.path(files + 1)
    // A link is replaced itself, wherever it leads: it may lead to the input.
    if !replacesExisting, FileIdentity(at: path) != nil {
      throw EncodeError("\(path) exists already: overwrite it with -y, or choose another name")
    }
    // Straight into the file: a picture is whole in one packet, and needs no buffer of its own.
    var file = try PartialFile(place: path, name: path)
    if let recovered = file.recovered { self.recovered.append(recovered) }
    let size = Int(picture.pointee.size)
    let code = ByteWriter.write(picture.pointee.data, size, to: file.descriptor)
    guard code == 0 else { throw EncodeError.cannotWrite(path, code) }
    // Not made sure of on the disk one by one: that would wait for the disk with every frame.
    try file.commit(replacing: replacesExisting, synchronously: false)
    bytes += Int64(size)
    files += 1
  }
}
