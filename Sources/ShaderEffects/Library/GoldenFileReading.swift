import Frames

extension GoldenFile.Case {
  /// Sets a value that a file may also give for all of its cases; false for any other key.
  mutating func setShared(_ member: LocatedJSON.Member) throws(LocatedError) -> Bool {
    let value = member.value
    switch member.key {
    case "frame":
      frame = try value.string("frame")
      guard !frame.isEmpty else {
        throw value.mistake("frame is \"reference\", \"moving\" or the path of an image")
      }
    case "size":
      let sides = try value.string("size").split(separator: "x").map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ 1...4096 ~= $0 }) else {
        throw value.mistake("size is WIDTHxHEIGHT, such as \"320x180\", 4096 at most")
      }
      size = (sides[0], sides[1])
    case "limits": try limits.read(value)
    default: return false
    }
    return true
  }

  /// Sets a value that only a case has; false for any other key.
  mutating func setOwn(_ member: LocatedJSON.Member) throws(LocatedError) -> Bool {
    let value = member.value
    switch member.key {
    case "name":
      name = try value.string("name")
      guard !name.isEmpty, name.first != ".", !name.contains(where: { "/\\ ".contains($0) }) else {
        throw value.mistake("a case's name is part of a file name: no space, no / and no \\")
      }
    case "parameters":
      parameters = try value.string("parameters")
      parametersOffset = value.offset
    case "times":
      times = []
      for item in try value.items("times") {
        let time = Rational(seconds: try item.number("a time"))
        guard time >= .zero, times.last.map({ $0 < time }) ?? true else {
          throw item.mistake("times are seconds, 0 or more, and must increase")
        }
        times.append(time)
      }
      guard 1...1000 ~= times.count else {
        throw value.mistake("times are 1 to 1000 numbers")
      }
    case "leadUp":
      let count = try value.number("leadUp")
      guard let whole = Int(exactly: count), 0...1000 ~= whole else {
        throw value.mistake("leadUp is a whole number of frames, 1000 at most")
      }
      leadUp = whole
    case "compare":
      let word = try value.string("compare")
      guard ["last", "all"].contains(word) else {
        throw value.mistake("compare is \"last\" or \"all\"")
      }
      comparesAll = word == "all"
    default: return false
    }
    return true
  }
}

extension GoldenFile.Limits {
  /// Reads `{"max", "rms"}` for every GPU, or one such object each for `software` and `others`.
  mutating func read(_ json: LocatedJSON) throws(LocatedError) {
    for member in try json.members("limits") {
      switch member.key {
      case "software": try software.read(member.value, "software")
      case "others": try others.read(member.value, "others")
      case "max", "rms":
        try software.set(member)
        try others.set(member)
      default: throw member.unknown(among: ["max", "rms", "software", "others"])
      }
    }
  }
}

extension GoldenFile.Looks {
  /// Reads a number, or `{"bound", "parameters"}`.
  init(_ json: LocatedJSON) throws(LocatedError) {
    var (bound, words): (LocatedJSON?, String) = (json, "")
    if case .object = json.value {
      bound = nil
      for member in try json.members("looks") {
        switch member.key {
        case "bound": bound = member.value
        case "parameters": words = try member.value.string("parameters")
        default: throw member.unknown(among: ["bound", "parameters"])
        }
      }
    }
    guard let bound else {
      throw json.mistake("looks needs a bound")
    }
    let number = try bound.number("looks")
    guard 0...255 ~= number else {
      throw bound.mistake("looks is in 8-bit code values, 0 to 255")
    }
    self.init(bound: number, parameters: words)
  }
}

extension GoldenLimit {
  fileprivate mutating func read(_ json: LocatedJSON, _ name: String) throws(LocatedError) {
    for member in try json.members(name) {
      guard ["max", "rms"].contains(member.key) else {
        throw member.unknown(among: ["max", "rms"])
      }
      try set(member)
    }
  }

  fileprivate mutating func set(_ member: LocatedJSON.Member) throws(LocatedError) {
    let number = try member.value.number(member.key)
    guard 0...255 ~= number else {
      throw member.value.mistake("\(member.key) is in 8-bit code values, 0 to 255")
    }
    if member.key == "max" { maximum = number } else { rootMeanSquare = number }
  }
}

extension LocatedJSON.Member {
  func unknown(among keys: [String]) -> LocatedError {
    let near = NearNames.suggestion(key, in: keys)
    return LocatedError(
      offset: keyOffset,
      message: "unknown key \"\(key)\""
        + (near.isEmpty ? "; the keys are \(keys.joined(separator: ", "))" : near))
  }
}
