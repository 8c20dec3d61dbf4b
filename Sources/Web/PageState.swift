import Control
import Frames
import ShaderEffects

/// What the page shows, as JSON; made again whenever somebody asks, and sent if it has changed.
struct PageState {
  private let recording: any PageRecording
  /// The latest text, and how often it has changed.
  private(set) var text = "{}"
  private(set) var version = 0
  private var looked: MonotonicTime?

  /// The shortest time between two looks at the recording for those who listen, in seconds.
  private static let interval = 0.1

  init(_ recording: any PageRecording) { self.recording = recording }

  /// Looks at the recording, unless that was just done.
  mutating func refresh(now: MonotonicTime, always: Bool = false) {
    if !always, let looked, now.seconds(since: looked) < Self.interval { return }
    looked = now
    let new = value.text
    if new != text { (text, version) = (new, version + 1) }
  }

  private var value: JSONValue {
    let said = recording.said
    return .object([
      ("title", .string(recording.title)),
      ("effects", .array(recording.inbox.effects.enumerated().map(Self.effect))),
      ("chainRefusal", .optional(recording.chainRefusal, JSONValue.string)),
      ("isPending", .bool(recording.isChainPending)),
      ("movie", Self.movie(recording.movie)),
      ("problem", .optional(recording.problem, JSONValue.string)),
      ("said", .object([("number", .int(said.number)), ("text", .string(said.text))])),
    ])
  }

  private static func movie(_ movie: PageMovie) -> JSONValue {
    switch movie {
    case .refused(let reason): .object([("refusal", .string(reason))])
    case .off: .object([("isOn", .bool(false))])
    case .on(let name):
      .object([("isOn", .bool(true)), ("name", .optional(name, JSONValue.string))])
    }
  }

  private static func effect(_ place: Int, _ effect: SteeredEffect) -> JSONValue {
    .object([
      ("id", .int(EffectID(effect, place: place).number)),
      ("name", .string(effect.name)), ("description", .string(effect.description)),
      ("countsFromBottom", .bool(effect.countsFromBottom)),
      ("isMuted", .bool(effect.mix?.value == [0])),
      // What a pointer does better than a slider comes behind the effect's own parameters.
      (
        "parameters",
        .array(
          (effect.reachable.filter { !PointerInput.isOne($0.name) }
            + effect.reachable.filter { PointerInput.isOne($0.name) }).map(parameter))
      ),
    ])
  }

  private static func parameter(_ parameter: SteeredEffect.Parameter) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(parameter.name)),
      ("label", .string(parameter.label.isEmpty ? parameter.name : parameter.label)),
      ("description", .string(parameter.description)), ("type", .string(parameter.type)),
      ("value", numbers(parameter.value)), ("usual", numbers(parameter.usual)),
    ]
    if let minimum = parameter.minimum { members.append(("min", numbers(minimum))) }
    if let maximum = parameter.maximum { members.append(("max", numbers(maximum))) }
    if !parameter.choices.isEmpty {
      let choices = parameter.choices.map { choice in
        JSONValue.object([("value", .number(choice.value)), ("label", .string(choice.label))])
      }
      members.append(("choices", .array(choices)))
    }
    return .object(members)
  }

  private static func numbers(_ numbers: [Double]) -> JSONValue {
    .array(numbers.map { .number($0) })
  }
}

extension SteeredEffect {
  /// The parameters; of two with one name only the later one can be reached.
  var reachable: [Parameter] {
    parameters.enumerated().filter { place, parameter in
      !parameters[(place + 1)...].contains { $0.name == parameter.name }
    }.map(\.element)
  }
}
