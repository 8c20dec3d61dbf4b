import Capture
package import Encode
import Frames

/// How an output is read back before it counts as done.
package enum Verification: Sendable {
  /// The whole file is decoded.
  case full
  /// The index is read, and the last part is decoded.
  case fast
  case off
}

/// Reads an output back before it counts as done.
package struct OutputCheck {
  private let path: String
  private let report: SinkReport
  private let verification: Verification
  /// Seconds before the end that `fast` decodes: at least one group of pictures of most encoders.
  private static let tail = Rational(2)

  /// Checks a file, or numbered images by their pattern.
  package init(path: String, report: SinkReport, verification: Verification) {
    (self.path, self.report, self.verification) = (path, report, verification)
  }

  /// Reads the output; throws a sentence if it is not what was encoded.
  package func run() throws {
    guard verification != .off, report.canBeRead else { return }
    var request = SourceRequest(input: path)
    request.isOnlyChecked = true
    // Other recordings keep the other processors busy, and threads of a decoder cost memory.
    request.decoderThreads = 1
    // The last frame may be shown for longer than the tail.
    let last = report.times?.last ?? report.duration
    let isFast = verification == .fast && last > Self.tail
    if isFast { request.start = last - Self.tail }
    // Images of an earlier run may have higher numbers.
    if SequencePattern(path) != nil { request.frames = report.frames }
    let source = try openSource(request)
    var (frames, end) = (0, Rational.zero)
    var first: Rational?
    var times = report.times.map { TimesDigest(timeBase: $0.timeBase) }
    while let sample = try source.next() {
      guard case .frame(let frame) = sample else { continue }
      frames += 1
      end = frame.time
      let zero = first ?? frame.time
      first = zero
      times?.add(frame.time - zero)
      if frames == request.frames { break }
    }
    if let incomplete = source.report.incomplete { throw differs(incomplete) }
    guard source.report.damaged == 0 else {
      throw differs("has \(source.report.damaged) damaged frames or packets")
    }
    if isFast {
      guard frames > 0, end >= last - Self.tail else {
        throw differs("ends before its \(report.duration.doubleValue) seconds")
      }
    } else {
      guard frames == report.frames else {
        throw differs("gives \(frames) frames, and \(report.frames) were encoded")
      }
      guard times == report.times else {
        throw differs("gives its \(frames) frames at other times than they were encoded with")
      }
    }
  }

  private func differs(_ problem: String) -> RecorderError {
    RecorderError("\(path) is not what was encoded: it \(problem); see whether its disk is sound")
  }
}

extension RecordingResult {
  /// Reads the outputs that are files back, and says which of them are not what was encoded.
  mutating func verify(_ outputs: OutputSet, _ verification: Verification) {
    guard verification != .off else { return }
    for place in self.outputs.indices {
      guard let report = self.outputs[place].report,
        report.canBeRead, outputs.canBeReadBack(self.outputs[place].name)
      else { continue }
      do {
        for file in report.parts.isEmpty ? [report] : report.parts {
          try OutputCheck(path: file.output, report: file, verification: verification).run()
        }
        self.outputs[place].report?.isVerified = true
      } catch {
        let notice = Notice(.outputDiffers, self.outputs[place].name, "\(error)")
        self.outputs[place].incomplete = self.outputs[place].incomplete ?? notice
        incomplete = incomplete ?? notice
      }
    }
  }
}
