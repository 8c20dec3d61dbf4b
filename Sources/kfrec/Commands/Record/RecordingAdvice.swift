import Capture
import Encode
import Frames
import Recorder
import Settings

extension Options {
  /// Throws if the input is a folder, which is a batch.
  func checkFolders() throws(CommandLineError) {
    let sources = typed.filter { $0.name == "input" }.map(\.value)
    guard let folder = sources.first(where: { FileIdentity(behind: $0)?.isFolder == true }) else {
      return
    }
    let effects = typed.filter { $0.name == "effect" }.map { "-e \(shellWord($0.value)) " }.joined()
    guard command == .record else {
      throw CommandLineError(
        "\(folder) is a folder; kfrec play \(shellWord(folder)) plays what is in it")
    }
    let output =
      recording.outputs.first { $0.hasSuffix("/") || FileIdentity(behind: $0)?.isFolder == true }
      ?? "out"
    throw CommandLineError(
      "\(folder) is a folder; kfrec batch \(shellWord(folder)) \(effects)--output-dir \(shellWord(output)) makes an "
        + "output of each file in it")
  }

  /// What a person should know about options that do not do what they may be meant for.
  var advice: [String] {
    guard command == .record, isGiven("scale"), recording.size == nil, inputs.count == 1 else {
      return []
    }
    let scale = recording.scale
    let how = scale == .fill ? "fill" : scale == .fit ? "fit" : "stretch"
    return [
      recording.source.arrangement.aspect == nil
        ? "warning: without --size, --scale \(how) acts only on later frames of another shape; add a size, such as --size 720x720"
        : "warning: --aspect squeezes the picture into its shape, and --scale \(how) does nothing about that: "
          + "--size 720x720 --scale fill without --aspect cuts the picture instead"
    ]
  }
}
