import CALSA
import Testing

@testable import ALSAHandles

@Suite("What programs send to the sequencer's port") struct SequencerEventTests {
  private func event(
    _ type: snd_seq_event_type, from client: UInt8 = 128,
    _ fill: (inout snd_seq_event_t) -> Void
  ) -> SequencerEvent {
    var event = snd_seq_event_t()
    event.type = snd_seq_event_type_t(type.rawValue)
    event.source.client = client
    fill(&event)
    return SequencerEvent(event)
  }

  private func note(_ channel: UInt8, _ key: UInt8, _ velocity: UInt8) -> SequencerEvent {
    event(SND_SEQ_EVENT_NOTEON) { event in
      event.data.note.channel = channel
      event.data.note.note = key
      event.data.note.velocity = velocity
    }
  }

  private func control(
    _ type: snd_seq_event_type, _ channel: UInt8, _ number: UInt32, _ value: Int32
  ) -> SequencerEvent {
    event(type) { event in
      event.data.control.channel = channel
      event.data.control.param = number
      event.data.control.value = value
    }
  }

  @Test("events without a place of MIDI mean nothing, and values are limited")
  func places() {
    #expect(note(15, 127, 200) == .message(.note(channel: 16, key: 127, velocity: 127)))
    for (channel, key) in [(16, 1), (17, 1), (255, 1), (0, 128), (0, 255)] as [(UInt8, UInt8)] {
      #expect(note(channel, key, 1) == .other, "\(channel) \(key)")
    }
    let type = SND_SEQ_EVENT_CONTROLLER
    for (value, expected) in [(500, 127), (-5, 0), (64, 64)] {
      #expect(
        control(type, 0, 7, Int32(value))
          == .message(.controller(channel: 1, number: 7, value: expected)))
    }
    #expect(control(type, 0, 128, 1) == .other)
    #expect(control(type, 16, 7, 1) == .other)
    #expect(control(SND_SEQ_EVENT_PGMCHANGE, 0, 0, 128) == .other)
    #expect(control(SND_SEQ_EVENT_PGMCHANGE, 0, 0, -1) == .other)
    #expect(
      control(SND_SEQ_EVENT_CHANPRESS, 2, 0, 999) == .message(.pressure(channel: 3, value: 127)))
    #expect(
      control(SND_SEQ_EVENT_PITCHBEND, 2, 0, 9999) == .message(.pitchBend(channel: 3, value: 8191)))
  }

  @Test("only the system tells which ports appear and vanish")
  func announcements() {
    func reported(_ type: snd_seq_event_type, by client: UInt8) -> SequencerEvent {
      event(type, from: client) { event in
        event.data.addr.client = 20
        event.data.addr.port = 1
      }
    }
    let address = SequencerAddress(client: 20, port: 1)
    #expect(reported(SND_SEQ_EVENT_PORT_START, by: 0) == .appeared(address))
    #expect(reported(SND_SEQ_EVENT_PORT_EXIT, by: 0) == .vanished(address))
    #expect(reported(SND_SEQ_EVENT_PORT_START, by: 128) == .other)
    #expect(reported(SND_SEQ_EVENT_PORT_EXIT, by: 128) == .other)
    #expect(reported(SND_SEQ_EVENT_ECHO, by: 128) == .other)
  }
}
