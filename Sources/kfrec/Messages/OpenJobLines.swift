import Synchronization

/// The lines of the Open Job Description, by which render farms follow a task on its standard output.
///
/// Any thread may call it.
final class OpenJobLines: Sendable {
  private struct State {
    var percent = -1.0
    var time = -Double.infinity
  }

  private let stream: StandardStream
  private let state = Mutex(State())

  init(_ stream: StandardStream) { self.stream = stream }

  /// Writes the part that is done, from 0 to 1, at most once a second, and only if it changed; `now` is in seconds.
  func progress(_ fraction: Double, now: Double) {
    let percent = (min(max(fraction, 0), 1) * 1000).rounded(.down) / 10
    state.withLock { state in
      guard percent > state.percent, now - state.time >= 1 && !stream.isBehind || percent == 100
      else { return }
      (state.percent, state.time) = (percent, now)
      write("progress", fixed(percent, decimals: 1))
    }
  }

  /// Writes what is being done; a lasting sentence also if the reader is far behind.
  func status(_ sentence: String, isLasting: Bool = true) {
    write("status", sentence, isLasting: isLasting)
  }

  func fail(_ sentence: String) { write("fail", sentence) }

  private func write(_ word: String, _ text: String, isLasting: Bool = true) {
    // A message is one line.
    let line = visible(text).split(whereSeparator: \.isNewline).joined(separator: " ")
    stream.write("openjd_\(word): \(line)\n", isLasting: isLasting)
  }
}
