import Capture
import Encode
import Frames

/// Reads an output back before it counts as done.
struct OutputCheck {
  let path: String
  /// What the encoder reported.
  let report: SinkReport
  let verification: Verification
  /// Seconds before the end that `fast` decodes: at least one group of pictures of most encoders.
  private static let tail = Rational(2)

  /// Throws a sentence if the output is not what was encoded.
  func run() throws {
    guard verification != .off, report.canBeRead else { return }
    var request = SourceRequest(input: path)
    request.isOnlyChecked = true
    // Other recordings keep the other processors busy, and threads of a decoder cost memory.
    request.decoderThreads = 1
    let isFast = verification == .fast && report.duration > Self.tail
    if isFast { request.start = report.duration - Self.tail }
    let source = try openSource(request)
    let description = source.description
    if let frames = description.frameCount, !isFast, frames != report.frames {
      throw differs("holds \(frames) frames, and \(report.frames) were encoded")
    }
    var (frames, end) = (0, Rational.zero)
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { continue }
      frames += 1
      end = frame.time
    }
    if let incomplete = source.report.incomplete { throw differs(incomplete) }
    guard source.report.damaged == 0 else {
      throw differs("has \(source.report.damaged) damaged frames or packets")
    }
    if isFast {
      guard frames > 0, end >= report.duration - Self.tail else {
        throw differs("ends before its \(report.duration.doubleValue) seconds")
      }
    } else {
      guard frames == report.frames else {
        throw differs("gives \(frames) frames, and \(report.frames) were encoded")
      }
    }
  }

  private func differs(_ problem: String) -> BatchError {
    BatchError("\(path) is not what was encoded: it \(problem); see whether its disk is sound")
  }
}
