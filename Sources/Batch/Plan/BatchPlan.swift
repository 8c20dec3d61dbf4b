import Capture
import Encode
import Frames
import Glibc
import Recorder
import ShaderEffects

/// What a batch will do: each input with its output, and why it is done or not.
package struct BatchPlan: Sendable {
  /// One input and its output.
  package struct Item: Sendable {
    /// The text for `-i`.
    package let input: String
    /// The output's path, relative to the output folder.
    package let output: String
    /// Why the output is made, as words; nil if it is done already.
    package internal(set) var reason: String?
    /// What the output is made of; nil before `compare`.
    fileprivate(set) var fingerprint: ResultFingerprint?
    /// What an earlier batch made in the output's place; another file is not replaced.
    fileprivate(set) var earlier: Journal.Result?
    /// The size of the input in bytes; 0 if it is not one file.
    package var inputBytes: Int64 { fingerprint?.input.size ?? 0 }
    /// What the output holds, if it is done already.
    package fileprivate(set) var kept: MadeOutput?
    /// What a list says of the input instead of the command; nil if nothing.
    let own: InputSettings.Own?

    package func isSameOutput(as other: Item) -> Bool {
      ExactPath(output) == ExactPath(other.output)
    }
  }

  package private(set) var items: [Item] = []
  /// Files of the input folders that are no inputs.
  package let skipped: [SkippedFile]

  /// Items that are not done yet.
  package var pending: Int { items.count { $0.reason != nil } }

  /// Files that outputs of arrivals must not be written over, by their identity; empty if no folder is watched.
  let read: [FileIdentity: String]

  private let request: BatchRequest
  private let effectFiles: EffectFiles

  /// Finds the inputs and names the outputs, unless the plan of a farm has dealt them; nothing is written.
  ///
  /// - Throws: A usage error if two inputs have one output, or if an output is an input.
  init(
    _ request: BatchRequest, effectFiles: EffectFiles, dealt: [FarmPlan.Item]? = nil
  ) throws(BatchError) {
    (self.request, self.effectFiles) = (request, effectFiles)
    let found =
      if let dealt { BatchInputs(dealt, listed: request.listed) } else { try BatchInputs(request) }
    skipped = found.skipped
    var read: [FileIdentity: String] = [:]
    for path in found.inputs.flatMap({ SourceRequest(input: $0.path).kind.paths($0.path) })
      + effectFiles.all + request.recording.otherReads.map(\.path)
    {
      if let identity = FileIdentity(behind: path) { read[identity] = path }
    }
    self.read = request.watched.isEmpty ? [:] : read
    var places: [ExactPath: BatchInput] = [:]
    for (number, input) in found.inputs.enumerated() {
      let output =
        dealt?[number].output ?? output(of: input, number: (number + 1, found.inputs.count))
      if let other = places.updateValue(input, forKey: ExactPath(output)) {
        let isNamed = [other, input].contains { $0.listed?.settings?.output != nil }
        let remedy =
          isNamed
          ? "change \"output\" in one of the lines"
          : "give --name a pattern that tells them apart, such as {index}-{stem}{ext}"
        let error = BatchError(
          "\(other.path) and \(input.path) would both become \(request.outputFolder)/\(output); \(remedy)",
          isUsageError: true)
        throw input.listed?.placed(error) ?? error
      }
      guard OutputSet.isOneFile(output.split(separator: "/").last.map(String.init) ?? output) else {
        throw BatchError(
          "\(output) would be several files, and a batch makes one for each input; give --name another ending",
          isUsageError: true)
      }
      if let refusal = BatchPlan.refusal(of: request.outputFolder + "/" + output, read) {
        throw BatchError(refusal, isUsageError: true)
      }
      items.append(
        Item(
          input: input.path, output: output, reason: "new", own: input.listed?.settings?.own))
    }
    try checkReport(read)
  }

  /// Why no output may be made in a place: a file is there that is read; nil if there is none.
  static func refusal(of place: String, _ read: [FileIdentity: String]) -> String? {
    // The file may be gone, and its number be that of another one.
    guard let there = FileIdentity(behind: place), let path = read[there],
      FileIdentity(behind: path) == there
    else { return nil }
    return
      "\(place) would be written over \(path), which is read; choose another --output-dir or --name"
  }

  /// Throws if the report would be written over a file that is read, or over an output.
  private func checkReport(_ read: [FileIdentity: String]) throws(BatchError) {
    guard let report = request.report else { return }
    let name = report.split(separator: "/").last
    let other =
      FileIdentity(behind: report).flatMap { read[$0] }
      ?? items.lazy.filter { $0.output.split(separator: "/").last == name }
      .map { [request] in request.outputFolder + "/" + $0.output }
      .first { namesSameFile($0, report) }
    guard let other else { return }
    throw BatchError(
      "--report \(report) would be written over \(other); name another file, such as report.json",
      isUsageError: true)
  }

  /// Returns the path of an input's output, relative to the output folder.
  private func output(of input: BatchInput, number: (own: Int, last: Int)) -> String {
    if let output = input.listed?.settings?.output { return output }
    let recording = input.listed?.settings?.own?.recording ?? request.recording
    let name = request.outputName.name(
      for: input.path, number: number,
      effects: recording.effects.map { BatchPlan.plainName($0.name) },
      fileExtension: BatchPlan.fileExtension(for: input.path, recording.container))
    return input.folder.isEmpty ? name : input.folder + "/" + name
  }

  /// Says of each output whether it is done, and if not, why.
  ///
  /// - Parameter results: What the journal calls done.
  mutating func compare(with results: [ExactPath: Journal.Result]) {
    for (index, item) in items.enumerated() {
      items[index] = compared(item, with: results[item.output])
    }
  }

  /// Returns the item with its fingerprint, and whether its output is done, given what was done before in its place.
  private func compared(_ item: Item, with earlier: Journal.Result?) -> Item {
    var item = item
    let fingerprint = fingerprint(of: item, earlier: earlier?.fingerprint?.input)
    let place = request.outputFolder + "/" + item.output
    item.fingerprint = fingerprint
    item.earlier = earlier
    item.reason =
      request.redoesAll
      ? "--force" : BatchPlan.reason(fingerprint, earlier: earlier, place: place)
    guard item.reason == nil, let earlier else { return item }
    item.kept = MadeOutput(
      frames: earlier.frames, bytes: earlier.file.bytes, duration: earlier.duration,
      flaw: earlier.flaw, warnings: earlier.warnings)
    return item
  }

  private func fingerprint(of item: Item, earlier: InputFingerprint?) -> ResultFingerprint {
    let words = item.own?.words ?? request.words
    return ResultFingerprint(
      input: InputFingerprint(
        path: item.input, isWhole: request.hashesWholeInputs, earlier: earlier),
      effectFiles: effectFiles.hashes(of: item.own?.chain), effects: words.effects,
      options: words.options, version: request.version,
      typed: .init(effects: words.typedEffects, options: words.typedOptions))
  }

  /// Notes what an item is made of when it is made, and not when it was planned.
  ///
  /// - Parameter item: The item; its fingerprint becomes that of the files as they are now.
  /// - Returns: The files, to be checked when they were read.
  func refresh(_ item: inout Item) -> ReadFiles {
    let read = ReadFiles(
      InputFingerprint.files(of: item.input).filter { FileStamp($0) != nil }
        + effectFiles.files(of: item.own?.chain))
    item.fingerprint = fingerprint(of: item, earlier: item.fingerprint?.input)
    return read
  }

  /// Returns the item of an input that came while the batch runs.
  func arrival(_ input: BatchInput, after earlier: (String) -> Journal.Result?) -> Item {
    let item = Item(
      input: input.path, output: output(of: input, number: (1, 1)), reason: "new", own: nil)
    return compared(item, with: earlier(item.output))
  }

  /// Returns why an output must be made; nil if it is there and made of the same.
  private static func reason(
    _ fingerprint: ResultFingerprint, earlier: Journal.Result?, place: String
  ) -> String? {
    guard let earlier else {
      return OutputFile(at: place) == nil
        ? "new" : "exists and is not from this batch; -y replaces it"
    }
    guard OutputFile(at: place) != nil else { return "the output is missing" }
    guard let made = earlier.fingerprint else { return "its line of the journal is damaged" }
    guard earlier.isAt(place) else { return "the output changed; --force makes it again" }
    return fingerprint.difference(from: made)
  }

  /// The extension of an output without its dot: a single image keeps its kind if it can be written, else it becomes a PNG, and
  /// everything else a movie.
  private static func fileExtension(for input: String, _ container: String?) -> String {
    if let container { return Container(named: container)?.usualExtension ?? container }
    let ending = input.split(separator: ".").last?.lowercased() ?? ""
    guard BatchInputs.images.contains(ending), !input.contains("%") else { return "mov" }
    return ["jpg": "jpg", "jpeg": "jpg", "webp": "webp"][ending] ?? "png"
  }

  /// The name of an effect without the folder and the extension of its file.
  private static func plainName(_ word: String) -> String {
    let name = word.split(separator: "/").last.map(String.init) ?? word
    return word.contains("/") ? EffectLibrary.name(ofPath: name) : name
  }
}
