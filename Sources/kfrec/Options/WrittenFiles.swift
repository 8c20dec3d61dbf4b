import Capture
import Encode
import Recorder
import ShaderEffects

extension Options {
  /// The files of kfrec's own that the options name, besides those that a recording checks against its outputs.
  private var ownFiles: [(option: String, path: String)] {
    [
      ("--save-preset", savedPreset), ("--report", command == .batch ? report : nil),
      // A map that exists is read, and is changed only with -y.
      ("--midi-map", midiMap),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// What the options write beside these.
  private var otherFiles: [(option: String, path: String)] {
    outputs.map { ("-o", $0) }
      + [("--framehash", frameHashes), ("--automation", automation), ("--plan", plan)]
      .compactMap { option, path in path.map { (option, $0) } }
  }

  /// What the options read, with a word for each.
  var namedReads: [ReadFile] {
    func files(of input: String, _ role: String) -> [ReadFile] {
      SourceRequest(input: input).kind.paths(input).map { ReadFile(path: $0, role: role) }
    }
    let library = effectLibrary
    return (inputs + operands).flatMap { files(of: $0, "the input") }
      + [audioIn.map { ReadFile(path: $0.file.path, role: "the added audio") }].compactMap(\.self)
      + [automationIn.map { ReadFile(path: $0, role: "the automation") }].compactMap(\.self)
      + effects.compactMap { try? library.path(of: $0.name) }
      .map { ReadFile(path: $0, role: "an effect") } + presetsAndList
  }

  /// The files with options and inputs that are read.
  var presetsAndList: [ReadFile] {
    readPresets.map { ReadFile(path: $0, role: "the preset") }
      + [list].compactMap(\.self).filter { $0 != "-" }.map { ReadFile(path: $0, role: "the list") }
  }

  /// Throws if a file of kfrec's own would be written over another one that is written or read.
  func checkWrittenFiles() throws(CommandLineError) {
    let own = ownFiles
    guard !own.isEmpty else { return }
    let reads = namedReads
    for (place, file) in own.enumerated() {
      let others = own[..<place] + otherFiles
      if let other = others.first(where: { namesSameFile($0.path, file.path) }) {
        throw CommandLineError(
          "\(file.option) \(file.path) is the place of \(other.option) too; give one of them another name"
        )
      }
      if let read = reads.first(where: { namesSameFile($0.path, file.path) }) {
        throw CommandLineError(
          "\(file.option) \(file.path) would be written over \(read.path), \(read.role); name another file"
        )
      }
    }
  }
}
