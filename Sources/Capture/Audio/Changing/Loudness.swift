import FFmpegHandles
import Frames
import Glibc

/// The loudness of audio by EBU R128, as libavfilter's `ebur128` measures it.
struct Loudness {
  /// Integrated loudness in LUFS; the filter gives -70 for silence, and for less than 0.4 seconds.
  let integrated: Double
  /// Loudness range in LU.
  let range: Double
  /// The highest true peak in dBTP.
  let peak: Double

  /// The highest true peak that a normalized source may have, in dBTP, as R128 asks for.
  private static let highestPeak = -1.0
  /// What `ebur128` calls silence, in LUFS.
  private static let silence = -70.0

  /// Measures the part of a source that a request asks for, by reading all of its audio.
  static func ofTracks(
    _ request: SourceRequest, name: String
  ) throws(CaptureError) -> [Loudness] {
    guard request.canBeOpenedAgain, !request.kind.isLive else {
      throw CaptureError(
        "--normalize reads its input twice, and \(name) can be read only once; leave out --normalize",
        isUsageError: true)
    }
    var plain = request
    plain.sound.loudness = nil
    (plain.sound.volume, plain.sound.volumeCurve) = (1, nil)
    plain.sound.form = { _ in .samples }
    // Another speed changes no loudness; the number of frames is then that of the result.
    if !plain.retiming.isPlain { plain = plain.ofPart }
    plain.retiming = Retiming()
    // The audio of a number of frames ends with them.
    plain.skipsFrames = plain.frames == nil && request.range == nil
    (plain.feedsEffects, plain.isPaced, plain.admits) = (false, false, nil)
    plain.arrangement = PictureArrangement()
    let source = try openSource(plain)
    var meters: [LoudnessMeter] = []
    for format in source.description.audio { meters.append(try LoudnessMeter(format, name: name)) }
    guard !meters.isEmpty else {
      throw CaptureError("the audio of \(name) cannot be decoded, so its loudness is not known")
    }
    while let sample = try source.next() {
      guard case .audio(let block) = sample else { continue }
      try meters[block.track].add(block)
    }
    var tracks: [Loudness] = []
    for meter in meters { tracks.append(Loudness(try meter.end())) }
    guard request.interruption.isInterrupted || !tracks.allSatisfy(\.isSilent) else {
      throw CaptureError(
        "\(name) is silent, or shorter than 0.4 seconds, so it cannot be brought to a loudness; leave out --normalize"
      )
    }
    return tracks
  }

  /// Takes what `ebur128` measured, by its names.
  private init(_ values: [String: Double]) {
    integrated = values["lavfi.r128.I"] ?? Self.silence
    range = values["lavfi.r128.LRA"] ?? 0
    peak = 20 * log10(max(values["lavfi.r128.true_peak"] ?? 0, 1e-5))
  }

  /// Whether it has no loudness that a gain could change.
  var isSilent: Bool { integrated <= Self.silence }

  /// Whether its peaks allow the one gain to a loudness, in LUFS.
  func fits(_ target: Double) -> Bool { peak + target - integrated <= Self.highestPeak }

  /// The filter that brings audio of this loudness to another one, in LUFS, by one gain if its peaks allow it.
  ///
  /// Otherwise the gain stays, and only the peaks are held down, at four times the rate, where true peaks are seen. (`loudnorm` by
  /// itself then follows the loudness, and takes a click for a loud part: a quiet clip with clicks became 5 dB quieter.)
  func filter(to target: Double) -> String {
    guard fits(target) else {
      let limit = pow(10, Self.highestPeak / 20)
      return "volume=volume=\(target - integrated)dB:precision=float,aresample=192000,"
        + "alimiter=limit=\(limit):level=disabled:attack=2:release=50:latency=1"
    }
    // A measured range or threshold of 0 means to the filter that nothing was measured.
    return "loudnorm=I=\(target):LRA=50:TP=\(Self.highestPeak):linear=true:measured_I=\(integrated)"
      + ":measured_LRA=\(max(range, 0.01)):measured_TP=\(peak):measured_thresh=\(integrated - 10)"
  }
}

/// A running `ebur128`.
private final class LoudnessMeter {
  private var graph: AudioFilterGraph
  private let name: String

  init(_ format: AudioFormat, name: String) throws(CaptureError) {
    graph = try explained(LoudnessMeter.refusal(name)) { () throws(FFmpegError) in
      try AudioFilterGraph("ebur128=metadata=1:peak=true", from: format, to: format)
    }
    self.name = name
  }

  private static func refusal(_ name: String) -> (FFmpegError) -> String {
    { "the loudness of \(name) cannot be measured: \($0)" }
  }

  func add(_ block: AudioBlock) throws(CaptureError) {
    try explained(LoudnessMeter.refusal(name)) { () throws(FFmpegError) in
      try graph.add(block)
      try graph.take { _, _, _ in }
    }
  }

  /// Returns what was measured, by FFmpeg's names.
  func end() throws(CaptureError) -> [String: Double] {
    try explained(LoudnessMeter.refusal(name)) { () throws(FFmpegError) in
      try graph.end()
      try graph.take { _, _, _ in }
    }
    return graph.measured
  }
}

extension SourceRequest {
  /// Makes the filters that change the sound of each of some tracks, as FFmpeg writes them; nil for none.
  func soundFilters(of name: String, tracks: Range<Int>) throws(CaptureError) -> [String?] {
    let volume = sound.volume == 1 ? nil : "volume=volume=\(sound.volume):precision=float"
    guard let target = sound.loudness else { return tracks.map { _ in volume } }
    let all = try Loudness.ofTracks(self, name: name)
    let measured = all.indices.contains(tracks.upperBound - 1) ? Array(all[tracks]) : all
    let loud = tracks.filter {
      all.indices.contains($0) && !all[$0].isSilent && !all[$0].fits(target)
    }
    if let first = loud.first {
      let track = all.count > 1 ? "audio track \(first + 1) of \(name)" : name
      notice(
        Notice(
          .sourceAudio, name,
          """
          one gain that brings \(track) to \(target) LUFS would raise its peaks above -1 dBTP, so they are held down, and it may \
          stay below that loudness
          """))
    }
    return measured.map { loudness in
      let filters = [loudness.isSilent ? nil : loudness.filter(to: target), volume]
      let wanted = filters.compactMap(\.self)
      return wanted.isEmpty ? nil : wanted.joined(separator: ",")
    }
  }
}
