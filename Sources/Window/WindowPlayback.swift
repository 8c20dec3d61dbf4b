package import Frames

/// What a window shows of a player, and the commands that it gives to the player.
///
/// Any thread may use it.
package protocol WindowPlayback: Sendable {
  var status: PlaybackStatus { get }

  /// Does what a key asks for; returns what to show, if there is something to say.
  func perform(_ command: PlaybackCommand) -> String?
}

/// What the person asks a player to do.
package enum PlaybackCommand: Sendable, Equatable {
  case pause, quit, begin, stepForward, stepBack, normalSpeed, mute, stretch, repeats, audioTrack
  /// Seconds to go ahead, or back.
  case seek(by: Rational)
  /// A place as a share of the length.
  case seekTo(share: Double)
  /// Steps in the list of speeds.
  case speed(by: Int)
  /// Percent.
  case volume(by: Int)
  /// Steps in the list of sources.
  case item(by: Int)
}

/// What a player is doing.
package struct PlaybackStatus: Sendable {
  package let name: String
  /// The number of the source in the list, from 1, and the number of sources.
  package var item = (1, 1)
  /// The place of the frame that is shown, and the length, in seconds.
  package var place = Rational.zero
  package var length: Rational?
  package var isPaused = false
  /// Waits for a source that is too slow.
  package var isBuffering = false
  /// Is on its way to another place.
  package var isWaiting = false
  package var speed = 1.0
  /// Percent.
  package var volume = 100
  package var isMuted = false
  /// The stretch that repeats; its end is not known before it was marked.
  package var stretch: (begin: Rational, end: Rational?)?
  package var repeats = false

  package init(name: String) { self.name = name }

  /// Returns a time as players write it: 1:02:03.4, or 2:03.4.
  package static func text(_ seconds: Rational) -> String {
    let tenths = (seconds * Rational(10)).floor
    let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
    let rest = "\(zeroPadded(tenths / 10 % 60, digits: 2)).\(tenths % 10)"
    return hours > 0 ? "\(hours):\(zeroPadded(minutes, digits: 2)):\(rest)" : "\(minutes):\(rest)"
  }

  /// The line that lies over the picture.
  var line: String {
    var parts = [Self.text(place) + (length.map { " / " + Self.text($0) } ?? "")]
    if item.1 > 1 { parts.append("\(item.0) of \(item.1)") }
    if isPaused { parts.append("paused") }
    if isBuffering { parts.append("buffering") }
    if speed != 1 { parts.append("speed \(speed)") }
    if isMuted { parts.append("muted") } else if volume != 100 { parts.append("volume \(volume)") }
    if repeats { parts.append("repeats") }
    return parts.joined(separator: "   ")
  }

  /// The shares of the length at which the line of the progress changes its colour; nil if the length is not known.
  var progress: (place: Double, begin: Double?, end: Double?)? {
    guard let length, length > .zero else { return nil }
    func share(_ place: Rational) -> Double {
      min(max(place.doubleValue / length.doubleValue, 0), 1)
    }
    return (share(place), stretch.map { share($0.begin) }, stretch?.end.map(share))
  }
}
