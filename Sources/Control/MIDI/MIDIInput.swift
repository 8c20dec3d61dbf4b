package import ALSAHandles
package import Frames
import Glibc

/// Where MIDI messages come from; one thread at a time uses it.
package protocol MIDIInput: AnyObject, Sendable {
  /// For `poll`; they may change with each reading.
  var descriptors: [Int32] { get }

  /// Takes what has come, without waiting; asked twice a second at least, also if nothing comes.
  ///
  /// - Parameters:
  ///   - take: Called with each message.
  ///   - notify: Called with what becomes of devices.
  /// - Returns: Whether more can come.
  func read(_ take: (MIDIMessage) -> Void, notify: (Notice) -> Void) -> Bool
}

/// Opens the input that a word names: `any`, a path, `client:port`, or a part of a device's name.
///
/// - Throws: If there is no such device, or no sequencer.
package func midiInput(_ word: String) throws(MIDIError) -> any MIDIInput {
  word.contains("/") ? try MIDIFile(word) : try MIDISequencer(word)
}

/// A port of ALSA's sequencer that is connected to devices, and to those that come later.
final class MIDISequencer: MIDIInput, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MIDIInput requires.
  private let port: SequencerPort
  /// The name of devices; nil for all hardware.
  private let wanted: String?
  private var connected: [SequencerAddress: String] = [:]
  /// Times at which messages were lost.
  private var overflows = 0

  /// - Throws: If there is no sequencer or no such device.
  init(_ word: String) throws(MIDIError) {
    wanted = word == "any" ? nil : word
    do throws(ALSAError) { port = try SequencerPort(name: "kfrec") } catch {
      throw MIDIError(Self.explanation(error))
    }
    for source in port.sources where isWanted(source) { try connect(source) }
    guard wanted != nil, connected.isEmpty else { return }
    let names = port.sources.map { "\($0.address.client):\($0.address.port) \($0.name)" }
    throw MIDIError(
      "no MIDI device is named '\(word)'; "
        + (names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")))
  }

  private static func explanation(_ error: ALSAError) -> String {
    switch error.code {
    case ENOENT, ENODEV:
      "there is no ALSA sequencer (/dev/snd/seq); load its driver with modprobe snd-seq, or name a raw MIDI "
        + "device such as --midi=/dev/snd/midiC1D0"
    case EACCES:
      "the ALSA sequencer (/dev/snd/seq) may not be opened; become a member of the group audio"
    default: "the ALSA sequencer cannot be opened: \(error.reason) (\(error.call))"
    }
  }

  private func isWanted(_ source: SequencerSource) -> Bool {
    guard let wanted else { return source.isDevice }
    return "\(source.address.client):\(source.address.port)" == wanted
      || source.name.lowercased().contains(wanted.lowercased())
  }

  private func connect(_ source: SequencerSource) throws(MIDIError) {
    do throws(ALSAError) { try port.connect(from: source.address) } catch {
      throw MIDIError(
        "the MIDI device \(source.name) cannot be connected: \(error.reason) (\(error.call))")
    }
    connected[source.address] = source.name
  }

  var descriptors: [Int32] { port.descriptors }

  func read(_ take: (MIDIMessage) -> Void, notify: (Notice) -> Void) -> Bool {
    do throws(ALSAError) {
      while let event = try port.next() {
        switch event {
        case .message(let message): take(message)
        case .appeared(let address): welcome(address, notify)
        case .vanished(let address):
          guard let name = connected.removeValue(forKey: address) else { continue }
          notify(
            Notice(.midiLost, name, "the MIDI device \(name) has gone away; kfrec waits for it"))
        case .overflow:
          overflows += 1
          guard overflows == 1 else { continue }
          notify(
            Notice(
              .midiLost, "MIDI", "MIDI messages came faster than they are taken; some were lost"))
        }
      }
      return true
    } catch {
      notify(
        Notice(.midiLost, "MIDI", "MIDI cannot be read any more: \(error.reason) (\(error.call))"))
      return false
    }
  }

  private func welcome(_ address: SequencerAddress, _ notify: (Notice) -> Void) {
    guard let source = port.sources.first(where: { $0.address == address }), isWanted(source),
      connected[address] == nil
    else { return }
    do throws(MIDIError) {
      try connect(source)
      notify(Notice(.midiBack, source.name, "the MIDI device \(source.name) is connected"))
    } catch {
      notify(Notice(.midiLost, source.name, "\(error)"))
    }
  }
}

/// A raw MIDI device, a FIFO or a file with the bytes of a cable.
final class MIDIFile: MIDIInput, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as MIDIInput requires.
  private let path: String
  private var file: Int32
  private var decoder: MIDIDecoder
  private var latestTry = MonotonicTime.now

  /// - Throws: If it cannot be opened, or is a song.
  init(_ path: String) throws(MIDIError) {
    self.path = path
    do throws(ALSAError) { decoder = try MIDIDecoder() } catch {
      throw MIDIError("MIDI cannot be decoded: \(error.reason) (\(error.call))")
    }
    file = Self.open(path)
    guard file >= 0 else {
      throw MIDIError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    var head = [UInt8](repeating: 0, count: 4)
    guard pread(file, &head, 4, 0) != 4 || head != Array("MThd".utf8) else {
      throw MIDIError(
        "\(path) is a song (Standard MIDI File); play it into a port, as aplaymidi does")
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// A FIFO is opened for both, so that it has no end when its writer goes.
  private static func open(_ path: String) -> Int32 {
    let mode = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let reader = Glibc.open(path, O_RDONLY | mode)
    var status = stat()
    guard reader >= 0, fstat(reader, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      return reader
    }
    let both = Glibc.open(path, O_RDWR | mode)
    guard both >= 0 else { return reader }
    close(reader)
    return both
  }

  var descriptors: [Int32] { file >= 0 ? [file] : [] }

  func read(_ take: (MIDIMessage) -> Void, notify: (Notice) -> Void) -> Bool {
    if file < 0 { return comeBack(notify) }
    var block = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &block, block.count)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return true }
    if count > 0 {
      for byte in block[..<count] { if let message = decoder.take(byte) { take(message) } }
      return true
    }
    var status = stat()
    let isDevice = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    close(file)
    file = -1
    guard isDevice else { return false }
    notify(Notice(.midiLost, path, "the MIDI device \(path) has gone away; kfrec waits for it"))
    return true
  }

  /// Opens a device again that had gone away, at most once a second.
  private func comeBack(_ notify: (Notice) -> Void) -> Bool {
    guard MonotonicTime.now.seconds(since: latestTry) > 1 else { return true }
    latestTry = .now
    file = Self.open(path)
    if file >= 0 {
      notify(Notice(.midiBack, path, "the MIDI device \(path) is back"))
    }
    return true
  }
}
