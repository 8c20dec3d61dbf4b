import ALSAHandles
import Frames
import Glibc
import ShaderCompiler
import Synchronization
import TestSupport
import Testing

@testable import Control
@testable import ShaderEffects

@Suite struct MIDITests {
  func messages(_ bytes: [UInt8]) throws -> [MIDIMessage] {
    let decoder = try MIDIDecoder()
    var found: [MIDIMessage] = []
    for byte in bytes { if let message = decoder.take(byte) { found.append(message) } }
    return found
  }

  @Test("the bytes of a cable are messages, with running status and with clocks between them")
  func bytes() throws {
    #expect(
      try messages([0xb0, 21, 64, 21, 0xf8, 65, 0x99, 36, 100, 0x89, 36, 0, 0x99, 36, 0]) == [
        .controller(channel: 1, number: 21, value: 64),
        .controller(channel: 1, number: 21, value: 65),
        .note(channel: 10, key: 36, velocity: 100), .note(channel: 10, key: 36, velocity: 0),
        .note(channel: 10, key: 36, velocity: 0),
      ])
    #expect(
      try messages([0xe0, 0, 0, 0xe0, 0, 64, 0xef, 127, 127, 0xc3, 7, 0xd4, 127]) == [
        .pitchBend(channel: 1, value: -8192), .pitchBend(channel: 1, value: 0),
        .pitchBend(channel: 16, value: 8191), .program(channel: 4, number: 7),
        .pressure(channel: 5, value: 127),
      ])
    // What only one maker understands, shorter and longer than is kept, and halves of messages.
    let long = [0xf0] + [UInt8](repeating: 1, count: 1000) + [0xf7]
    #expect(
      try messages([5, 6] + [0xf0, 1, 2, 0xf7] + long + [0xb0, 1] + [0xb1, 2, 3]) == [
        .controller(channel: 2, number: 2, value: 3)
      ])
  }

  private func moves(_ bytes: [UInt8]) throws -> [String: Double] {
    var translation = MIDIMoves()
    var last: [String: Double] = [:]
    for message in try messages(bytes) {
      for move in translation.take(message) { last[move.source.text] = move.value }
    }
    return last
  }

  @Test("knobs have 7 bits or 14, and wheels a middle")
  func resolution() throws {
    #expect(try moves([0xb0, 7, 127])["cc 1/7"] == 1)
    #expect(try moves([0xb0, 7, 127])["cc14 1/7"] == 127.0 * 128 / 16383)
    #expect(try moves([0xb0, 7, 127, 39, 127])["cc14 1/7"] == 1)
    #expect(try moves([0xb0, 39, 5, 7, 1])["cc14 1/7"] == 128.0 / 16383)
    // NRPN 300 is 2 times 128 and 44.
    let nrpn = try moves([0xb2, 99, 2, 98, 44, 6, 127, 38, 127])
    #expect(nrpn["nrpn 3/300"] == 1)
    let registered = try moves([0xb2, 99, 2, 98, 44, 101, 0, 100, 0, 6, 127])
    #expect(registered.keys.filter { $0.hasPrefix("nrpn") } == [])
    #expect(try moves([0xe0, 0, 64])["bend 1"] == 0.5)
    #expect(try moves([0xe0, 127, 127])["bend 1"] == 1)
    #expect(try moves([0xe0, 0, 0])["bend 1"] == 0)
    #expect(try moves([0x90, 36, 127])["note 1/36"] == 1)
  }

  @Test(
    "lines of a map are read and written",
    arguments: [
      "cc 1/21 -> effect 1 amount", "cc14 16/31 -> effect vignette softness 0.25 0.75",
      "note */36 -> effect 2 flash", "bend 1 -> effect 1 center.x", "nrpn 2/16383 -> effect 1 mix",
      "program 3 -> effect 1 mode", "pressure * -> effect 1 amount 1.0 0.0",
    ])
  func lines(_ line: String) throws {
    #expect(try MIDIBinding(parsing: "  " + line + "\t")?.text == line)
  }

  @Test(
    "a wrong line is told with its number",
    arguments: [
      ("cc 1/21 effect 1 amount", "write a line such as"), ("knob 1/2 -> effect 1 a", "none of cc"),
      ("cc 17/2 -> effect 1 a", "a channel from 1 to 16"), ("cc 1 -> effect 1 a", "'cc 1/21'"),
      ("bend 1/2 -> effect 1 a", "'bend 1'"), ("cc 1/128 -> effect 1 a", "0 to 127"),
      ("cc14 1/32 -> effect 1 a", "0 to 31"), ("cc 1/2 -> effect 1 a 0.5", "write a line"),
      ("cc 1/2 -> effect 1 a x 1", "must be numbers"), ("cc 1/2 -> effect 1 a nan 1", "numbers"),
      ("{}", "write a line such as"),
    ])
  func wrongLines(_ line: String, _ sentence: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("# knobs\n\ncc 1/1 -> effect 1 a\r\n\(line)\n".utf8), to: "a.map")
    let error = #expect(throws: MIDIError.self) { try MIDIMap(path: folder.file("a.map")) }
    #expect(error?.description.contains("a.map, line 4: ") == true)
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.isUsageError == true)
  }

  @Test("a file that is no map is refused")
  func noMap() throws {
    let folder = try TemporaryFolder()
    try folder.write([0xff, 0xfe], to: "a.map")
    for path in [folder.file("a.map"), folder.file("none.map"), folder.path] {
      #expect(throws: MIDIError.self, "\(path)") { try MIDIMap(path: path) }
    }
    let endless = #expect(throws: MIDIError.self) { try MIDIMap(path: "/dev/zero") }
    #expect(endless?.description.contains("too large") == true)
    #expect(try MIDIMap(path: folder.file("none.map"), mayBeMissing: true).bindings == [])
  }

  // MARK: - What knobs change

  private static let text = """
    /*{"INPUTS": [{"NAME": "amount", "TYPE": "float", "MIN": 2.0, "MAX": 4.0, "DEFAULT": 2.0},
      {"NAME": "on", "TYPE": "bool", "DEFAULT": false}, {"NAME": "spot", "TYPE": "point2D", "DEFAULT": [0.25, 0.75]},
      {"NAME": "flash", "TYPE": "event"},
      {"NAME": "mode", "TYPE": "long", "VALUES": [5, 7, 9], "LABELS": ["a", "b", "c"], "DEFAULT": 5}]}*/
    vec4 effect(vec2 uv) {
      return vec4(amount, on ? 1.0 : 0.0, spot.x + float(mode), flash ? 1.0 : 0.0);
    }
    """

  /// An inbox with one effect that has every kind of parameter.
  func inbox() throws -> ParameterInbox {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.text.utf8), to: "all.comp")
    let effect = try EffectLibrary(folders: [folder.path]).compile(
      EffectSpec(parsing: "all"), with: try ShaderCompiler(), isSteered: true)
    let inbox = ParameterInbox()
    inbox.open([effect])
    return inbox
  }

  func taken(_ inbox: ParameterInbox) -> [String: [Double]] {
    var taken: [String: [Double]] = [:]
    inbox.take { taken[$0.parameter] = $0.value }
    return taken
  }

  func pickup(_ lines: String...) throws -> MIDIPickup {
    let folder = try TemporaryFolder()
    try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "a.map")
    return MIDIPickup(try MIDIMap(path: folder.file("a.map")))
  }

  /// Moves knobs in one reading, at a time in seconds.
  func play(
    _ bytes: [UInt8], _ pickup: MIDIPickup, _ inbox: ParameterInbox, at seconds: Rational = .zero
  ) throws {
    var translation = MIDIMoves()
    pickup.act(
      try messages(bytes).flatMap { translation.take($0) },
      at: MonotonicTime(nanoseconds: 0) + seconds, inbox: inbox, glide: .zero, notify: { _ in })
  }

  @Test("a knob covers the range of its parameter, or the ends of its line")
  func ranges() throws {
    let inbox = try inbox()
    let pickup = try pickup(
      "cc 1/1 -> effect 1 amount", "cc 1/2 -> effect all amount 3 2.5",
      "cc */3 -> effect 1 spot.y", "cc 1/4 -> effect 1 mode", "cc 1/5 -> effect 1 amount -9 99",
      "cc 1/6 -> effect 2 amount", "cc 1/7 -> effect 1 nothing", "cc 1/8 -> effect 1 spot")
    for (bytes, expected) in [
      ([0xb0, 1, 127], ["amount": [4]]), ([0xb0, 1, 0], ["amount": [2]]),
      ([0xb0, 2, 127], ["amount": [2.5]]), ([0xb0, 5, 127], ["amount": [4]]),
      ([0xb7, 3, 127], ["spot": [0.25, 1]]), ([0xb0, 4, 64], ["mode": [7]]),
      ([0xb0, 4, 127], ["mode": [9]]),
      // What the chain does not have does nothing, and so does a point without its component.
      ([0xb0, 6, 1, 7, 1, 8, 1, 9, 1], [:]),
    ] as [([UInt8], [String: [Double]])] {
      try play(bytes, pickup, inbox)
      #expect(taken(inbox) == expected, "\(bytes)")
    }
  }

  @Test("keys fire events, turn switches and step through menus; velocity is a value")
  func keys() throws {
    let inbox = try inbox()
    let pickup = try pickup(
      "note 1/36 -> effect 1 flash", "note 1/37 -> effect 1 on", "note 1/38 -> effect 1 mode",
      "note 1/39 -> effect 1 amount", "cc 1/1 -> effect 1 flash", "cc 1/2 -> effect 1 on",
      "program 1 -> effect 1 mode")
    for (bytes, expected) in [
      ([0x90, 36, 1], ["flash": [1]]), ([0x80, 36, 0], [:]),
      ([0x90, 37, 1], ["on": [1]]), ([0x90, 37, 0], [:]), ([0x90, 37, 9, 37, 0], ["on": [0]]),
      // Twice in one reading: the second key sees what the first one did.
      ([0x90, 37, 9, 37, 0, 37, 9, 37, 0], ["on": [0]]),
      ([0x90, 38, 1, 38, 0], ["mode": [7]]), ([0x90, 38, 1, 38, 0], ["mode": [9]]),
      ([0x90, 38, 1, 38, 0], ["mode": [5]]),
      ([0x90, 39, 127], ["amount": [4]]), ([0x80, 39, 0], ["amount": [2]]),
      // A knob fires when it passes its middle, upwards, also when it is back in the same reading.
      ([0xb0, 1, 127, 1, 0], ["flash": [1]]), ([0xb0, 1, 9, 1, 0], [:]),
      ([0xb0, 1, 63], [:]), ([0xb0, 1, 64], ["flash": [1]]), ([0xb0, 1, 127], [:]),
      ([0xb0, 1, 0], [:]), ([0xb0, 1, 127], ["flash": [1]]),
      ([0xb0, 2, 127], ["on": [1]]), ([0xb0, 2, 1], ["on": [0]]),
      ([0xc0, 1], ["mode": [7]]), ([0xc0, 3], [:]),
    ] as [([UInt8], [String: [Double]])] {
      try play(bytes, pickup, inbox)
      #expect(taken(inbox) == expected, "\(bytes)")
    }
  }

  @Test("a flood of messages leaves the newest values, and the thread ends")
  func flood() throws {
    let inbox = try inbox()
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = []
    for index in 0..<200_000 { bytes += [0xb0, 21, UInt8(index % 127)] }
    bytes += [0xb0, 21, 127]
    try folder.write(bytes, to: "flood")
    let reader = try SteeringThread(
      Handover(try midiInput(folder.file("flood"))),
      pickup: try pickup("cc 1/21 -> effect 1 amount"),
      glide: .zero, inbox: inbox, notify: { Issue.record("\($0)") })
    #expect(waitUntil { inbox.effects[0].parameters[0].value == [4] })
    reader.finish()
  }

  @Test("an input that cannot be read any more is told")
  func readError() throws {
    // Nothing is mapped at its first bytes.
    let input = try midiInput("/proc/self/mem")
    var sentences: [String] = []
    #expect(!input.read({ _ in }, notify: { sentences.append($0.message) }))
    #expect(sentences == ["/proc/self/mem cannot be read any more: Input/output error"])
  }

  @Test("what is no MIDI input is refused")
  func noInput() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("MThd....".utf8), to: "song.mid")
    for (path, sentence) in [("song.mid", "is a song"), ("none", "No such file")] {
      let error = #expect(throws: MIDIError.self) { try midiInput(folder.file(path)) }
      #expect(error?.description.contains(sentence) == true)
    }
    let isFolder = #expect(throws: MIDIError.self) { try midiInput(folder.path + "/") }
    #expect(isFolder?.description.contains("is a folder") == true)
    let error = #expect(throws: MIDIError.self) { try midiInput("no such device at all") }
    let text = error?.description ?? ""
    #expect(
      text.contains("there is no ALSA sequencer") || text.contains("no MIDI device is named")
        || text.contains("may not be opened"), "\(text)")
  }
}
