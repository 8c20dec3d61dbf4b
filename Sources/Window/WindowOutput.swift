package import Encode
package import Frames
package import GPU
import Synchronization

/// A window as an output of a recording: it shows the newest finished frame.
package final class WindowOutput: FrameView {
  /// What the window's keys do beyond the window itself.
  package struct Actions: Sendable {
    /// Pauses or resumes; returns whether the recording is paused then.
    package let togglePause: @Sendable () -> Bool
    /// Ends the recording, which is completed.
    package let stop: @Sendable () -> Void
    /// Shows the effect that is this many places further in the list of effects; returns its name, or why
    /// there is none.
    package let changeEffect: @Sendable (_ offset: Int) -> String
    /// Doubles the speed of the source this many times, or halves it; returns what to show.
    package let changeSpeed: @Sendable (_ steps: Int) -> String
    /// Asks for the next camera; returns what to show.
    package let nextCamera: @Sendable () -> String
    /// Tells the effects where the pointer is while its button is down.
    package let point: @Sendable (WindowPointer) -> Void
    /// Saves the frame that the window shows, without waiting for it.
    package let saveStill: @Sendable (Frame) -> Void
    /// Tells the person a sentence.
    package let say: @Sendable (String) -> Void

    package init(
      togglePause: @escaping @Sendable () -> Bool, stop: @escaping @Sendable () -> Void,
      changeEffect: @escaping @Sendable (_ offset: Int) -> String,
      changeSpeed: @escaping @Sendable (_ steps: Int) -> String,
      nextCamera: @escaping @Sendable () -> String,
      point: @escaping @Sendable (WindowPointer) -> Void,
      saveStill: @escaping @Sendable (Frame) -> Void, say: @escaping @Sendable (String) -> Void
    ) {
      (self.togglePause, self.stop, self.saveStill, self.say) = (togglePause, stop, saveStill, say)
      (self.changeEffect, self.changeSpeed, self.point) = (changeEffect, changeSpeed, point)
      self.nextCamera = nextCamera
    }
  }

  let title: String
  let scale: ScaleMode
  let gpu: GPUPreference
  package let actions: Actions
  package let parameters: (any WindowParameters)?
  package let movies: MovieSwitch?
  private let player = Mutex<(any WindowPlayback)?>(nil)
  private let state = Mutex(State())

  /// What other threads want the window to show.
  private struct State: Sendable {
    var isComparing = false
    var message: String?
    var news: (text: String, time: MonotonicTime)?
    weak var feed: ViewFeed?
  }

  /// - Parameters:
  ///   - title: The title of the window.
  ///   - scale: How frames of another shape are fitted into it.
  ///   - gpu: The GPU that draws in it.
  ///   - actions: What its keys do.
  ///   - parameters: What else its keys change; nil for nothing.
  ///   - movies: Records what is shown; nil beside outputs that keep frames.
  package init(
    title: String, scale: ScaleMode, gpu: GPUPreference, actions: Actions,
    parameters: (any WindowParameters)? = nil, movies: MovieSwitch? = nil
  ) {
    (self.title, self.scale, self.gpu, self.actions) = (title, scale, gpu, actions)
    self.parameters = parameters
    self.movies = movies
  }

  package var name: String { "the window" }
  /// What plays the frames, for keys that act on it; nil if nobody does.
  ///
  /// It is set before the window is open.
  package var playback: (any WindowPlayback)? {
    get { player.withLock { $0 } }
    set { player.withLock { $0 = newValue } }
  }
  package var wantsOriginals: Bool { state.withLock { $0.isComparing } }

  /// Whether frames before and after the effects are shown side by side.
  var isComparing: Bool {
    get { state.withLock { $0.isComparing } }
    set { state.withLock { $0.isComparing = newValue } }
  }

  /// Lines that lie over the picture until others do; nil for none.
  ///
  /// Any thread may set them, also before the window is open.
  package var message: String? {
    get { state.withLock { $0.message } }
    set { change { $0.message = newValue } }
  }

  /// How long news are shown, in seconds.
  private static let newsTime = 4.0

  /// A sentence that is shown for some seconds; nil if there is none now.
  ///
  /// Any thread may set it.
  package var news: String? {
    get {
      let news = state.withLock { $0.news }
      return news.flatMap {
        MonotonicTime.now.seconds(since: $0.time) < Self.newsTime ? $0.text : nil
      }
    }
    set { change { $0.news = newValue.map { ($0, .now) } } }
  }

  /// Changes what other threads want the window to show, and wakes its thread.
  private func change(_ body: (inout State) -> Void) {
    let feed = state.withLock { state in
      body(&state)
      return state.feed
    }
    feed?.wakeUp()
  }

  /// Opens the window, on a thread of its own.
  package func open(_ request: SinkRequest) throws -> sending any MediaSink {
    let thread = try ViewThread(self, format: request.format)
    state.withLock { $0.feed = thread.feed }
    return ViewSink(name, thread, frameRate: request.frameRate)
  }
}

/// Where the pointer is in the picture.
package struct WindowPointer: Sendable, Equatable {
  /// What the button does.
  package enum Button: Sendable { case pressed, held, released }

  /// 0 at the left, 1 at the right.
  package let x: Double
  /// 0 at the bottom, 1 at the top.
  package let y: Double
  package let button: Button
}
