import FFmpegHandles
import Frames

/// Writes a movie as several files, each of which can be played alone.
///
/// Each file has an encoder of its own: its first frame is a key frame with every codec, and no frame of
/// another file is needed to decode it. Encoded audio goes on from file to file.
final class SplitMovieSink: FailureNoting, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MediaSink requires.
  private let pattern: SequencePattern
  private let openPart: (String) throws -> MovieSink
  private let hasEditList: Bool
  private let isLive: Bool
  private var rule: SplitRule
  /// The file that is written, and those before it whose audio has not all come.
  private var parts: [SplitPart]
  private var closing: [ClosingPart] = []
  private var finished: [SinkReport] = []
  /// Number of the newest file.
  private var number = 1
  private let notedFirst: [Notice]
  private var recovered: [String] = []
  var failure: (any Error)?
  /// Why a file was not completed, if `write` did not throw it.
  private var closingFailure: (any Error)?

  private let audio: MovieAudio
  private let streams: [CompressedStream]
  /// Audio that ends after the latest frame: which file it belongs to is not known yet.
  private var waiting: [CompressedPacket] = []
  /// Audio that the next file may begin with.
  private var recent: [CompressedPacket] = []
  /// Up to where the audio of each stream has come, in seconds.
  private var audioEnds: [Rational?]

  /// Longest time in seconds that a file waits for audio of its time.
  private static let longestWait = Rational(10)
  /// Most files that wait for it, because each of them holds an encoder.
  private static let mostWaiting = 3
  /// Files that may be completed at once; a disk that needs longer makes the recording wait.
  private static let mostClosing = 2

  /// Opens the first file.
  ///
  /// - Parameters:
  ///   - pattern: The names of the files, numbered from 1.
  ///   - limit: The limit of each file.
  ///   - container: The container of the files.
  ///   - decision: How frames are encoded.
  ///   - request: The request for the movie.
  ///   - audioSettings: How audio is encoded.
  /// - Throws: If the first file cannot be written; then nothing is left behind.
  init(
    _ pattern: SequencePattern, limit: SplitLimit, container: Container, decision: EncoderDecision,
    request: SinkRequest, audioSettings: AudioSettings
  ) throws {
    var request = request
    // Chapters and subtitles are by the times of the whole.
    (request.contents, request.subtitles) = (nil, [])
    audio = try MovieAudio(
      request, settings: audioSettings, container: container, output: pattern.path(1))
    request.codedAudio = audio.streams
    request.audio = []
    streams = request.codedAudio
    audioEnds = Array(repeating: nil, count: streams.count)
    self.pattern = pattern
    hasEditList = container.isMovieFamily
    isLive = request.isLive
    rule = SplitRule(limit, heldFrames: decision.plan.heldFrames(isLive: request.isLive))
    openPart = { [request] path in
      let sink = try MovieSink(
        name: path, container: container, destination: .file(path), decision: decision,
        request: request)
      if case .size = limit { sink.packetBytes = [] }
      return sink
    }
    let first = try openPart(pattern.path(1))
    encoderRefusals = first.encoderRefusals
    notedFirst = first.notices + audio.notices.filter { $0.id == .outputAudioEncoded }
    parts = [SplitPart(first, start: .zero, isFirst: true, hasEditList: hasEditList)]
  }

  var encoderName: String? { parts.last?.sink.encoderName }
  var notices: [Notice] { notedFirst }
  let encoderRefusals: [String]

  func write(_ frame: Frame) throws {
    try noteFailure {
      try checkClosed()
      guard let current = parts.last else { return }
      if rule.cuts(
        before: frame.time, frames: current.frames, packets: current.sink.packetBytes ?? [],
        audio: current.audioBytes)
      {
        try begin(at: frame.time)
      }
      try parts.last?.write(frame)
      try passAudio(upTo: frame.time)
      closeParts(at: frame.time)
    }
  }

  func write(_ packet: CompressedPacket) throws { waiting.append(packet) }

  func write(_ block: AudioBlock) throws {
    try noteFailure { try audio.encode(block) { waiting.append($0) } }
  }

  /// Begins the next file with a frame.
  private func begin(at time: Rational) throws {
    parts.last?.end(at: time)
    // A file waits here for the end of the one before it, so that on a full disk no frame is missing between
    // two files; a live source cannot wait.
    if !isLive, let sink = parts.last?.sink {
      try sink.drain()
      rule.note(whole: sink.packetBytes ?? [])
    }
    let path = pattern.path(number + 1)
    let part = SplitPart(
      try openPart(path), start: time, isFirst: false, hasEditList: hasEditList)
    number += 1
    if let name = part.sink.recoveredName { recovered.append(name) }
    parts.append(part)
    for packet in recent { try give(packet, to: part) }
  }

  /// Gives audio that ends by a time to the files that it belongs to; nil gives all.
  private func passAudio(upTo time: Rational?) throws {
    var rest: [CompressedPacket] = []
    for packet in waiting {
      let end = packet.time + packet.duration
      guard time.map({ end <= $0 }) ?? true else {
        rest.append(packet)
        continue
      }
      for part in parts { try give(packet, to: part) }
      recent.append(packet)
      if audioEnds.indices.contains(packet.streamIndex) { audioEnds[packet.streamIndex] = end }
    }
    waiting = rest
    guard let time else { return }
    recent.removeAll { $0.time + $0.duration < time - Rational(1) }
  }

  private func give(_ packet: CompressedPacket, to part: SplitPart) throws {
    guard streams.indices.contains(packet.streamIndex) else { return }
    try part.take(packet, of: streams[packet.streamIndex])
  }

  /// Completes the files whose audio has all come.
  private func closeParts(at time: Rational) {
    while parts.count > 1, let end = parts[0].end {
      let isWhole = audioEnds.allSatisfy { $0.map { $0 >= end } ?? false }
      guard isWhole || parts.count > Self.mostWaiting + 1 || time >= end + Self.longestWait else {
        return
      }
      closing.append(ClosingPart(parts.removeFirst().sink))
    }
  }

  private func checkClosed() throws {
    if let failure = closing.lazy.compactMap(\.failure).first { throw failure }
    while closing.count > Self.mostClosing { try take(closing.removeFirst()) }
  }

  private func take(_ part: ClosingPart) throws {
    if let report = try part.report() { finished.append(report) }
  }

  func finish() throws -> SinkReport {
    do {
      if failure == nil {
        try noteFailure {
          try audio.finish { waiting.append($0) }
          try passAudio(upTo: nil)
        }
      }
    } catch {
      closingFailure = error
    }
    for part in closing {
      noteClosing { try take(part) }
      if let fault = part.failure { noteClosing { throw fault } }
    }
    closing = []
    for part in parts {
      // A file that no frame came into, because the disk is full.
      guard part.frames > 0 || finished.isEmpty else {
        part.sink.abandon()
        continue
      }
      noteClosing {
        let report = try part.sink.finish()
        finished.append(report)
        if let fault = report.shortfall { throw EncodeError(fault.message) }
      }
    }
    parts = []
    guard let first = finished.first else {
      throw closingFailure ?? failure
        ?? EncodeError("\(pattern.path(1)): not one frame was encoded; check the input")
    }
    var report = SinkReport(joining: finished)
    report.recovered = recovered
    report.shortfall = closingFailure.map { Notice(.outputUnfinished, first.output, "\($0)") }
    return report
  }

  private func noteClosing(_ body: () throws -> Void) {
    do { try body() } catch {
      // The first failure says why; `write` may have thrown it.
      if failure == nil { closingFailure = closingFailure ?? error }
    }
  }

  func abandon() {
    for part in closing { _ = try? part.report() }
    for part in parts { part.sink.abandon() }
    (closing, parts) = ([], [])
  }
}

extension SinkReport {
  /// The report of a movie in several files.
  fileprivate init(joining parts: [SinkReport]) {
    let names = parts.map(\.output)
    let name = names.count > 1 ? "\(names[0]) to \(names[names.count - 1])" : names[0]
    let frames = parts.reduce(0) { $0 + $1.frames }
    let measured = parts.compactMap { part in part.latency.map { ($0, Double(part.frames)) } }
    let weight = measured.reduce(0) { $0 + $1.1 }
    self.init(
      output: name, frames: frames, bytes: parts.reduce(0) { $0 + ($1.bytes ?? 0) },
      duration: parts.reduce(.zero) { $0 + $1.duration },
      latency: measured.isEmpty
        ? nil
        : Latency(
          mean: measured.reduce(0) { $0 + $1.0.mean * $1.1 } / weight,
          longest: measured.map(\.0.longest).max() ?? 0))
    damagedAudio = parts.reduce(0) { $0 + $1.damagedAudio }
    leftOutAudio = parts.map(\.leftOutAudio).max() ?? 0
    self.parts = parts
  }
}
