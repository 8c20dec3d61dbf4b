import TestSupport
import Testing

@Suite(
  "MIDI through ALSA's sequencer, with the kernel's virtual device",
  .enabled(if: Machine.isWanted, "no MIDI: make test runs these in a machine of its own"))
struct MIDITests {
  @Test("a knob changes a parameter, also after its device was unplugged and plugged in again")
  func knob() throws {
    let scene = try Scene("midi")
    let devices = try Machine.text("midi.devices")
    #expect(devices.contains("--midi=") && devices.contains("VirMIDI"), "\(devices)")
    #expect(scene.status == 0, "\(scene)")
    let moves = try Machine.text("midi.moves").split(separator: "\n")
    #expect(moves.count == 3, "\(moves)")
    #expect(moves.last?.contains("\"value\":[1.0]") == true, "\(moves)")
    #expect(scene.lines.count { $0.type == "warning" } == 1, "\(scene)")
    try scene.expectWholeMovie()
  }

  @Test("a device that is not there is told with those that are")
  func missing() throws {
    let scene = try Scene("midi-missing")
    #expect(scene.status == 1, "\(scene)")
    #expect(scene.said.contains("no MIDI device is named 'nothing'; there are "), "\(scene)")
    #expect(scene.said.contains("VirMIDI"), "\(scene)")
    #expect(try !scene.hasMovie())
  }
}
