import Control
import Frames
import ShaderEffects

/// What the server answers to each request; used by the server's thread.
final class Site {
  private let recording: any PageRecording
  private let access: AccessRule
  private let port: Int
  private let notify: @Sendable (Notice) -> Void
  private var mistakes: MistakeCounter
  fileprivate var state: PageState
  private var addable: [AddableEffect]?
  private var muted = MutedEffects()
  private var streams = 0

  /// Streams of pictures and of state that are open at once.
  private static let streamLimit = 48

  init(
    _ recording: any PageRecording, access: AccessRule, port: Int,
    notify: @escaping @Sendable (Notice) -> Void
  ) {
    (self.recording, self.access, self.port, self.notify) = (recording, access, port, notify)
    state = PageState(recording)
    mistakes = MistakeCounter(
      subject: "port \(port)", unit: ("request", "requests"), notify: notify)
  }

  /// Tells of the requests that were not told yet.
  func finish() { mistakes.finish() }

  /// Tells that the server cannot work.
  func fail(_ sentence: String) {
    notify(Notice(.controlLine, "port \(port)", "the page at port \(port) is missing: \(sentence)"))
  }

  /// Says, before the body of a request is read, why it is not answered; nil if it is.
  func refusal(of request: HTTPRequest) -> HTTPAnswer? {
    if let refusal = access.refusal(of: request) {
      mistakes.add("a request at port \(port) came from another web site or for another host")
      return refusal
    }
    switch access.token(of: request) {
    case .fine: break
    case .inQuery:
      if request.method == "GET", request.path == "/", request.wantsPage {
        return access.answerWithCookie
      }
    case .wrong, .missing:
      if access.token(of: request) == .wrong {
        mistakes.add("a request at port \(port) had a wrong token")
      }
      guard request.wantsPage else {
        return .error(401, "this needs the token that kfrec printed").with(
          "WWW-Authenticate", "Bearer")
      }
      return HTTPAnswer(401, type: "text/plain; charset=utf-8", .bytes(Array(Self.lockedText.utf8)))
    }
    switch (request.method, request.path) {
    case ("POST", "/page/change"):
      return request.hasJSON
        ? nil : .error(415, "changes are sent with Content-Type: application/json")
    case (_, "/page/change"):
      return .error(405, "changes are made by POST alone").with("Allow", "POST")
    case ("GET", _), ("HEAD", _): return nil
    default:
      return .error(405, "there is no \(request.method.prefix(20)) here").with(
        "Allow", "GET, HEAD")
    }
  }

  private static let lockedText =
    "This page needs the address that kfrec printed, which ends with a token.\n"

  /// Answers a request that `refusal` let through.
  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    switch request.path {
    case "/" where request.query.allSatisfy({ $0.name == "token" }) && request.wantsPage:
      return Page.answer
    case "/page/change": return change(request.body)
    case "/page/state":
      state.refresh(now: .now, always: true)
      return HTTPAnswer(200, type: "application/json", .bytes(Array(state.text.utf8)))
    case "/page/effects": return .json(.array(effects.map(Self.json)))
    case "/page/events": return open("text/event-stream") { EventStream(self) }
    case "/page/picture":
      return open("multipart/x-mixed-replace; boundary=\(PictureStream.boundary)") {
        PictureStream(recording, self)
      }
    default:
      let attribute = request.query.first { $0.name != "token" }?.name
      return OSCQueryTree(recording.inbox.effects, port: port).answer(
        path: request.path, attribute: attribute)
    }
  }

  private func open(_ type: String, _ make: () -> any HTTPStream) -> HTTPAnswer {
    guard streams < Self.streamLimit else {
      return .error(503, "too many pages are open").with("Retry-After", "5")
    }
    streams += 1
    return HTTPAnswer(200, type: type, .stream(make()))
  }

  func noteClosed() { streams -= 1 }

  /// The newest state, and how often it has changed.
  func newestState(now: MonotonicTime) -> (version: Int, text: String) {
    state.refresh(now: now)
    return (state.version, state.text)
  }

  private var effects: [AddableEffect] {
    let effects = addable ?? recording.addableEffects
    addable = effects
    return effects
  }

  private static func json(_ effect: AddableEffect) -> JSONValue {
    .object([
      ("name", .string(effect.name)), ("description", .string(effect.description)),
      ("category", .string(effect.category)),
    ])
  }

  private func change(_ body: [UInt8]) -> HTTPAnswer {
    let change: PageChange
    do throws(PageError) { change = try PageChange(body) } catch {
      mistakes.add("a request at port \(port): \(error)")
      return .error(400, "\(error)")
    }
    do {
      try act(change)
    } catch {
      return .error(409, "\(error)")
    }
    state.refresh(now: .now, always: true)
    return .json(.object([("ok", .bool(true))]))
  }

  private func act(_ change: PageChange) throws {
    switch change {
    case .set(let effect, let parameter, let value):
      try recording.inbox.give(value, to: parameter, of: effect.place, glide: recording.glide)
    case .mute(let effect, let isOn):
      try muted.mute(effect, isOn: isOn, inbox: recording.inbox, glide: recording.glide)
    case .chain(let change):
      if let refusal = recording.chainRefusal { throw PageError(refusal) }
      if case .add(let name) = change, !effects.contains(where: { $0.name == name }) {
        throw PageError("there is no effect '\(name.prefix(60))' that could be added")
      }
      try recording.change(change)
    case .movie(let isOn):
      switch recording.movie {
      case .refused(let reason): throw PageError(reason)
      case .off, .on: recording.switchMovie(on: isOn)
      }
    case .still:
      try recording.saveStill()
    }
  }
}
