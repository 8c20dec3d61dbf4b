import FFmpegHandles
import Frames

/// Writes a movie as several files, each of which can be played alone: at a limit, or when hardware fails.
///
/// Each file has an encoder of its own: its first frame is a key frame with every codec, and no frame of
/// another file is needed to decode it. Encoded audio goes on from file to file.
final class SplitMovieSink: FailureNoting {
  private let names: SplitNames
  /// Opens a file with a name; the decision says how it is encoded.
  private let openPart: (String, EncoderDecision) throws -> MovieSink
  private var decision: EncoderDecision
  private let notify: @Sendable (Notice) -> Void
  private let hasEditList: Bool
  private let isLive: Bool
  /// Where files end; nil if only a failure ends one.
  private var rule: SplitRule?
  /// The file that is written, and those before it whose audio has not all come.
  private var parts: [SplitPart]
  private var closing: [ClosingPart] = []
  private var finished: [SinkReport] = []
  /// Number of the newest file.
  private var number = 1
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

  /// Opens the first file; with a limit of nil there is only one, as long as hardware does not fail.
  init(
    _ names: SplitNames, limit: SplitLimit?, container: Container, decision: EncoderDecision,
    request: SinkRequest, audioSettings: AudioSettings
  ) throws {
    var request = request
    let path = names.path(1)
    // Chapters and subtitles are by the times of the whole.
    if limit != nil { (request.contents, request.subtitles) = (nil, []) }
    audio = try MovieAudio(
      request, settings: audioSettings, container: container, output: path)
    request.codedAudio = audio.streams
    request.audio = []
    streams = request.codedAudio
    audioEnds = Array(repeating: nil, count: streams.count)
    (self.names, self.decision, notify) = (names, decision, request.notice)
    hasEditList = container.has(.editLists)
    isLive = request.isLive
    rule = limit.map {
      SplitRule($0, heldFrames: decision.plan.heldFrames(isLive: request.isLive))
    }
    openPart = { [request] name, decision in
      var request = request
      if limit == nil, name != path {
        // Nobody was asked whether another file may be replaced.
        request.replacesExisting = false
        request.frameHashes = request.frameHashes.map { SplitNames($0).path(2) }
      }
      let sink = try MovieSink(
        name: name, container: container, destination: .file(name), decision: decision,
        request: request)
      if case .size = limit { sink.packetBytes = [] }
      return sink
    }
    let first = try openPart(path, decision)
    encoderRefusals = first.encoderRefusals
    notices = first.notices + audio.notices.filter { $0.id == .outputAudioEncoded }
    parts = [SplitPart(first, start: .zero, isFirst: true, hasEditList: hasEditList)]
  }

  var encoderName: String? { parts.last?.sink.encoderName }
  let notices: [Notice]
  let encoderRefusals: [String]

  func write(_ frame: Frame) throws {
    try noteFailure {
      try checkClosed()
      guard let current = parts.last else { return }
      if rule?.cuts(
        before: frame.time, frames: current.frames, packets: current.sink.packetBytes ?? [],
        audio: current.audioBytes) == true
      {
        try begin(at: frame.time)
      }
      try onEncoder { try parts.last?.write(frame) }
      // Frames that are not written may yet begin another file.
      try passAudio(upTo: parts.last?.firstUnwritten ?? frame.time)
      closeParts(at: frame.time)
    }
  }

  func write(_ packet: CompressedPacket) throws { waiting.append(packet) }

  func write(subtitle packet: CompressedPacket) throws {
    guard rule == nil, let part = parts.last else { return }
    let time = packet.time - part.start
    guard time + packet.duration > .zero else { return }
    try noteFailure { try part.sink.write(subtitle: packet.moved(to: max(time, .zero))) }
  }

  func write(_ block: AudioBlock) throws {
    try noteFailure { try audio.encode(block) { waiting.append($0) } }
  }

  private func begin(at time: Rational) throws {
    parts.last?.end(at: time)
    // A file waits here for the end of the one before it, so that on a full disk no frame is missing between
    // two files; a live source cannot wait.
    if !isLive || decision.fallback != nil {
      try drainHardware()
      if !isLive { try parts.last?.sink.drain() }
      rule?.note(whole: parts.last?.sink.packetBytes ?? [])
    }
    number += 1
    try openNext(at: time)
  }

  /// Opens the file with the current number, which goes on from a time.
  private func openNext(at time: Rational) throws {
    let isFirst = number == 1
    let part = SplitPart(
      try openPart(names.path(number), decision), start: time, isFirst: isFirst,
      hasEditList: hasEditList)
    if let name = part.sink.recoveredName { recovered.append(name) }
    parts.append(part)
    for packet in recent { try give(packet, to: part) }
  }

  /// Runs calls of the newest file's encoder; if its hardware fails, another file goes on.
  private func onEncoder(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let failure as HardwareFailure {
      try goOn(after: failure)
    }
  }

  /// Takes every packet out of the newest file's hardware; what takes over, if it fails, may be hardware that fails too.
  private func drainHardware() throws {
    var drained: SplitPart?
    while decision.fallback != nil, let part = parts.last, part !== drained {
      try onEncoder { try part.sink.drain() }
      drained = part
    }
  }

  /// Lets the same hardware go on with copies, if it has read frames where the GPU has them, and else the processor.
  ///
  /// Ends the newest file before the first frame whose packet was not written, and encodes the frames from there on in
  /// another one: parameter sets cannot change within a track. A file without a frame is begun again.
  private func goOn(after failure: HardwareFailure) throws {
    guard let old = parts.last, let plan = decision.fallback else { throw failure }
    let frames = old.unwritten
    let end = old.end
    let reason = FFmpegError.reason(failure.code)
    let sharing = decision.plan.sharing
    // A driver may open memory, and only then find that it cannot encode from there.
    var copies = failure.isOfSharedFrame && sharing.reason == nil
    if copies {
      sharing.stop(because: "\(failure.encoder) stopped working on them (\(reason))")
    } else {
      decision = EncoderDecision(plan: plan)
    }
    guard let start = frames.first?.time else { return }
    let hasFrames = old.sink.hasFrames
    if hasFrames {
      old.end(at: start)
      number = names.next(after: number)
    } else {
      parts.removeLast()
      old.sink.abandon()
    }
    let newStart = hasFrames ? start : old.start
    do {
      try openNext(at: newStart)
    } catch {
      guard copies else { throw error }
      // The hardware does not even begin again.
      copies = false
      decision = EncoderDecision(plan: plan)
      try openNext(at: newStart)
    }
    let name = names.path(number)
    notify(
      Notice(
        .outputHardware, name,
        """
        \(failure.encoder) stopped working (\(reason)); \(copies ? "it goes on with copies of the frames" : "the processor goes on")\
        \(hasFrames ? " in \(name)" : ""), and no frame is lost
        """
      ))
    for frame in frames { try onEncoder { try parts.last?.write(frame) } }
    if let end { parts.last?.end(at: end) }
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
    guard let time, parts.last?.sink.hasFrames ?? true else { return }
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
          try drainHardware()
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
        if rule != nil, let fault = report.shortfall { throw EncodeError(fault.message) }
      }
    }
    parts = []
    guard let first = finished.first else {
      throw closingFailure ?? failure
        ?? EncodeError("\(names.path(1)): not one frame was encoded; check the input")
    }
    // Without a limit the first file is the output, and what it says is already known.
    let isOne = rule == nil && finished.count == 1
    var report = isOne ? first : SinkReport(joining: finished)
    report.recovered = recovered
    report.shortfall =
      closingFailure.map { Notice(.outputUnfinished, first.output, "\($0)") }
      ?? finished.lazy.compactMap(\.shortfall).first
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

struct SplitNames {
  /// The name of the first file, if it has no number.
  private let first: String?
  private let pattern: SequencePattern

  /// Numbered names, from 1.
  init(_ pattern: SequencePattern) { (first, self.pattern) = (nil, pattern) }

  /// The name of a file, and numbered ones from 2 for those that follow it.
  init(_ path: String) {
    first = path
    pattern =
      SequencePattern(splitting: path) ?? SequencePattern(prefix: path + "-", suffix: "", width: 3)
  }

  func path(_ number: Int) -> String {
    number == 1 ? first ?? pattern.path(1) : pattern.path(number)
  }

  /// The next number; of names that the user has not chosen, one that no file has.
  func next(after number: Int) -> Int {
    guard first != nil else { return number + 1 }
    func isFree(_ number: Int) -> Bool {
      let path = path(number)
      return [path, OutputPath.partial(of: path)].allSatisfy { FileIdentity(at: $0) == nil }
    }
    return (number + 1...number + 1000).first(where: isFree) ?? number + 1
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
