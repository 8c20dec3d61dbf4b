import Frames

/// What both kinds of streams do while nothing is new: a reader that has gone is noticed only if bytes are sent.
private let aliveInterval = 5.0

/// The state of the page, sent whenever it has changed: server-sent events.
final class EventStream: HTTPStream {
  private let site: Site
  private var version = -1
  private var latest: MonotonicTime?

  init(_ site: Site) { self.site = site }

  func next(now: MonotonicTime) -> [UInt8]? {
    let state = site.newestState(now: now)
    if state.version != version {
      (version, latest) = (state.version, now)
      return Array("data: \(state.text)\n\n".utf8)
    }
    guard let latest, now.seconds(since: latest) >= aliveInterval else { return nil }
    self.latest = now
    return Array(":\n\n".utf8)
  }

  func close() { site.noteClosed() }
}

/// The live picture: JPEG files one after another, each in the place of the one before.
///
/// A reader that is slower than the pictures gets the newest one when it is ready for it.
final class PictureStream: HTTPStream {
  static let boundary = "kfrec-picture"

  private let recording: any PageRecording
  private let site: Site
  private var number = 0
  private var isBegun = false
  /// What is sent again while nothing is new; before the first picture a line of its head, because browsers do not
  /// wait for the boundary behind several empty lines.
  private var part = Array("X-Picture: waiting\r\n".utf8)
  private var latest: MonotonicTime?

  init(_ recording: any PageRecording, _ site: Site) {
    (self.recording, self.site) = (recording, site)
    recording.changeViewers(by: 1)
  }

  func next(now: MonotonicTime) -> [UInt8]? {
    if let picture = recording.picture(after: number) {
      number = picture.number
      // The boundary behind a picture lets browsers show it at once, and not with the next one.
      let head = "Content-Type: image/jpeg\r\nContent-Length: \(picture.bytes.count)\r\n\r\n"
      part = Array(head.utf8) + picture.bytes + Array("\r\n--\(Self.boundary)\r\n".utf8)
    } else if let latest, now.seconds(since: latest) < aliveInterval {
      return nil
    }
    latest = now
    guard !isBegun else { return part }
    isBegun = true
    return Array("--\(Self.boundary)\r\n".utf8) + part
  }

  func close() {
    recording.changeViewers(by: -1)
    site.noteClosed()
  }
}
