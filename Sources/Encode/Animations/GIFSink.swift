import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// Writes a GIF whose images share one palette, which is made of the colours of all frames.
///
/// The palette is known only after the last frame. Until then the frames are in a lossless movie beside the GIF,
/// which is removed when the GIF is complete: memory does not grow with the length, and a recording that dies
/// leaves frames that can be played.
final class GIFSink: FailureNoting {
  private let channel: OutputChannel
  private let movie: MovieSink
  private let moviePath: String
  private var search: PaletteSearch?
  private let settings: EncodeSettings
  private let request: SinkRequest
  /// The latest frame, which is not in the movie yet: another one may come so soon that it takes its place.
  private var held: (frame: Frame, ticks: Int64)?
  /// The end of the latest frame, in 1/100 s, and its time in the source.
  private var end: Int64 = 0
  private var lastTime: Rational?
  private var latestDuration: Rational
  private var leftOut = 0
  var failure: (any Error)?

  private static let timeBase = Rational(1, 100)
  /// Browsers show an image for 1/10 s that should be shown for less than this, in 1/100 s.
  private static let shortest: Int64 = 2

  /// Opens the encoders and both files; if it throws, no file remains.
  init(name: String, path: String, settings: EncodeSettings, request: SinkRequest) throws {
    (self.settings, self.request) = (settings, request)
    latestDuration = request.frameRate > .zero ? request.frameRate.reciprocal : Rational(1, 25)
    search = try PaletteSearch(request.format)
    _ = try GIFEncoder(
      request.format, frameRate: request.frameRate, options: settings.options)
    channel = try OutputChannel(.file(path), name: name, isStopped: request.isStopped)
    moviePath = GIFSink.freeName(path)
    var movieRequest = request
    (movieRequest.tags, movieRequest.frameHashes) = (MediaTags(), nil)
    movieRequest.replacesExisting = false
    // Version 3 cuts a frame into slices for several threads. FFmpeg 5.1 stores other pixels, or fails, where a slice would have
    // no line or no column; version 1 has no slices.
    let level = min(request.format.width, request.format.height) < 16 ? "1" : "3"
    let plan = EncoderPlan(
      codec: try EncoderCatalog.encoder(named: "ffv1"), format: request.format,
      frameRate: request.frameRate, timeBase: GIFSink.timeBase, threads: request.threads,
      options: [EncoderOption("level", level), EncoderOption("slicecrc", "0")])
    movie = try MovieSink(
      name: moviePath, container: .mkv, destination: .file(moviePath),
      decision: EncoderDecision(plan: plan), request: movieRequest)
  }

  /// Returns a name for the movie that is not taken: by the frames of an earlier run, for example.
  private static func freeName(_ path: String) -> String {
    let names = [path + ".frames.mkv"] + (2...999).map { path + ".frames-\($0).mkv" }
    return names.first { FileIdentity(at: $0) == nil } ?? names[0]
  }

  var encoderName: String? { AnimationFormat.gif.encoder }

  var notices: [Notice] {
    let loss = PictureColors(request.format)?.loss(channel.name)
    return channel.notices + movie.notices + [loss].compactMap(\.self)
  }

  func write(_ frame: Frame) throws {
    try noteFailure {
      var ticks = frame.time.ticks(timeBase: GIFSink.timeBase)
      if let lastTime { latestDuration = max(frame.time - lastTime, GIFSink.timeBase) }
      lastTime = frame.time
      if let held, ticks - held.ticks < GIFSink.shortest {
        // The later one stays longer.
        ticks = held.ticks
        leftOut += 1
      } else {
        try keepHeld()
      }
      held = (frame, ticks)
      let until = frame.time + (frame.duration ?? latestDuration)
      end = max(until.ticks(timeBase: GIFSink.timeBase), ticks + GIFSink.shortest)
    }
  }

  /// Writes the held frame into the movie.
  private func keepHeld() throws {
    guard let (frame, ticks) = held else { return }
    var kept = frame
    kept.time = Rational(ticks) * GIFSink.timeBase
    kept.duration = nil
    try movie.write(kept)
    try search?.add(frame, ticks: ticks)
  }

  func finish() throws -> SinkReport {
    do {
      // After a failure the movie takes no more frames.
      if failure == nil { try keepHeld() }
      let kept = try movie.finish()
      do {
        var report = try makeGIF()
        guard report.frames == kept.frames else {
          throw EncodeError(
            "\(channel.name) holds \(report.frames) images of \(kept.frames) frames; record a .mkv")
        }
        report.leftOutFrames = leftOut
        report.shortfall = kept.shortfall
        unlink(moviePath)
        return report
      } catch {
        channel.forgetFootage()
        throw EncodeError("\(error); \(EncodeError.kept(moviePath))")
      }
    } catch {
      channel.abandon()
      throw error
    }
  }

  private func makeGIF() throws -> SinkReport {
    guard let palette = try search?.palette() else {
      throw EncodeError("\(channel.name): there is no palette")
    }
    search = nil
    let colors = try PaletteUse(palette, for: request.format, dither: settings.dither)
    let encoder = try GIFEncoder(
      request.format, frameRate: request.frameRate, options: settings.options)
    var whole = request
    whole.isLive = false
    var muxer = try MovieMuxer(
      container: .gif, channel: channel, encoder: encoder, request: whole)
    func pass() throws {
      while try colors.receive() {
        try encoder.send(colors.frame.pointer)
        try write(from: encoder, to: &muxer)
      }
    }
    let frames = try KeptFrames(moviePath)
    while try frames.next() {
      try colors.send(frames.frame.pointer)
      try pass()
    }
    try colors.send(nil)
    try pass()
    try encoder.send(nil)
    try write(from: encoder, to: &muxer)
    try muxer.finish(afterFailure: 0, of: encoder)
    let bytes = try channel.complete(replacing: request.replacesExisting)
    return SinkReport(
      output: channel.name, frames: muxer.frames, bytes: bytes, duration: muxer.duration)
  }

  private func write(from encoder: borrowing GIFEncoder, to muxer: inout MovieMuxer) throws {
    while let packet = try encoder.receive() {
      let ticks = packet.pointee.pts
      try muxer.write(video: packet, duration: ticks == held?.ticks ? end - ticks : 1, of: encoder)
    }
  }

  func abandon() {
    movie.abandon()
    channel.abandon()
  }
}
