import Encode
import Frames
import Recorder

/// The progress of a recording as a line for a terminal, and its end as a summary.
struct ProgressLine {
  let progress: RecordingProgress
  /// Expected total of frames and of seconds, if known.
  var frameCount: Int?
  var duration: Rational?

  /// The completed part, 0 to 1, if the length is known; by frames if possible, else by time.
  var fraction: Double? {
    let done: Double
    if let frameCount, frameCount > 0 {
      done = Double(progress.framesOut) / Double(frameCount)
    } else if let duration, duration > .zero {
      done = (progress.time / duration).doubleValue
    } else {
      return nil
    }
    return min(max(done, 0), 1)
  }

  /// Output frames per wall-clock second.
  var framesPerSecond: Double? {
    progress.elapsed > 0 ? Double(progress.framesOut) / progress.elapsed : nil
  }

  /// Seconds of output per wall-clock second.
  var speed: Double? {
    progress.elapsed > 0 ? progress.time.doubleValue / progress.elapsed : nil
  }

  /// Processor cores in use, on average.
  var cores: Double? {
    progress.elapsed > 0 ? progress.processorTime / progress.elapsed : nil
  }

  /// Remaining wall-clock seconds, if the length is known.
  var remaining: Double? {
    fraction.flatMap { $0 > 0 ? progress.elapsed * (1 - $0) / $0 : nil }
  }

  /// The line, at most `columns - 1` characters (some terminals would wrap at the last column); the
  /// least important parts are left out first.
  func text(columns: Int) -> String {
    let frames = frameCount.map { "\(progress.framesOut)/\($0)" } ?? "\(progress.framesOut)"
    // In the order of the line; the part with the highest rank is removed first.
    var parts: [(text: String, rank: Int)] = []
    if let fraction { parts.append((percent(fraction), 0)) }
    parts.append(("\(frames) frames", 1))
    if fraction == nil { parts.append((clock(progress.time.doubleValue, decimals: 1), 2)) }
    if let framesPerSecond { parts.append((tenths(framesPerSecond) + " fps", 4)) }
    if let speed { parts.append((hundredths(speed) + "x", 5)) }
    if let remaining { parts.append((clock(remaining) + " left", 3)) }
    if progress.dropped > 0 { parts.append(("\(progress.dropped) dropped", 6)) }
    if progress.duplicated > 0 { parts.append(("\(progress.duplicated) duplicated", 7)) }
    if progress.outputs.count > 1 {
      for output in progress.outputs {
        let dropped = output.dropped > 0 ? " (\(output.dropped) dropped)" : ""
        parts.append(("\(visible(output.name)): \(output.frames)\(dropped)", 8))
      }
    }
    while parts.count > 1, joined(parts).count >= columns {
      if let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }) {
        parts.remove(at: least)
      }
    }
    return String(joined(parts).prefix(max(columns - 1, 0)))
  }

  /// The last lines, one for each output: "out.mov: 132 frames in, 132 out, 0 dropped, 0 duplicated,
  /// 0:05.28, ..."; none for an existing output that was kept, which a warning has reported.
  ///
  /// For a live source, whose rate is its own, they show the cost of keeping up instead: "0.58 cores,
  /// 0.52 s from source to file (0.66 at most)". Outputs after the first show only their own values.
  static func summary(_ end: RecordingResult, isLive: Bool = false) -> [String] {
    let made = end.outputs.filter { $0.report != nil }
    return made.enumerated().compactMap { place, output in
      output.report.map { report in
        "\(report.output): "
          + ProgressLine.parts(
            report, of: end, isFirst: place == 0, dropped: output.dropped, isLive: isLive
          ).joined(separator: ", ")
      }
    }
  }

  private static func frameText(_ count: Int) -> String {
    count == 1 ? "1 frame" : "\(count) frames"
  }

  private static func parts(
    _ report: SinkReport, of end: RecordingResult, isFirst: Bool, dropped: Int, isLive: Bool
  ) -> [String] {
    let line = ProgressLine(progress: end.progress)
    var parts: [String] = []
    if isFirst {
      parts = [
        "\(frameText(end.progress.framesIn)) in", "\(report.frames) out",
        "\(end.progress.dropped) dropped", "\(end.progress.duplicated) duplicated",
      ]
    } else {
      parts = [frameText(report.frames), "\(dropped) dropped"]
    }
    parts.append(clock(report.duration.doubleValue, decimals: 2))
    if isLive {
      if isFirst, let cores = line.cores { parts.append(hundredths(cores) + " cores") }
      if let latency = report.latency {
        parts.append(
          "\(hundredths(latency.mean)) s from source to \(latency.median == nil ? "file" : "window") "
            + "(\(hundredths(latency.longest)) at most)")
      }
    } else if isFirst, let rate = line.framesPerSecond {
      parts.append(tenths(rate) + " fps")
    }
    if let bytes = report.bytes { parts.append(byteText(bytes)) }
    if report.isVerified { parts.append("read back") }
    if isFirst, end.predictedTimes > 0 {
      parts.append("\(end.predictedTimes) timestamps predicted")
    }
    return parts
  }

  private func joined(_ parts: [(text: String, rank: Int)]) -> String {
    parts.map(\.text).joined(separator: "  ")
  }
}

private func percent(_ fraction: Double) -> String {
  // Rounded down: only a complete recording shows 100%.
  let whole = "\(Int(fraction * 100))%"
  return String(repeating: " ", count: max(0, 4 - whole.count)) + whole
}

private func tenths(_ value: Double) -> String { fixed(value, decimals: 1) }
private func hundredths(_ value: Double) -> String { fixed(value, decimals: 2) }

/// Formats a number that is not negative with this number of decimals.
func fixed(_ value: Double, decimals: Int) -> String {
  let unit = (0..<decimals).reduce(1) { power, _ in power * 10 }
  let units = Int((min(max(value, 0), 1e12) * Double(unit)).rounded())
  let rest = String(units % unit)
  guard decimals > 0 else { return "\(units)" }
  return "\(units / unit)." + String(repeating: "0", count: decimals - rest.count) + rest
}

/// Formats seconds as `M:SS` or `H:MM:SS`, with this number of decimals.
func clock(_ seconds: Double, decimals: Int = 0) -> String {
  let unit = (0..<decimals).reduce(1) { power, _ in power * 10 }
  let units = Int((min(max(seconds, 0), 1e9) * Double(unit)).rounded())
  let whole = units / unit
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  var text = whole >= 3600 ? "\(whole / 3600):\(two(whole / 60 % 60))" : "\(whole / 60)"
  text += ":" + two(whole % 60)
  if decimals > 0 {
    let rest = String(units % unit)
    text += "." + String(repeating: "0", count: decimals - rest.count) + rest
  }
  return text
}

/// Formats bytes in powers of ten: "812 B", "4.1 MB".
func byteText(_ bytes: Int64) -> String {
  var (value, unit) = (Double(bytes), "B")
  for next in ["kB", "MB", "GB", "TB"] where value >= 999.95 {
    (value, unit) = (value / 1000, next)
  }
  return unit == "B" ? "\(bytes) B" : tenths(value) + " " + unit
}
