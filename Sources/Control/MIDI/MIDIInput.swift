package import ALSAHandles
package import Frames
import Glibc

/// A source of MIDI messages, used by one thread at a time.
package protocol MIDIInput: AnyObject {
  /// For `poll`; they may change with each reading.
  var descriptors: [Int32] { get }

  /// Takes what has come, without waiting; asked again within seconds, also if nothing comes.
  ///
  /// `notify` gets notices of devices that are lost or come back. Returns whether more can come.
  func read(_ take: (MIDIMessage) -> Void, notify: (Notice) -> Void) -> Bool
}

/// Opens the input that a word names: `any`, a path, `client:port`, or a part of a device's name.
package func midiInput(_ word: String) throws(MIDIError) -> sending any MIDIInput {
  word.contains("/") ? try MIDIFile(word) : try MIDISequencer(word)
}

/// Returns the ports of MIDI devices, as `--midi` takes them, and their names; none if there is no sequencer.
package func listMIDIDevices() -> [(port: String, name: String)] {
  guard let port = try? SequencerPort(name: "kfrec") else { return [] }
  return port.sources.filter(\.isDevice).map { ($0.port, $0.name) }
}

extension SequencerSource {
  /// The address as `aconnect` writes it: `20:0`.
  fileprivate var port: String { "\(address.client):\(address.port)" }
}

/// A port of ALSA's sequencer that is connected to devices, and to those that come later.
final class MIDISequencer: MIDIInput {
  private let port: SequencerPort
  /// The name of devices; nil for all hardware.
  private let wanted: String?
  private var connected: [SequencerAddress: String] = [:]
  /// Times at which messages were lost.
  private var overflows = 0
  /// Notices of devices from the time before the first reading.
  private var notices: [Notice] = []

  /// Events that one reading takes at most.
  private static let mostAtOnce = 4096

  /// - Throws: If there is no sequencer or no such device.
  init(_ word: String) throws(MIDIError) {
    wanted = word == "any" ? nil : word
    do throws(ALSAError) { port = try SequencerPort(name: "kfrec") } catch {
      throw MIDIError(Self.explanation(error))
    }
    for source in port.sources where isWanted(source) {
      do throws(MIDIError) { try connect(source) } catch {
        // Without a name one device of several must not keep the others away.
        guard wanted == nil else { throw error }
        notices.append(Notice(.midiLost, source.name, "\(error)"))
      }
    }
    guard wanted != nil, connected.isEmpty else { return }
    let names = port.sources.map { "\($0.port) \($0.name)" }
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
    return source.port == wanted
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
    for notice in notices { notify(notice) }
    notices = []
    do throws(ALSAError) {
      // A flood that never ends must not keep the thread here.
      for _ in 0..<Self.mostAtOnce {
        guard let event = try port.next() else { return true }
        switch event {
        case .message(let message): take(message)
        case .other: break
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
    // It may seem to be connected already: that it went away may be among what was lost.
    guard let source = port.sources.first(where: { $0.address == address }), isWanted(source)
    else { return }
    do throws(MIDIError) {
      try connect(source)
      notify(Notice(.midiBack, source.name, "the MIDI device \(source.name) is connected"))
    } catch {
      notify(Notice(.midiLost, source.name, "\(error)"))
    }
  }
}
