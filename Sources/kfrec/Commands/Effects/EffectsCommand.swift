import Recorder
import Settings
import ShaderEffects

/// `kfrec effects`: lists what can follow `-e`.
struct EffectsCommand {
  let words: Options

  func text() throws -> String {
    let library = words.effectLibrary
    guard let word = words.operands.first else { return text(try library.descriptions()) }
    do {
      let effect = try library.describe(word)
      return words.json ? jsonListing([effect.json]) : words.brokenNames.visible(describe(effect))
    } catch {
      // An effect that exists and is wrong, or a path.
      guard error.isUsageError, !word.contains("/") else { throw error }
      let found = try library.descriptions().filter { Self.isAbout(word, $0) }
      guard !found.isEmpty else { throw error }
      return text(found)
    }
  }

  private func text(_ effects: [EffectDescription]) -> String {
    // Text from an effect file goes to a terminal.
    words.json ? jsonListing(effects.map(\.json)) : words.brokenNames.visible(list(effects))
  }

  /// Returns whether the name, a category or the description of an effect contains a word, in any case.
  private static func isAbout(_ word: String, _ effect: EffectDescription) -> Bool {
    let word = word.lowercased()
    return ([effect.name, effect.description] + effect.categories).contains {
      $0.lowercased().contains(word)
    }
  }

  private func list(_ effects: [EffectDescription]) -> String {
    let column = min(24, (effects.map(\.name.count).max() ?? 0) + 2)
    return effects.map { effect in
      // Only the first line of a diagnostic fits in a column, not the source line and its caret.
      let problem = effect.problem?.split(separator: "\n").first.map(String.init)
      return hang(visibleName(effect.name), problem ?? effect.description, column: column)
    }.joined()
  }

  private func describe(_ effect: EffectDescription) -> String {
    var text =
      wrap("\(visibleName(effect.name)): \(effect.description)", width: 80)
      .joined(separator: "\n") + "\n"
    if !effect.categories.isEmpty {
      text += "Categories: " + visibleName(effect.categories.joined(separator: ", ")) + "\n"
    }
    text += "File: \(visibleName(effect.path))\n"
    guard !effect.inputs.isEmpty else { return text + "It has no parameters.\n" }
    let column = min(24, (effect.inputs.map(\.name.count).max() ?? 0) + 4)
    return text + "Parameters:\n"
      + effect.inputs.map { hang("  " + $0.name, facts($0), column: column) }.joined()
  }

  private func facts(_ input: EffectInputDescription) -> String {
    let type =
      switch input.type {
      case "image":
        "image: the path of an image" + (input.isRequired ? ", which the effect needs" : "")
      case "event": "event: fires at the seconds given, \(input.name)@2 or \(input.name)@2@5.5"
      default: input.type
      }
    var parts = [type]
    switch (input.minText, input.maxText) {
    case (let low?, let high?): parts.append("\(low) to \(high)")
    case (let low?, nil): parts.append("\(low) or more")
    case (nil, let high?): parts.append("\(high) or less")
    case (nil, nil): break
    }
    if !input.labels.isEmpty { parts.append(orList(input.labels)) }
    if !input.defaultText.isEmpty { parts.append("default \(input.defaultText)") }
    if !input.aliases.isEmpty {
      parts.append("also called \(input.aliases.joined(separator: ", "))")
    }
    let words = parts.joined(separator: ", ")
    return input.description.isEmpty ? words : "\(words): \(input.description)"
  }
}

extension Options {
  /// The effects that the options let kfrec find and read.
  var effectLibrary: EffectLibrary {
    EffectLibrary(folders: recording.effectFolders, readable: recording.readableFolders)
  }
}

/// A name on the left, and its text, wrapped into lines, in a column on the right.
func hang(_ name: String, _ text: String, column: Int) -> String {
  let indent = String(repeating: " ", count: column)
  let start = name.count + 2 <= column ? name + indent.dropFirst(name.count) : name + "\n" + indent
  return start + wrap(text, width: HelpText.width - column).joined(separator: "\n" + indent) + "\n"
}

/// A JSON array with one object per line.
func jsonListing(_ objects: [String]) -> String {
  objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
}
