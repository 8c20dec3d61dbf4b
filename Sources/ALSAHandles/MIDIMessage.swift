import CALSA

/// A MIDI message that can change something; channels count from 1, all other numbers are those of the message.
package enum MIDIMessage: Sendable, Equatable {
  /// A controller from 0 to 127, and its value from 0 to 127.
  case controller(channel: Int, number: Int, value: Int)
  /// A key that is pressed; a velocity of 0 means that it is released.
  case note(channel: Int, key: Int, velocity: Int)
  /// -8192 to 8191.
  case pitchBend(channel: Int, value: Int)
  case program(channel: Int, number: Int)
  /// How strongly the keys of a channel are held, 0 to 127.
  case pressure(channel: Int, value: Int)

  /// Reads an event of libasound; nil for one that means nothing here.
  ///
  /// Programs may send any numbers: without its place an event means nothing, and values are limited.
  init?(_ event: snd_seq_event_t) {
    let (control, note) = (event.data.control, event.data.note)
    // The channel is the first byte of both kinds.
    let channel = Int(control.channel) + 1
    guard channel <= 16 else { return nil }
    let value = min(max(Int(control.value), 0), 127)
    switch UInt32(event.type) {
    case SND_SEQ_EVENT_CONTROLLER.rawValue:
      guard control.param <= 127 else { return nil }
      self = .controller(channel: channel, number: Int(control.param), value: value)
    case SND_SEQ_EVENT_NOTEON.rawValue, SND_SEQ_EVENT_NOTEOFF.rawValue:
      guard note.note <= 127 else { return nil }
      let isOn = UInt32(event.type) == SND_SEQ_EVENT_NOTEON.rawValue
      self = .note(
        channel: channel, key: Int(note.note), velocity: isOn ? min(Int(note.velocity), 127) : 0)
    case SND_SEQ_EVENT_PITCHBEND.rawValue:
      self = .pitchBend(channel: channel, value: min(max(Int(control.value), -8192), 8191))
    case SND_SEQ_EVENT_PGMCHANGE.rawValue:
      guard (0...127).contains(control.value) else { return nil }
      self = .program(channel: channel, number: Int(control.value))
    case SND_SEQ_EVENT_CHANPRESS.rawValue: self = .pressure(channel: channel, value: value)
    default: return nil
    }
  }
}

/// Reads MIDI messages from the bytes of a cable.
package struct MIDIDecoder: ~Copyable {
  private let parser: OpaquePointer

  /// The longest message in bytes; of longer ones, which only devices of one maker understand, parts are left out.
  private static let longest = 64

  package init() throws(ALSAError) {
    var made: OpaquePointer?
    try check(snd_midi_event_new(Self.longest, &made), "snd_midi_event_new")
    parser = try check(made, "snd_midi_event_new")
    snd_midi_event_init(parser)
  }

  deinit { snd_midi_event_free(parser) }

  /// Takes the next byte; returns the message that ends with it.
  package func take(_ byte: UInt8) -> MIDIMessage? {
    var event = snd_seq_event_t()
    guard snd_midi_event_encode_byte(parser, Int32(byte), &event) == 1 else { return nil }
    return MIDIMessage(event)
  }
}
