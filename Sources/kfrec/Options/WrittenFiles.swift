import Batch
import Capture
import Control
import Encode
import Recorder
import Settings
import ShaderEffects

extension Options {
  /// The files of kfrec's own that the options name, besides those that a recording checks against its outputs.
  private var ownFiles: [(option: String, path: String)] {
    [
      ("--save-preset", savedPreset), ("--report", command == .batch ? batch.report : nil),
      // A map that exists is read, and is changed only with -y.
      ("--midi-map", control.midiMap),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// What the options write beside these.
  private var otherFiles: [(option: String, path: String)] {
    recording.outputs.map { ("-o", $0) }
      + [
        ("--framehash", recording.frameHashes), ("--automation", recording.automation),
        ("--plan", farm.plan),
      ]
      .compactMap { option, path in path.map { (option, $0) } }
  }

  /// What the options read, with a word for each.
  var namedReads: [ReadFile] {
    func files(of input: String, _ role: String) -> [ReadFile] {
      SourceRequest(input: input).kind.paths(input).map { ReadFile(path: $0, role: role) }
    }
    var reads = (inputs.map(\.name) + operands).flatMap { files(of: $0, "the input") }
    if let audioIn = recording.addedAudio {
      reads += MediaPlaylist.files(readFor: audioIn.file.path).map {
        ReadFile(path: $0, role: "the added audio")
      }
    }
    reads += ([recording.subtitles].compactMap(\.self) + recording.subtitleTracks.map(\.path)).map {
      ReadFile(path: $0, role: "the subtitles")
    }
    if let automationIn = recording.automationIn {
      reads.append(ReadFile(path: automationIn, role: "the automation"))
    }
    let library = effectLibrary
    for effect in recording.effects {
      guard let path = try? library.path(of: effect.name) else { continue }
      reads.append(ReadFile(path: path, role: "an effect"))
    }
    return reads + presetsAndList
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
    // Not even with -y: without its journal the batch takes its outputs for those of somebody else.
    if command == .batch, let report = batch.report,
      isBatchFile(
        report, outputFolder: batch.outputFolder.isEmpty ? "." : batch.outputFolder)
    {
      throw CommandLineError(
        "--report \(report) is the name of the batch's own files; name another file, such as report.json"
      )
    }
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
