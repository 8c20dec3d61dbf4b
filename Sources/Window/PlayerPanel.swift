import Frames
import GPU

/// The line of a player's progress, and what the pointer does on it.
struct PlayerPanel {
  /// A place in a window, in its pixels.
  struct Place {
    let x: Int
    let y: Int
    let window: (width: Int, height: Int)
  }

  private let playback: any WindowPlayback
  private var status: PlaybackStatus
  /// When the line disappears, if nothing happens.
  private var end: MonotonicTime
  private var isDragging = false

  /// Seconds for which the line stays.
  private static let time = Rational(2)

  init(_ playback: any WindowPlayback) {
    self.playback = playback
    status = playback.status
    end = .now + Self.time
  }

  /// Asks the player what it is doing.
  mutating func update() { status = playback.status }

  private var isShown: Bool {
    status.isPaused || status.isBuffering || status.isWaiting || isDragging || .now < end
  }

  /// What the line shows; nil while it is not shown.
  var progress: WindowProgress? {
    guard isShown, let progress = status.progress else { return nil }
    let stretch = progress.begin.map { $0...max($0, progress.end ?? progress.place) }
    return WindowProgress(place: progress.place, stretch: stretch)
  }

  /// The line of text that lies over the picture.
  var line: String? { isShown ? status.line : nil }

  mutating func perform(_ command: PlaybackCommand) -> String? {
    end = .now + Self.time
    return playback.perform(command)
  }

  mutating func point(at place: Place, isDown: Bool) {
    end = .now + Self.time
    if isDragging, isDown { seek(to: place) }
  }

  /// Goes to a place of the line that was pressed; false if that is elsewhere.
  mutating func takes(_ place: Place) -> Bool {
    let line = WindowProgress.line(in: place.window)
    guard status.length != nil, abs(place.y - line.y - line.height / 2) <= 3 * line.height,
      place.x >= line.x - line.height, place.x <= line.x + line.width + line.height
    else { return false }
    isDragging = true
    seek(to: place)
    return true
  }

  mutating func release() { isDragging = false }

  private func seek(to place: Place) {
    let line = WindowProgress.line(in: place.window)
    let share = Double(place.x - line.x) / Double(max(line.width, 1))
    _ = playback.perform(.seekTo(share: min(max(share, 0), 1)))
  }
}
