import Frames
import Recorder

/// What a player does next, instead of continuing at its current position.
enum PlayRequest: Sendable, Equatable {
  /// Another place of the source, in seconds as players count them.
  case seek(Rational)
  /// The last frame before a place, and then a pause.
  ///
  /// It is searched from `window` seconds before the place on.
  case stepBack(before: Rational, window: Rational)
  /// Another source of the list.
  case item(Int)
  case quit
}

/// What a player is doing, for all its threads.
struct PlayState: Sendable {
  var session: PlaySession?
  var control: RecordingControl?
  var request: PlayRequest?
  /// The search that the session is for; nil if it plays from its start.
  var search: (before: Rational, window: Rational)?
  var clock = PlayClock()
  var isPaused = false
  /// Frames to show while it is paused.
  var steps = 0
  var speedIndex = PlaySpeed.normal
  var volume = 100
  var isMuted = false
  var isBuffering = false
  var audioTrack: Int?
  /// The stretch that repeats: its begin, and its end once that was given.
  var stretch: (begin: Rational, end: Rational?)?
  var repeats = false
  var shown = Rational.zero
  var length: Rational?
  /// The end that the user has set for the source, in seconds as players count them; nil for its own end.
  var end: Rational?
  var item = 0
  /// The source's bytes are read ahead, so that a wait brings more than a few frames.
  var readsAhead = false
  /// The source can be opened again at another place; a pipe cannot.
  var canSeek = true
  /// How long the pipeline takes, in seconds: frames that would come later than that are left out.
  var lead = 0.0
  /// The window has failed; nothing can be shown any more.
  var failure: (any Error)?
  /// For places of frames of this source, the place of the frame before.
  var previous: [Rational: Rational] = [:]

  var speed: Double { PlaySpeed.all[speedIndex] }

  /// Where a new request starts from: where the last one leads, or what is shown.
  var place: Rational {
    switch request {
    case .seek(let place): place
    case .stepBack(let place, _): place
    default: shown
    }
  }

  /// Asks for something else than what plays; of several requests the newest counts.
  mutating func ask(_ request: PlayRequest) {
    guard self.request != .quit else { return }
    switch request {
    case .seek, .stepBack: guard canSeek else { return }
    case .item, .quit: break
    }
    self.request = request
    session?.close()
    control?.stop()
  }
}

enum PlaySpeed {
  static let all = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
  static let normal = 3
}
