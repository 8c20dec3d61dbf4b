import Control
import Frames
import Glibc
import Recorder
import ShaderEffects
import Synchronization

/// What changes parameters of a running recording, as the options ask for.
final class LiveControl: Sendable {
  private let glide: Rational
  private let door: ParameterDoor?
  private let readsLines: Bool
  private let sockets: [ControlSocket]
  private let notify: @Sendable (Notice) -> Void
  private let readers = Mutex<[ControlReader]>([])

  /// Opens ports; what comes there waits until the effects are known.
  ///
  /// - Parameters:
  ///   - words: The typed options.
  ///   - door: Where changes are given; nil if there is nothing to change.
  ///   - notify: Called with what cannot be understood, on any thread.
  /// - Throws: If a port cannot be opened.
  init(
    _ words: Options, door: ParameterDoor?, notify: @escaping @Sendable (Notice) -> Void
  ) throws(ControlSocketError) {
    (self.door, self.notify) = (door, notify)
    glide = Rational(Int64(words.glide ?? 0), 1000)
    readsLines = words.controls.contains(.standardInput)
    var sockets: [ControlSocket] = []
    for case .port(let port) in words.controls { sockets.append(try ControlSocket(port: port)) }
    self.sockets = sockets
    // A program in the background that reads from its terminal would be stopped, and the recording with it; now
    // the reading fails.
    if readsLines { signal(SIGTTIN, SIG_IGN) }
  }

  deinit { finish() }

  /// Begins to read when the effects are known.
  func hear(_ event: RecordingEvent) {
    guard case .ready = event, let door else { return }
    do throws(ThreadError) {
      if readsLines {
        try add { () throws(ThreadError) in
          try ControlReader(
            linesOf: STDIN_FILENO, name: "standard input", glide: glide, door: door, notify: notify)
        }
      }
      for socket in sockets {
        try add { () throws(ThreadError) in
          try ControlReader(packetsOf: socket, glide: glide, door: door, notify: notify)
        }
      }
    } catch {
      notify(Notice(.controlLine, "--control", "--control is not read: \(error)"))
    }
  }

  private func add(
    _ make: () throws(ThreadError) -> ControlReader
  ) throws(ThreadError) {
    let reader = try make()
    readers.withLock { $0.append(reader) }
  }

  /// Ends the reading, and tells what was not told yet.
  func finish() {
    let readers = readers.withLock { readers in
      defer { readers = [] }
      return readers
    }
    for reader in readers { reader.finish() }
  }
}
