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
  ///
  /// - Throws: A sentence if it has no audio, cannot be read twice, or is silent.
  init(of request: SourceRequest, name: String) throws(CaptureError) {
    guard request.canBeOpenedAgain, !request.kind.isLive else {
      throw CaptureError(
        "--normalize reads its input twice, and \(name) can be read only once; leave out --normalize",
        isUsageError: true)
    }
    var plain = request
    plain.sound.loudness = nil
    plain.sound.volume = 1
    plain.sound.form = { _ in .samples }
    // Another speed changes no loudness; the number of frames is then that of the result.
    if !plain.retiming.isPlain { (plain.retiming, plain.frames) = (Retiming(), nil) }
    // The audio of a number of frames ends with them.
    plain.skipsFrames = plain.frames == nil && request.range == nil
    (plain.feedsEffects, plain.isPaced, plain.admits) = (false, false, nil)
    plain.arrangement = PictureArrangement()
    let source = try openSource(plain)
    guard let format = source.description.audio.first else {
      throw CaptureError("the audio of \(name) cannot be decoded, so its loudness is not known")
    }
    let track = source.description.bestAudio ?? 0
    let measured =
      source.description.audio.indices.contains(track)
      ? source.description.audio[track] : format
    let meter = try LoudnessMeter(measured, name: name)
    while let sample = try source.next() {
      guard case .audio(let block) = sample, block.track == track else { continue }
      try meter.add(block)
    }
    let values = try meter.end()
    integrated = values["lavfi.r128.I"] ?? Self.silence
    range = values["lavfi.r128.LRA"] ?? 0
    peak = 20 * log10(max(values["lavfi.r128.true_peak"] ?? 0, 1e-5))
    guard !request.interruption.isInterrupted else { return }
    guard integrated > Self.silence else {
      throw CaptureError(
        "\(name) is silent, or shorter than 0.4 seconds, so it cannot be brought to a loudness; leave out --normalize"
      )
    }
  }

  /// The filter that brings audio of this loudness to another one, in LUFS, by one gain if its peaks allow it.
  func filter(to target: Double) -> String {
    // A measured range or threshold of 0 means to the filter that nothing was measured.
    "loudnorm=I=\(target):LRA=50:TP=\(Self.highestPeak):linear=true:measured_I=\(integrated)"
      + ":measured_LRA=\(max(range, 0.01)):measured_TP=\(peak):measured_thresh=\(integrated - 10)"
  }
}

/// A running `ebur128`.
private final class LoudnessMeter {
  private var graph: AudioFilterGraph
  private let name: String

  init(_ format: AudioFormat, name: String) throws(CaptureError) {
    do throws(FFmpegError) {
      graph = try AudioFilterGraph("ebur128=metadata=1:peak=true", from: format, to: format)
    } catch {
      throw LoudnessMeter.refusal(error, name)
    }
    self.name = name
  }

  private static func refusal(_ error: FFmpegError, _ name: String) -> CaptureError {
    CaptureError("the loudness of \(name) cannot be measured: \(error)")
  }

  func add(_ block: AudioBlock) throws(CaptureError) {
    do throws(FFmpegError) {
      try graph.add(block)
      try graph.take { _, _, _ in }
    } catch {
      throw LoudnessMeter.refusal(error, name)
    }
  }

  /// Returns what was measured, by FFmpeg's names.
  func end() throws(CaptureError) -> [String: Double] {
    do throws(FFmpegError) {
      try graph.end()
      try graph.take { _, _, _ in }
    } catch {
      throw LoudnessMeter.refusal(error, name)
    }
    return graph.measured
  }
}

extension SourceRequest {
  /// Makes the filters that change the sound as requested.
  ///
  /// - Parameter name: The source's name in messages.
  /// - Returns: The filters as FFmpeg writes them; nil for none.
  /// - Throws: A sentence for the user.
  func soundFilters(of name: String) throws(CaptureError) -> String? {
    var filters: [String] = []
    if let target = sound.loudness {
      filters.append(try Loudness(of: self, name: name).filter(to: target))
    }
    if sound.volume != 1 { filters.append("volume=volume=\(sound.volume):precision=float") }
    return filters.isEmpty ? nil : filters.joined(separator: ",")
  }
}
