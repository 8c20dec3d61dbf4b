import Frames
import Glibc
import TestSupport
import Testing

@testable import Control
@testable import ShaderEffects

extension MIDITests {
  @Test("a knob that is moved is learned and kept in the file, with 14 bits if it has them")
  func learning() throws {
    let inbox = try inbox()
    let folder = try TemporaryFolder()
    let path = folder.file("new/a.map")
    let pickup = MIDIPickup(try MIDIMap(path: path, mayBeMissing: true))
    let rows = ListedParameter.all(of: inbox.effects)
    let amount = MIDITarget(rows[0], part: 0)
    let spot = MIDITarget(rows[2], part: 1)
    #expect(pickup.learn(amount).contains("move a knob"))
    #expect(pickup.label(of: amount, in: rows) == "move a knob")
    // A key that is released is not meant.
    try play([0x80, 36, 0, 0xb0, 21, 127], pickup, inbox)
    #expect(pickup.label(of: amount, in: rows) == "cc 1/21")
    #expect(taken(inbox) == ["amount": [4]])
    try play([0xb0, 22, 127, 21, 0], pickup, inbox)
    #expect(taken(inbox) == ["amount": [2]])
    _ = pickup.learn(spot)
    try play([0xb0, 7, 127, 39, 127], pickup, inbox)
    #expect(pickup.label(of: spot, in: rows) == "cc14 1/7")
    #expect(taken(inbox) == ["spot": [0.25, 1]])
    func file() throws -> String { String(decoding: try readFile(path), as: UTF8.self) }
    #expect(try file() == "cc 1/21 -> effect 1 amount\ncc14 1/7 -> effect 1 spot.y\n")
    // The same knob for another parameter, and a map that may not be changed.
    var kept = try MIDIMap(path: path, replacing: true)
    let line = try #require(try MIDIBinding(parsing: "cc 1/21 -> effect 1 mix"))
    kept.learn(line)
    #expect(kept.save() == nil)
    #expect(try file() == "cc14 1/7 -> effect 1 spot.y\ncc 1/21 -> effect 1 mix\n")
    var closed = try MIDIMap(path: path)
    closed.learn(line)
    #expect(closed.save()?.contains("with -y") == true)
    #expect(pickup.learn(amount).contains("move") && pickup.learn(amount).contains("nothing"))
  }

  /// Learns what moves for the component spot.y; returns what the list shows.
  private func learned(_ readings: (bytes: [UInt8], time: Rational)...) throws -> String {
    let inbox = try inbox()
    let pickup = MIDIPickup(try MIDIMap(path: nil))
    let rows = ListedParameter.all(of: inbox.effects)
    let spot = MIDITarget(rows[2], part: 1)
    _ = pickup.learn(spot)
    for reading in readings { try play(reading.bytes, pickup, inbox, at: reading.time) }
    return pickup.label(of: spot, in: rows)
  }

  @Test("the first knob of a reading is learned, however often the others move")
  func first() throws {
    #expect(try learned(([0xb0, 21, 1, 22, 5, 21, 9, 22, 6], .zero)) == "cc 1/21")
    #expect(try learned(([0xb0, 7, 9, 39, 9, 7, 8, 39, 7], .zero)) == "cc14 1/7")
  }

  @Test("the low half of a fader follows soon; what comes later is another knob")
  func lowHalf() throws {
    let fader: [UInt8] = [0xb0, 7, 127]
    let second: [UInt8] = [0xb0, 39, 127]
    #expect(try learned((fader, Rational(1)), (second, Rational(105, 100))) == "cc14 1/7")
    #expect(try learned((fader, Rational(1)), (second, Rational(2))) == "cc 1/7")
  }

  @Test(
    "controllers 6 and 38 are knobs while nothing is selected on their channel",
    arguments: [
      ([0xb0, 6, 5], "cc 1/6"), ([0xb0, 38, 5], "cc 1/38"),
      ([0xb1, 101, 0, 100, 0, 0xb0, 6, 5], "cc 1/6"),
      ([0xb0, 101, 127, 100, 127, 6, 5], "cc 1/6"),
      ([0xb0, 101, 0, 100, 0, 6, 5, 38, 5, 20, 1], "cc 1/20"),
      ([0xb0, 99, 2, 98, 44, 6, 5], "nrpn 1/300"), ([0xb0, 98, 1, 101, 1], "move a knob"),
    ] as [([UInt8], String)])
  func data(_ bytes: [UInt8], _ label: String) throws {
    #expect(try learned((bytes, .zero)) == label)
  }

  @Test(
    "a line must name a component of a parameter that has several, and none of others",
    arguments: [
      ("spot.y", nil), ("amount", nil), ("spot.z", "spot.x or spot.y"),
      ("spot", "spot.x or spot.y"), ("amount.x", "amount"),
    ] as [(String, String?)])
  func components(_ name: String, _ remedy: String?) throws {
    let pickup = try pickup("cc 1/1 -> effect 1 \(name)")
    let chain: [(name: String, parameters: [(names: [String], type: String)])] = [
      ("all", [(["amount"], "float"), (["spot"], "point2D")])
    ]
    guard let remedy else { return try pickup.check(chain) }
    let error = #expect(throws: MIDIError.self) { try pickup.check(chain) }
    #expect(error?.description.contains("no parameter '\(name)'; write \(remedy)") == true)
    #expect(error?.isUsageError == true)
  }

  @Test("a map that is a link stays one")
  func link() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("cc 1/1 -> effect 1 mix\n".utf8), to: "real.map")
    try #require(symlink("real.map", folder.file("link.map")) == 0)
    var map = try MIDIMap(path: folder.file("link.map"), replacing: true)
    map.learn(try #require(try MIDIBinding(parsing: "cc 1/2 -> effect 1 mix")))
    #expect(map.save() == nil)
    #expect(
      try String(decoding: readFile(folder.file("real.map")), as: UTF8.self)
        == "cc 1/1 -> effect 1 mix\ncc 1/2 -> effect 1 mix\n")
    var target = [CChar](repeating: 0, count: 64)
    #expect(readlink(folder.file("link.map"), &target, target.count) == 8)
    #expect(folder.names.sorted() == ["link.map", "real.map"])
  }
}
