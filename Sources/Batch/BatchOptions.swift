import Frames
package import Settings

extension BatchRequest {
  /// What is made of many inputs, and how often.
  package static let options: [OptionRow<BatchRequest>] = [
    .value(
      "output-dir", taking: .folder(), into: \.outputFolder, in: .batch, of: [.batch],
      help: "The folder for the outputs",
      details: """
        It is made if it does not exist. Its file .kfrec-batch.jsonl is the journal: the same command again makes \
        only what is missing, or what was made of another input, effect or option.
        """),
    .value(
      "name", taking: .outputName, into: \.outputName, in: .batch, of: [.batch],
      help: "How outputs are named",
      details: """
        Default: {stem}{ext}. {stem} is the name of the input without its extension, {name} with it, {ext} the \
        extension of the output (.mov; .jpg, .webp or .png for an image; or that of --container), {effect} the names of the \
        effects, {index} the number of the input. The folders below an input folder are kept.
        """),
    .list(
      "watch", taking: .folder(), into: \.watched, in: .batch, of: [.batch],
      help: "Also take the files of this folder as they arrive, until Ctrl-C",
      details: """
        A file is taken when it is complete: when its writer closes it or renames it into place; on a network drive \
        and at the start, when it did not change for 10 seconds. A file that changes is taken again. Exit code 0 if \
        Ctrl-C interrupted no recording, else 75.
        """),
    .flag(
      "recursive", in: .batch, of: [.batch], traits: .once,
      help: "Also take the folders inside input folders"
    ) { $0.entersSubfolders = true },
    .value(
      "jobs", taking: .number(in: 1...256), into: \.jobs, in: .batch, of: [.batch],
      traits: .machine,
      help: "Recordings at the same time",
      details: """
        Without this option kfrec begins with two, and adds recordings while processors and memory are free.
        """),
    .value(
      "chunks", taking: .chunks, into: \.chunks, in: .batch, of: [.batch],
      help: "Cut long inputs, render the chunks apart and join them",
      details: """
        auto makes chunks of about a minute. A whole number is the number of chunks of each input, a time such as 5:00 \
        or 90s their shortest length. Chunks are kept when the batch is stopped. They need a constant quality: --crf, or \
        a codec such as ffv1. The input stays whole if it cannot be cut exactly, and kfrec says why.
        """),
    .value(
      "chunk-lead-in", taking: .number(in: 0...100_000), into: \.chunkLeadIn, in: .batch,
      of: [.batch], help: "Render this many frames before each chunk too",
      details: """
        These frames are left out of the output. Default: the number of earlier frames that the effects \
        read. An effect that keeps its own result, or reads the audio, needs all earlier frames, so its input \
        stays whole without this option.
        """),
    .value(
      "retries", taking: .number(in: 0...100), into: \.retries, in: .batch, of: [.batch],
      help: "Try an input that failed this many times more", details: "Default: 0."),
    .flag(
      "fail-fast", in: .batch, of: [.batch], help: "End with the first input that fails",
      details: "Without this option the other inputs are not affected."
    ) { $0.stopsAtFailure = true },
    .flag("force", in: .batch, of: [.batch], traits: .once, help: "Also make again what is done") {
      $0.redoesAll = true
    },
    .value(
      "report", taking: .file(), into: \.report, in: .batch, of: [.batch],
      traits: [.machine, .once],
      help: "At the end, write the result of each input to this file",
      details: """
        JSON, also if the batch was stopped or failed. It is written under a temporary name, renamed, and replaces an \
        earlier report.
        """),
    .flag(
      "hash", in: .batch, of: [.batch],
      help: "Compare the whole content of inputs with that of the last time",
      details: """
        Without this option size and the first and last 64 KiB are compared. What is compared later must have been made \
        with it too.
        """
    ) { $0.hashesWholeInputs = true },
  ]
}

extension ValueGrammar where Value == ChunkLength {
  fileprivate static var chunks: ValueGrammar {
    ValueGrammar(
      name: "CHUNKS", expected: "auto, a number of chunks from 2 on, or a time such as 90s or 5:00"
    ) { word in
      if word == "auto" { return .automatic }
      if let count = Int(word), word.allSatisfy(\.isNumber) {
        return (2...100_000).contains(count) ? .count(count) : nil
      }
      guard word.hasSuffix("s") || word.contains(":") else { return nil }
      let time = try ValueGrammar<Rational>.time(positive: true).parse(
        word.hasSuffix("s") ? String(word.dropLast()) : word)
      return time.flatMap { $0 >= .one ? .seconds($0) : nil }
    }
  }
}

extension ValueGrammar where Value == OutputName {
  fileprivate static var outputName: ValueGrammar {
    ValueGrammar(name: "NAME", expected: "a name such as {stem}-{effect}{ext}") {
      try OutputName($0)
    }
  }
}
