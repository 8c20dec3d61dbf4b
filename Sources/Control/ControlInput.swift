import Frames
import ShaderEffects

/// Where control comes from, and what is made of its bytes.
protocol ControlInput {
  /// Takes the bytes of one reading.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ giver: inout ControlGiver)
  /// Takes what is left when the input has ended.
  mutating func end(_ giver: inout ControlGiver)
}

/// Passes the requested changes to the inbox, and reports mistakes.
struct ControlGiver {
  let inbox: ParameterInbox
  /// The glide of changes that say none, in seconds.
  var glide: Rational
  var mistakes: MistakeCounter
  /// Whether numbers out of range become the nearest that are allowed, as other programs that take Open Sound Control do.
  var clamps = false
  /// Numbers that were out of range.
  var clamped = 0

  /// Does what a text or a message asks for; `place` says where a mistake is, to begin a sentence.
  mutating func act(
    _ place: @autoclosure () -> String, _ command: () throws -> ControlCommand?
  ) {
    do {
      switch try command() {
      case nil: break
      case .glide(let seconds)?: glide = seconds
      case .change(let effect, let parameter, let value, let own)?:
        let isClamped = try inbox.give(
          value, to: parameter, of: effect, glide: own ?? glide, clamps: clamps)
        if isClamped { clamped += 1 }
      }
    } catch {
      // The recording may have ended since the bytes were read.
      if !inbox.isClosed { mistakes.add("\(place()): \(error)") }
    }
  }

  /// Reports what was not reported yet, when the input called `name` has ended.
  mutating func finish(_ name: String) {
    mistakes.finish()
    guard clamped > 0 else { return }
    mistakes.tell(
      "\(clamped == 1 ? "1 value of \(name) was" : "\(clamped) values of \(name) were") out of range; the nearest allowed acted"
    )
  }
}

struct ControlLines: ControlInput {
  /// The name of the input in messages.
  let name: String
  var lines = LineSplitter(limit: ControlLines.longest)
  var number = 0

  /// The longest line in bytes.
  static let longest = 4096

  mutating func take(_ bytes: ArraySlice<UInt8>, _ giver: inout ControlGiver) {
    withSplitter { splitter, act in splitter.add(bytes) { act($0, &giver) } }
  }

  mutating func end(_ giver: inout ControlGiver) {
    withSplitter { splitter, act in splitter.end { act($0, &giver) } }
  }

  /// Lends the splitter, so that it is not copied, with what acts on its lines.
  private mutating func withSplitter(
    _ body: (inout LineSplitter, (LineSplitter.Line, inout ControlGiver) -> Void) -> Void
  ) {
    var taken = LineSplitter(limit: 0)
    swap(&taken, &lines)
    body(&taken) { act($0, &$1) }
    swap(&taken, &lines)
  }

  private mutating func act(_ line: LineSplitter.Line, _ giver: inout ControlGiver) {
    number += 1
    giver.act("line \(number) of \(name)") {
      guard case .whole(let bytes) = line else {
        throw ControlError("it is longer than \(ControlLines.longest) bytes")
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ControlError("it is not UTF-8")
      }
      return try ControlCommand.parse(text)
    }
  }
}

struct OSCPackets: ControlInput {
  /// The name of the port in messages.
  let name: String

  mutating func take(_ bytes: ArraySlice<UInt8>, _ giver: inout ControlGiver) {
    let messages: [OSCMessage]
    do throws(ControlError) { messages = try OSCMessage.parse(bytes) } catch {
      giver.act("a packet at \(name)") { throw error }
      return
    }
    for message in messages { giver.act("a packet at \(name)") { try message.command() } }
  }

  mutating func end(_ giver: inout ControlGiver) {}
}
