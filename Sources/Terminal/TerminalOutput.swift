package import Encode
import Frames
import Synchronization
package import Window

/// A terminal as an output of a recording: it shows the newest finished frame with what the terminal can, and
/// has the keys of a window.
///
/// While it is shown, sentences and the progress for people go through it, because they would lie over the
/// picture.
package final class TerminalOutput: FrameView {
  /// Does what the keys say, and has the messages for the picture.
  let keys: WindowOutput
  /// How to draw; nil for the best that the terminal can.
  let style: TerminalStyle?
  private let state = Mutex(State())

  private struct State {
    var device: TerminalDevice?
    weak var feed: ViewFeed?
    /// Sentences for the terminal that the picture covers.
    var kept: [String] = []
    /// The newest of all sentences, and when they came.
    var notes: [(text: String, time: MonotonicTime)] = []
    var progress = ""
  }

  /// How long a sentence is shown below the picture, in seconds.
  private static let noteTime = 8.0
  private static let noteCount = 3

  /// - Parameters:
  ///   - keys: A window that is never opened; its actions and parameters are those of the terminal's keys.
  ///   - style: How to draw; nil for the best that the terminal can.
  package init(_ keys: WindowOutput, style: TerminalStyle?) {
    (self.keys, self.style) = (keys, style)
  }

  package var name: String { "the terminal" }
  package var wantsOriginals: Bool { false }
  package var movies: MovieSwitch? { keys.movies }

  /// Opens the terminal, on a thread of its own.
  package func open(_ request: SinkRequest) throws -> sending any MediaSink {
    let (feed, device) = (ViewFeed(), try TerminalDevice())
    // From now on a signal that ends the program restores it.
    state.withLock { ($0.feed, $0.device) = (feed, device) }
    do {
      let thread = try WorkerThread(.terminal) { TerminalLoop.run(self, feed: feed, on: device) }
      return ViewSink(name, ViewThread(feed, thread), frameRate: request.frameRate)
    } catch {
      restore()
      throw error
    }
  }

  /// Shows a sentence, without an end of line, below the picture for a while; any thread may call it.
  ///
  /// With `keeping` the sentence is for the same terminal, and is kept for `takeKept`. Returns whether it is kept; otherwise
  /// the picture is not shown, or need not be spared.
  package func tell(_ sentence: String, keeping: Bool) -> Bool {
    let feed = state.withLock { state -> ViewFeed? in
      guard state.device != nil else { return nil }
      state.notes = (state.notes + [(sentence, .now)]).suffix(Self.noteCount)
      if keeping { state.kept.append(sentence) }
      return state.feed
    }
    feed?.wakeUp()
    return feed != nil && keeping
  }

  /// Shows the progress in the last row; returns whether there is a picture that has such a row.
  package func show(progress: String) -> Bool {
    state.withLock { state in
      state.progress = progress
      return state.device != nil
    }
  }

  /// Takes the sentences that were kept while the picture covered the terminal; none while it does.
  package func takeKept() -> [String] {
    state.withLock { state in
      guard state.device == nil else { return [] }
      defer { state.kept = [] }
      return state.kept
    }
  }

  /// Makes the terminal what it was before; any thread may call it, also if it is not open.
  ///
  /// - Parameter writingKept: Whether what was kept is written too, because the program ends now.
  package func restore(writingKept: Bool = false) {
    let (device, kept) = state.withLock { state -> (TerminalDevice?, [String]) in
      defer { state.device = nil }
      guard writingKept, state.device != nil else { return (state.device, []) }
      defer { state.kept = [] }
      return (state.device, state.kept)
    }
    // Not to standard error, which would wait for a terminal that does not read.
    device?.restore(andWrite: kept.map { $0 + "\n" }.joined())
  }

  /// The progress, and the sentences that are shown now.
  var texts: (notes: [String], progress: String) {
    let now = MonotonicTime.now
    return state.withLock { state in
      state.notes.removeAll { now.seconds(since: $0.time) > Self.noteTime }
      return (state.notes.map(\.text), state.progress)
    }
  }
}
