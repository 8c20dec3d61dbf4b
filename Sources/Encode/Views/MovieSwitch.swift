import FFmpegHandles
import Frames
import Synchronization

/// Starts and stops movies of what a view shows; each is a file of its own.
///
/// Any thread may switch. The view's own thread writes, so a movie has every frame that the view is given,
/// and the times in it begin at zero.
public final class MovieSwitch: Sendable {
  private struct State: Sendable {
    /// Why the first movie that failed could not be made, as a sentence.
    var failure: String?
    var isOn = false
    var name: String?
  }

  private let state = Mutex(State())
  private let settings: EncodeSettings
  private let nextName: @Sendable () -> String?
  /// Called with a sentence about each movie, on the view's thread.
  private let say: @Sendable (String) -> Void

  /// Makes a switch; `nextName` gives a free name, nil if there is none, and `say` gets a sentence about each movie.
  public init(
    settings: EncodeSettings, nextName: @escaping @Sendable () -> String?,
    say: @escaping @Sendable (String) -> Void
  ) {
    (self.settings, self.nextName, self.say) = (settings, nextName, say)
  }

  /// Starts a movie with the next frame, or ends the one that is being written.
  public func toggle() { state.withLock { $0.isOn.toggle() } }

  /// Starts a movie with the next frame if none is on, or ends the one that is on.
  public func set(on isOn: Bool) { state.withLock { $0.isOn = isOn } }

  /// The name of the movie that is being written; nil if there is none.
  public var name: String? { state.withLock { $0.name } }

  /// Whether a movie is being written, or begins with the next frame.
  public var isOn: Bool { state.withLock { $0.isOn } }

  /// Why the first movie that failed was not recorded whole, as a sentence; nil if none failed.
  public var failure: String? { state.withLock { $0.failure } }

  /// Switches off a movie that no frame came for, because the recording ends.
  fileprivate func forgetRequest() {
    let isForgotten = state.withLock { state in
      defer { state.isOn = false }
      return state.isOn
    }
    if isForgotten { say("nothing was recorded: no frame came any more") }
  }

  fileprivate func open(_ request: SinkRequest) throws -> sending any MediaSink {
    guard let name = nextName() else {
      throw EncodeError("no name is free for a movie; move some away")
    }
    var request = request
    // What is seen cannot be seen again: the movie keeps up with the view, and can be played after a crash.
    request.isLive = true
    let sink = try Output(name, settings: settings).open(request)
    state.withLock { $0.name = name }
    return sink
  }

  /// Tells how a movie ended, and switches off.
  fileprivate func note(_ result: Result<SinkReport, any Error>) {
    let name = state.withLock { state in
      defer { (state.isOn, state.name) = (false, nil) }
      return state.name
    }
    switch result {
    case .success(let report):
      let seconds = (report.duration.doubleValue * 1000).rounded() / 1000
      say("saved \(report.output): \(report.frames) frames, \(seconds) s")
    case .failure(let error):
      let sentence = "\(name ?? "the movie") was not recorded whole: \(error)"
      state.withLock { $0.failure = $0.failure ?? sentence }
      say(sentence)
    }
  }
}

/// Gives what a view gets to the movie that is switched on, too.
final class SwitchedSink: MediaSink {
  private let view: any MediaSink
  private let movies: MovieSwitch
  private let request: SinkRequest
  private var movie: (sink: any MediaSink, zero: Rational)?
  /// Audio that a file stores before the frames of its time, for a movie that begins with the next frame.
  private var ahead: [CompressedPacket] = []

  init(_ view: any MediaSink, _ movies: MovieSwitch, request: SinkRequest) {
    (self.view, self.movies, self.request) = (view, movies, request)
  }

  var encoderName: String? { nil }
  var notices: [Notice] { view.notices }

  func write(_ frame: Frame) throws {
    if movies.isOn, movie == nil {
      do {
        movie = (try movies.open(request), frame.time)
        for packet in ahead { record(packet) }
      } catch {
        movies.note(.failure(error))
      }
    } else if !movies.isOn {
      complete()
    }
    ahead.removeAll { $0.time < frame.time }
    if let movie {
      var frame = frame
      frame.time = frame.time - movie.zero
      toMovie { try movie.sink.write(frame) }
    }
    try view.write(frame)
  }

  func write(_ packet: CompressedPacket) throws {
    try view.write(packet)
    // Also while a movie is written: the next one may begin before the frames of this time.
    ahead.append(packet)
    record(packet)
  }

  func write(_ block: AudioBlock) throws { try view.write(block) }

  private func record(_ packet: CompressedPacket) {
    // Audio that began before the movie is left out.
    guard let movie, packet.time >= movie.zero else { return }
    toMovie { try movie.sink.write(try packet.moved(to: packet.time - movie.zero)) }
  }

  /// A movie that fails ends alone: the view goes on.
  private func toMovie(_ write: () throws -> Void) {
    do { try write() } catch {
      complete(after: error)
    }
  }

  private func complete(after error: (any Error)? = nil) {
    guard let ended = movie else { return }
    movie = nil
    do {
      let report = try ended.sink.finish()
      let fault = error ?? report.shortfall.map { EncodeError($0.message) }
      movies.note(fault.map { .failure($0) } ?? .success(report))
    } catch let second {
      movies.note(.failure(error ?? second))
    }
  }

  func finish() throws -> SinkReport {
    complete()
    var report = try view.finish()
    // The exit code must not say that everything was recorded.
    if let failure = movies.failure {
      report.shortfall = Notice(.outputFailed, report.output, failure)
    }
    movies.forgetRequest()
    return report
  }

  func abandon() {
    complete()
    view.abandon()
  }
}
