import Capture
import Control
import Encode
import Frames
import Glibc
import GPU
import Recorder
import Settings
import ShaderEffects
import Synchronization
import Window

extension Options {
  /// Whether a window or a terminal shows the frames.
  var showsWindow: Bool {
    preview != nil || command == .preview && !control.noWindow || command == .play
  }
}

extension Recording {
  /// Lets the keys of a window change the effects and their parameters.
  mutating func openToTheWindow(of words: Options) {
    let hasTransition = !following.isEmpty
    let isPreview = words.command == .preview
    if isPreview, !hasTransition { source.pace = PaceControl() }
    if !hasTransition { source.cameraSwitch = CameraSwitch() }
    // Frames of a recording without effects bypass the GPU, and go on doing so.
    guard isPreview || !effects.isEmpty else { return }
    inbox = inbox ?? ParameterInbox()
    if isPreview { forcesGPU = true }
    openChain()
  }
}

extension WindowOutput {
  /// Makes the window of a recording, or of a player, of whose recordings it gets one.
  ///
  /// `choice` is the effect that keys replace; `pickup` is nil if there is no MIDI.
  convenience init(
    _ words: Options, _ recording: Recording, togglePause: @escaping @Sendable () -> Bool,
    stop: @escaping @Sendable () -> Void, choice: EffectChoice, name: String,
    pickup: MIDIPickup?, reporter: RecordingReporter
  ) {
    let gpu = GPUPreference(selector: words.gpu, requiresHardware: words.requiresGPU)
    let cameras = recording.source.kind.isSwitchable ? recording.source.cameraSwitch : nil
    let nextCamera: @Sendable () -> String = {
      cameras?.next()
      return cameras == nil ? "the source is no camera" : "the next camera is being opened"
    }
    self.init(
      title: (["kfrec", name] + words.effects.map(\.name)).filter { !$0.isEmpty }
        .joined(separator: " "),
      scale: words.scale, gpu: gpu,
      actions: Actions(
        togglePause: togglePause, stop: stop,
        changeEffect: { choice.move(by: $0) },
        changeSpeed: { [pace = recording.source.pace] steps in
          pace.map { "speed \($0.change(by: steps).doubleValue)" } ?? "a recording keeps its speed"
        },
        nextCamera: nextCamera,
        point: { [inbox = recording.inbox] in inbox?.point($0) },
        saveStill: { frame in
          if !StillImage(frame, gpu: gpu).saveAside({ reporter.note($0) }) {
            reporter.note(StillImage.isBusy)
          }
        },
        say: { reporter.note($0) }),
      parameters: recording.inbox.map {
        ParameterRows(inbox: $0, glide: words.control.glideTime, pickup: pickup)
      },
      movies: recording.outputs.isEmpty
        ? MovieSwitch(
          settings: recording.encoding, nextName: { StillImage.freeName("mov") },
          say: { reporter.note($0) }) : nil)
    cameras?.onResult { [weak self] sentence in
      reporter.note(sentence)
      self?.news = sentence
    }
  }

  /// Shows the error of an effect that is being edited over the last good picture, until it is mended.
  func show(_ event: RecordingEvent) {
    switch event {
    case .notice(let notice) where notice.id == .effectReload: message = notice.message
    case .reloaded: message = nil
    default: break
    }
  }
}

/// Whether a still is being saved: a held key, or a page that is asked for many, would start as many threads.
private let isSavingStill = Atomic<Bool>(false)
private let stillThread = Mutex<WorkerThread?>(nil)

extension StillImage {
  /// Saves the image on a thread of its own, and reports the result in a sentence; false, and nothing else, if
  /// another one is being saved.
  func saveAside(_ say: @escaping @Sendable (String) -> Void) -> Bool {
    guard !isSavingStill.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    do {
      var thread: WorkerThread? = try WorkerThread(name: "kfrec-still") {
        do { say("saved \(try save())") } catch { say("the still was not saved: \(error)") }
        isSavingStill.store(false, ordering: .releasing)
      }
      // The release of the one before waits for its end, which has come or is near.
      stillThread.withLock { swap(&$0, &thread) }
    } catch {
      isSavingStill.store(false, ordering: .releasing)
      say("the still was not saved: \(error)")
    }
    return true
  }

  /// Waits until the still that is being saved has been.
  ///
  /// - Returns: False if that takes too long. Then exit handlers must not run: they would free what its thread uses,
  ///   or call a driver that the thread unloads.
  static func finishAside() -> Bool {
    let start = MonotonicTime.now
    while isSavingStill.load(ordering: .acquiring) {
      guard MonotonicTime.now.seconds(since: start) < mostSeconds else { return false }
      usleep(5000)
    }
    _ = stillThread.withLock { $0.take() }
    return true
  }

  /// Seconds; a large picture takes one.
  private static let mostSeconds = 20.0

  /// Why no still is saved while another one is.
  static let isBusy = "a still is being saved; ask for the next one when it is there"
}

/// The parameters of a running recording as rows of its window: one for each component.
private struct ParameterRows: WindowParameters {
  let inbox: ParameterInbox
  /// Seconds.
  let glide: Rational
  let pickup: MIDIPickup?

  private var all: [(parameter: ListedParameter, part: Int)] {
    ListedParameter.all(of: inbox.effects).flatMap { parameter in
      parameter.parts.indices.map { (parameter, $0) }
    }
  }

  var rows: [WindowParameter] {
    let all = all
    return all.map { parameter, part in
      let part = (name: parameter.parts[part], index: part)
      let knob = pickup?.label(
        of: MIDITarget(parameter, part: part.index), in: all.map(\.parameter))
      return WindowParameter(
        name: "\(parameter.effect) \(parameter.effectName) \(parameter.parameter.name)"
          + (part.name.isEmpty ? "" : ".\(part.name)"),
        value: parameter.text(ofPart: part.index), range: parameter.range(ofPart: part.index),
        knob: knob ?? "")
    }
  }

  func learn(_ row: Int) -> String {
    guard let pickup, let (parameter, part) = all.dropFirst(row).first else {
      return "there is no MIDI: add --midi"
    }
    return pickup.learn(MIDITarget(parameter, part: part))
  }

  func move(_ row: Int, by steps: Int) { give(to: row) { $0.moved(part: $1, by: steps) } }
  func reset(_ row: Int) { give(to: row) { parameter, _ in parameter.parameter.usual } }

  private func give(to row: Int, _ value: (ListedParameter, _ part: Int) -> [Double]) {
    guard let (parameter, part) = all.dropFirst(row).first else { return }
    // A chain that changed between two keys has other rows; the next key acts on those.
    _ = try? inbox.give(
      .numbers(value(parameter, part)), to: parameter.parameter.name,
      of: .number(parameter.effect), glide: glide)
  }
}

/// The effect at the end of the chain, which keys replace by the next one of the list of effects.
final class EffectChoice: Sendable {
  private let folders: [String]
  private let requests: ChainRequests?
  /// The effects that need nothing but frames; nil before the first key.
  private let known = Mutex<[String]?>(nil)

  /// - Parameters:
  ///   - words: The typed options.
  ///   - requests: The chain; nil if it cannot change.
  init(_ words: Options, requests: ChainRequests?) {
    (folders, self.requests) = (words.effectFolders, requests)
  }

  /// Asks for the effect that is this many places further; returns its name, or why there is none.
  func move(by offset: Int) -> String {
    guard let requests else {
      return "the effects cannot change, because an automation belongs to them"
    }
    return known.withLock { known in
      let names = known ?? EffectLibrary.addable(folders).map(\.name)
      known = names
      guard !names.isEmpty else { return "there are no effects" }
      let current = requests.effects.last?.name
      let next =
        if let place = names.firstIndex(where: { $0 == current }) {
          (place + offset + names.count) % names.count
        } else {
          offset > 0 ? 0 : names.count - 1
        }
      requests.change { $0 = $0.dropLast() + [EffectSpec(name: names[next])] }
      return "effect \(requests.effects.count): \(names[next])"
    }
  }
}

extension EffectLibrary {
  /// The effects that need nothing but frames, by their names.
  static func addable(_ folders: [String]) -> [EffectDescription] {
    let effects = (try? EffectLibrary(folders: folders).descriptions()) ?? []
    return effects.filter { effect in
      effect.role == .filter && effect.problem == nil
        && !effect.inputs.contains(where: \.isRequired)
    }
  }
}

extension ParameterInbox {
  /// Gives the place of the pointer to all effects that read one.
  fileprivate func point(_ pointer: WindowPointer) {
    for (index, effect) in effects.enumerated()
    where effect.parameters.contains(where: { $0.name == PointerInput.place }) {
      func set(_ name: String, _ value: [Double]) {
        // The chain may change meanwhile; the next movement is for the new one.
        _ = try? give(.numbers(value), to: name, of: .number(index + 1))
      }
      set(PointerInput.place, [pointer.x, pointer.y])
      switch pointer.button {
      case .pressed:
        set(PointerInput.click, [pointer.x, pointer.y])
        set(PointerInput.isDown, [1])
        set(PointerInput.clicked, [1])
      case .held: break
      case .released: set(PointerInput.isDown, [0])
      }
    }
  }
}
