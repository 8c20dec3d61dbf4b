import Frames
import ShaderEffects
import Testing

@testable import Control

/// Tests of packets of Open Sound Control, made here byte by byte.
@Suite struct OSCTests {
  private func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
  }

  private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private func message(_ address: String, _ types: String, _ arguments: [UInt8]...) -> [UInt8] {
    text(address) + text("," + types) + arguments.flatMap { $0 }
  }

  private func commands(_ packet: [UInt8]) throws -> [ControlCommand] {
    try OSCMessage.parse(packet[...]).map { try $0.command() }
  }

  private func change(
    _ place: EffectPlace, _ parameter: String, _ value: GivenValue
  ) -> ControlCommand {
    .change(place: place, parameter: parameter, value: value, glide: nil)
  }

  @Test("Each type of argument gives its value")
  func types() throws {
    let packet = message(
      "/effect/1/amount", "fidhTF", big(Float(0.5).bitPattern), big(Int32(-3)),
      big(Double(0.1).bitPattern), big(Int64(1 << 40)))
    #expect(
      try commands(packet)
        == [change(.number(1), "amount", .numbers([0.5, -3, 0.1, 1_099_511_627_776, 1, 0]))])
    #expect(
      try commands(message("/effect/vignette/tint", "s", text("ff8000")))
        == [change(.name("vignette"), "tint", .text("ff8000"))])
    #expect(
      try commands(message("/flash", "")) == [change(.firstWithParameter, "flash", .numbers([]))])
    // Without types, as some old programs send it.
    #expect(try commands(text("/abc")) == [change(.firstWithParameter, "abc", .numbers([]))])
    #expect(
      try commands(message("/glide", "f", big(Float(250).bitPattern))) == [.glide(Rational(1, 4))])
  }

  @Test("The messages of bundles, also of bundles in bundles, come in their order")
  func bundles() throws {
    func bundle(_ packets: [UInt8]...) -> [UInt8] {
      text("#bundle") + big(UInt64(1))
        + packets.flatMap { big(Int32($0.count)) + $0 }
    }
    let (a, b, c) = (message("/a", "T"), message("/b", "F"), message("/c", "T"))
    #expect(
      try commands(bundle(a, bundle(b, bundle()), c))
        == [
          change(.firstWithParameter, "a", .numbers([1])),
          change(.firstWithParameter, "b", .numbers([0])),
          change(.firstWithParameter, "c", .numbers([1])),
        ])
    var deep = a
    for _ in 0..<1000 { deep = bundle(deep) }
    #expect(throws: ControlError.self) { try OSCMessage.parse(deep[...]) }
  }

  @Test(
    "A packet that is cut off anywhere, or has any byte changed, is an error or another message")
  func damaged() throws {
    let packet =
      text("#bundle") + big(UInt64(1)) + big(Int32(24))
      + message("/effect/1/a", "fs", big(Float(1).bitPattern), text("x"))
    for count in 0..<packet.count {
      #expect(throws: ControlError.self) {
        // A bundle that ends after its head is empty, and whole.
        if count == 16 { throw ControlError("") }
        _ = try commands(Array(packet[..<count]))
      }
    }
    for place in packet.indices {
      for byte in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var other = packet
        other[place] = byte
        _ = try? commands(other)
      }
    }
  }

  @Test("Addresses and arguments that mean nothing are refused")
  func mistakes() {
    for packet in [
      [], [0], Array("hello".utf8), text("hello"), text("/"), text("/effect/1"),
      message("/effect/1/a/b", "T"), message("/x/1/a", "T"), message("/glide", "s", text("x")),
      message("/glide", "f", big(Float.nan.bitPattern)), message("/a", "b", big(Int32(0))),
      message("/a", "fs", big(Float(1).bitPattern), text("x")), text("/a") + text("f"),
      text("#bundle") + big(UInt64(1)) + big(Int32(-4)), text("#bundlf") + big(UInt64(1)),
    ] {
      #expect(throws: ControlError.self, "\(packet)") { try commands(packet) }
    }
  }
}
