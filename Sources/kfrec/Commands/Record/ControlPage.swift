import Control
import Encode
import Frames
import GPU
import Recorder
import Settings
import ShaderEffects
import Synchronization
import Web

/// A running recording as the page of `--control PORT` shows and changes it.
final class ControlPage: PageRecording {
  let title: String
  let inbox: ParameterInbox
  let glide: Rational
  private let folders: [String]
  private let chain: ChainRequests?
  private let chainReason: String
  /// Records what is shown; nil where the outputs do.
  private let movies: MovieSwitch?
  private let outputs: [String]
  private let pictures: LivePictures
  private let gpu: GPUPreference
  private let reporter: RecordingReporter
  private let news: News

  /// What people are told, on the page too.
  private final class News: Sendable {
    struct State: Sendable {
      var problem: String?
      var said = (number: 0, text: "")
    }

    let state = Mutex(State())
    private let names: BrokenNames

    init(names: BrokenNames) { self.names = names }

    func say(_ sentence: String) {
      let sentence = shown(sentence)
      state.withLock { $0.said = ($0.said.number + 1, sentence) }
    }

    /// The sentence without the secrets of addresses: whoever sees the page need not know them.
    func shown(_ sentence: String) -> String { names.withoutSecrets(sentence) }
  }

  private static let longestChain = 32

  /// Prepares a recording for the page; nil if there is no port, and then nothing is changed.
  ///
  /// The recording gets an output for the live picture. What is shown has the name of its inputs if it gets no other one.
  /// `movies` records in the window; nil if there is no window, or it records nothing.
  init?(
    _ words: Options, _ recording: inout Recording, name: String? = nil, movies: MovieSwitch?,
    reporter: RecordingReporter
  ) {
    guard !words.control.ports.isEmpty else { return nil }
    let news = News(names: words.brokenNames)
    let isAlone = words.command == .preview && !words.showsWindow
    var movies = movies
    if isAlone {
      recording.forcesGPU = true
      movies = MovieSwitch(
        settings: recording.encoding, nextName: { StillImage.freeName("mov") },
        say: { sentence in
          reporter.note(sentence)
          news.say(sentence)
        })
    }
    pictures = LivePictures(movies: isAlone ? movies : nil)
    if isAlone { recording.view = pictures } else { recording.sideView = pictures }
    recording.openChain()
    let inbox = recording.inbox ?? ParameterInbox()
    recording.inbox = inbox
    (self.inbox, chain, self.movies, self.news) = (inbox, recording.chainRequests, movies, news)
    chainReason =
      recording.following.isEmpty
      ? "the chain cannot change, because an automation belongs to it"
      : "the chain cannot change, because several inputs follow each other"
    title =
      name.map(ShownAddress.of)
      ?? (words.inputs.isEmpty
        ? "the first camera"
        : words.inputs.map { ShownAddress.of($0.name) }.joined(separator: ", "))
    glide = words.control.glideTime
    (folders, outputs, self.reporter) = (
      words.effectFolders, words.outputs.map(ShownAddress.of), reporter
    )
    gpu = GPUPreference(selector: words.gpu, requiresHardware: words.requiresGPU)
  }

  /// Keeps what the page shows of an event.
  func hear(_ event: RecordingEvent) {
    news.state.withLock { state in
      switch event {
      case .notice(let notice) where notice.id == .effectReload:
        state.problem = news.shown(notice.message)
      case .notice(let notice) where notice.severity == .warning && notice.id != .controlLine:
        state.said = (state.said.number + 1, news.shown(notice.message))
      case .reloaded: state.problem = nil
      default: break
      }
    }
  }

  /// Tells where the page is, with the token that it needs.
  func tellAddress(_ address: String) {
    reporter.note("the page is at \(address)", showing: address)
  }

  var chainRefusal: String? { chain == nil ? chainReason : nil }
  var isChainPending: Bool { chain?.isPending ?? false }

  var addableEffects: [AddableEffect] {
    EffectLibrary.addable(folders).map { effect in
      AddableEffect(
        name: effect.name, description: effect.description, category: effect.categories.first ?? "")
    }
  }

  func change(_ change: ChainChange) throws(PageError) {
    guard let chain else { throw PageError(chainReason) }
    func place(_ tag: Int, in effects: [EffectSpec]) throws(PageError) -> Int {
      guard let place = effects.firstIndex(where: { $0.tag == tag }) else {
        throw PageError("this effect is not in the chain any more")
      }
      return place
    }
    try chain.change { effects throws(PageError) in
      switch change {
      case .add(let name):
        guard effects.count < Self.longestChain else {
          throw PageError("the chain has \(Self.longestChain) effects; remove one first")
        }
        effects.append(EffectSpec(name: name))
      case .remove(let tag): effects.remove(at: try place(tag, in: effects))
      case .move(let tag, let steps):
        let from = try place(tag, in: effects)
        let limit = effects.count - 1
        let to = min(max(from + min(max(steps, -limit), limit), 0), limit)
        effects.insert(effects.remove(at: from), at: to)
      }
    }
  }

  var movie: PageMovie {
    guard let movies else {
      return .refused("everything is recorded already, into \(outputs.joined(separator: " and "))")
    }
    return movies.isOn ? .on(name: movies.name) : .off
  }

  func switchMovie(on: Bool) { movies?.set(on: on) }

  func saveStill() throws(PageError) {
    guard let frame = pictures.newestFrame else { throw PageError("there is no frame yet") }
    let isTaken = StillImage(frame, gpu: gpu).saveAside { [reporter, news] sentence in
      reporter.note(sentence)
      news.say(sentence)
    }
    guard isTaken else { throw PageError(StillImage.isBusy) }
  }

  var problem: String? { news.state.withLock { $0.problem } }
  var said: (number: Int, text: String) { news.state.withLock { $0.said } }

  func picture(after number: Int) -> (number: Int, bytes: [UInt8])? {
    pictures.picture(after: number)
  }

  func changeViewers(by difference: Int) { pictures.changeViewers(by: difference) }
  func addWake(_ wake: @escaping @Sendable () -> Void) { pictures.addNotify(wake) }
}
