import Frames

/// Shows the frames of a recording while they are made, in a way that another module knows: a window.
///
/// Beside outputs that keep frames it may miss frames, and it may fail without harm to them.
public protocol FrameView: Sendable {
  /// The name for messages: "the window".
  var name: String { get }
  /// Frames should come with their originals, the frames before the effects; any thread may ask.
  var wantsOriginals: Bool { get }
  /// Whether frames come at their own pace; false for a view that waits for each frame's time itself.
  var needsPace: Bool { get }
  /// Records what is shown; nil if the view is beside outputs that keep frames.
  var movies: MovieSwitch? { get }

  /// Opens the view; throws an `ExplainedError` if it cannot.
  func open(_ request: SinkRequest) throws -> sending any MediaSink
}

extension FrameView {
  public var needsPace: Bool { true }
}

struct ViewOutput: OutputTarget {
  let view: any FrameView
  private var pixelFormat = PixelFormat.yuv420p

  init(_ view: any FrameView) { self.view = view }

  var place: OutputPlace { .nowhere }
  var preference: PixelPreference { .anything }
  /// A movie of what is shown has the audio too.
  var takesAudio: Bool { view.movies != nil || !view.needsPace }
  var isPaced: Bool { view.needsPace }
  /// A file that is recorded beside it is made as fast as possible; the view shows some of its frames.
  var pacesFiles: Bool { false }
  var holdsAlpha: Bool { true }

  mutating func settle(_ settings: EncodeSettings) {
    pixelFormat = settings.pixelFormat ?? pixelFormat
  }

  func frameFormat(_ picture: FrameDescription) -> FrameFormat { picture.video(pixelFormat) }

  func open(_ request: SinkRequest, name: String) throws -> sending any MediaSink {
    let sink = try view.open(request)
    return view.movies.map { SwitchedSink(sink, $0, request: request) } ?? sink
  }
}
