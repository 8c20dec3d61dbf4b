import Control
import Frames
import Glibc
import Recorder
import ShaderEffects
import Synchronization
import Web

extension MIDIPickup {
  /// Reads the map that the options name, or the user's own; nil if there is no MIDI.
  ///
  /// - Throws: If the map cannot be read, or a line of it is wrong.
  static func named(in words: Options) throws -> MIDIPickup? {
    guard words.control.midi != nil else { return nil }
    let pickup = MIDIPickup(
      try MIDIMap(
        path: words.control.midiMap ?? MIDIMap.usualPath,
        mayBeMissing: words.control.midiMap == nil || words.showsWindow,
        replacing: words.control.midiMap == nil || words.overwrite == .replace))
    // The user's own map is for all effects, and those of a preview change.
    guard words.control.midiMap != nil, !words.canGetEffects else { return pickup }
    let library = words.effectLibrary
    try pickup.check(
      words.effects.map { effect in
        let description = try library.describe(effect.name)
        return (
          description.name,
          description.inputs.map { ([$0.name] + $0.aliases, $0.type) } + [(["mix"], "float")]
        )
      })
    return pickup
  }
}

/// Changes parameters of a running recording, in the ways that the options ask for.
final class LiveControl: Sendable {
  private let glide: Rational
  private let inbox: ParameterInbox?
  private let readsLines: Bool
  private let sockets: [ControlSocket]
  private let page: ControlPage?
  private let listeners: [ListeningSocket]
  private let token: String?
  private let notify: @Sendable (Notice) -> Void
  private let midi: (input: Handover<any MIDIInput>, pickup: MIDIPickup)?
  private let threads = Mutex<[SteeringThread]>([])
  private let hasBegun = Atomic<Bool>(false)

  /// Opens ports; what comes there waits until the effects are known.
  ///
  /// `pickup`, `inbox` and `page` are nil if there is no MIDI, nothing to change, or no port; `notify` may be called on any
  /// thread.
  init(
    _ words: Options, pickup: MIDIPickup?, inbox: ParameterInbox?, page: ControlPage?,
    notify: @escaping @Sendable (Notice) -> Void
  ) throws {
    (self.inbox, self.page, self.notify) = (inbox, page, notify)
    glide = words.control.glideTime
    readsLines = words.control.ways.contains(.standardInput)
    var sockets: [ControlSocket] = []
    var listeners: [ListeningSocket] = []
    let address = words.control.address ?? "127.0.0.1"
    for port in words.control.ports {
      sockets.append(try ControlSocket(port: port))
      listeners.append(try ListeningSocket(address: address, port: port))
    }
    (self.sockets, self.listeners) = (sockets, listeners)
    let isOpen = !(NumericAddress(address)?.isLoopback ?? true)
    token = words.control.token ?? (isOpen ? AccessRule.randomToken() : nil)
    midi = try pickup.map { (Handover(try midiInput(words.control.midi ?? "any")), $0) }
    // A program in the background that reads from its terminal would be stopped, and the recording with it; now
    // the reading fails.
    if readsLines { signal(SIGTTIN, SIG_IGN) }
  }

  deinit { finish() }

  /// Begins to read when the effects are known; later recordings of a player have the same readers.
  func hear(_ event: RecordingEvent) {
    page?.hear(event)
    guard case .ready = event, let inbox, !hasBegun.exchange(true, ordering: .relaxed) else {
      return
    }
    do throws(ThreadError) {
      if readsLines {
        keep(
          try SteeringThread(
            linesOf: STDIN_FILENO, name: "standard input", glide: glide, inbox: inbox,
            notify: notify
          ))
      }
      for socket in sockets {
        keep(try SteeringThread(packetsOf: socket, glide: glide, inbox: inbox, notify: notify))
      }
      if let midi {
        keep(
          try SteeringThread(
            midi.input, pickup: midi.pickup, glide: glide, inbox: inbox, notify: notify))
      }
      for listener in listeners { try serve(listener) }
    } catch {
      notify(Notice(.controlLine, "--control", "--control is not read: \(error)"))
    }
  }

  private func keep(_ thread: SteeringThread) { threads.withLock { $0.append(thread) } }

  private func serve(_ listener: ListeningSocket) throws(ThreadError) {
    guard let page else { return }
    let access = AccessRule(token: token, port: listener.port)
    keep(try SteeringThread(on: listener, access: access, for: page, notify: notify))
    page.tellAddress(listener.url + (token.map { "?token=\($0)" } ?? ""))
  }

  /// Ends the reading and the pages, and tells what was not told yet.
  func finish() {
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.finish() }
  }
}
