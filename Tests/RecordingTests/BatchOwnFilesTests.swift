import Glibc
import TestSupport
import Testing

/// Tests with the real program that a batch removes and replaces nothing but its own files.
@Suite struct BatchOwnFilesTests {
  private func text(_ made: BatchFolder, _ name: String) throws -> String {
    String(decoding: try readFile(made.folder.file(name)), as: UTF8.self)
  }

  private func shell(_ line: String, in made: BatchFolder) throws {
    let result = try ChildProcess("bash", ["-ec", line], folder: made.folder.path).wait()
    try #require(result.exitCode == 0, "\(result)")
  }

  /// Replaces a text in the journal, or in another file of the output folder.
  private func change(
    _ name: String = ".kfrec-batch.jsonl", of made: BatchFolder, _ change: (String) -> String
  ) throws {
    try made.folder.write(change(try text(made, "out/" + name)).utf8, to: "out/" + name)
  }

  @Test(
    "a folder or a file that is not the batch's own, or a link, in the place of the work folder is left alone",
    arguments: [
      "ln -s ../docs out/.kfrec-batch", "mkdir out/.kfrec-batch; cp -r docs/. out/.kfrec-batch",
      "cp docs/a.txt out/.kfrec-batch",
      "mkdir out/.kfrec-batch; ln -s ../../docs out/.kfrec-batch/0",
      "mkdir out/.kfrec-batch out/.kfrec-batch/0; cp docs/a.txt out/.kfrec-batch/0/mine",
    ], ["", "--chunks 2"])
  func workFolder(scene: String, words: String) throws {
    let made = try BatchFolder("a.mp4")
    try shell("mkdir -p docs/0 docs/chunks/0123456789abcdef out; echo mine > docs/a.txt", in: made)
    try shell("cp docs/a.txt docs/0/b; cp docs/a.txt docs/chunks/0123456789abcdef/c", in: made)
    try shell(scene, in: made)
    let before = try ChildProcess("find", [made.folder.path], folder: nil).wait().text
    let result = try made.batch("clips --output-dir out \(words)")
    #expect(result.exitCode == 1 && result.errors.contains("out/.kfrec-batch is"), "\(result)")
    #expect(result.errors.contains("choose another --output-dir"), "\(result)")
    try shell("rm -f out/.kfrec-batch.jsonl", in: made)
    #expect(try ChildProcess("find", [made.folder.path], folder: nil).wait().text == before)
  }

  @Test("what others put into the work folder stays, and links in it are not followed")
  func strangers() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    try shell(
      "mkdir -p docs/in out/.kfrec-batch/0/in out/.kfrec-batch/chunks; echo x > docs/in/a", in: made
    )
    try shell(
      "cd out/.kfrec-batch; touch kfrec-work 0/left 0/in/mine mine; ln -s ../../docs 1", in: made)
    try shell("cd out/.kfrec-batch/chunks; ln -s ../../../docs/in 0123456789abcdef", in: made)
    let result = try made.batch("clips --output-dir out --jobs 1")
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.errors.contains("out/.kfrec-batch/1 is not a folder"), "\(result)")
    #expect(made.outputs == ["a.mov"])
    #expect(try text(made, "docs/in/a") == "x\n")
    #expect(namesInFolder(made.folder.file("out/.kfrec-batch/0")) == ["in"])
    #expect(fileExists(made.folder.file("out/.kfrec-batch/0/in/mine")))
    #expect(fileExists(made.folder.file("out/.kfrec-batch/mine")))
  }

  @Test(
    "a task's work folder that is a link is not followed, and a file that is no plan gets no lines")
  func task() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out --plan-only").exitCode == 0)
    try shell("mkdir -p docs/0; echo x > docs/0/a; ln -s ../docs out/.kfrec-batch.task-1", in: made)
    let result = try made.batch("--task 1 --plan out/plan.jsonl")
    #expect(result.exitCode == 1 && result.errors.contains("task-1 is not a folder"), "\(result)")
    #expect(try text(made, "docs/0/a") == "x\n")
    try shell("mkdir other third; echo mine > other/plan.jsonl", in: made)
    let plan = try made.batch("clips --output-dir other --plan-only")
    #expect(plan.exitCode == 1 && plan.errors.contains("is no plan of kfrec"), "\(plan)")
    #expect(try text(made, "other/plan.jsonl") == "mine\n")
    for mine in ["mine\n", "{\"event\":\"mine\"}\n"] {
      try made.folder.write(mine.utf8, to: "third/.kfrec-batch.jsonl")
      let journal = try made.batch("clips --output-dir third")
      #expect(
        journal.exitCode == 1 && journal.errors.contains("is no journal of kfrec"), "\(journal)")
      #expect(try text(made, "third/.kfrec-batch.jsonl") == mine)
    }
    // Links lead elsewhere.
    try shell(
      "mkdir fifth; ln -s ../docs/new fifth/plan.jsonl; ln -s ../docs/new fifth/.kfrec-batch.jsonl",
      in: made)
    for words in ["clips --output-dir fifth", "clips --output-dir fifth --plan-only"] {
      let linked = try made.batch(words)
      #expect(linked.exitCode == 1 && linked.errors.contains("link"), "\(linked)")
    }
    #expect(!fileExists(made.folder.file("docs/new")))
    // Nobody writes into it.
    try shell("mkdir fourth; mkfifo fourth/plan.jsonl", in: made)
    let pipe = try made.batch("clips --output-dir fourth --plan-only")
    #expect(pipe.exitCode == 1 && pipe.errors.contains("is no regular file"), "\(pipe)")
  }

  @Test(
    "a plan whose outputs lead out of the folder is refused", arguments: ["../x.mov", "/tmp/x.mov"])
  func planOutside(output: String) throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out --plan-only").exitCode == 0)
    try change("plan.jsonl", of: made) { $0.replacing(#""a.mov""#, with: "\"\(output)\"") }
    let result = try made.batch("--task 1 --plan out/plan.jsonl")
    #expect(
      result.exitCode == 2 && result.errors.contains("leads out of the output folder"), "\(result)")
    #expect(!fileExists(made.folder.file("x.mov")))
  }

  @Test("a trial tells of an output that is not the batch's own, as the batch does")
  func foreignOutput() throws {
    let made = try BatchFolder("a.mp4")
    try shell("mkdir out; echo mine > out/a.mov", in: made)
    let trial = try made.batch("clips --output-dir out --dry-run")
    #expect(trial.text.contains("a.mov: exists and is not from this batch"), "\(trial)")
    let result = try made.batch("clips --output-dir out")
    #expect(result.exitCode == 1 && result.errors.contains("is not from this batch"), "\(result)")
    #expect(try text(made, "out/a.mov") == "mine\n")
  }

  @Test("an output that was touched, or copied without its times, is done")
  func touched() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    try shell("touch out/a.mov; cp -r out other", in: made)
    for folder in ["out", "other"] {
      let result = try made.batch("clips --output-dir \(folder)")
      #expect(result.exitCode == 0 && result.errors.contains("0 made, 1 done before"), "\(result)")
      let status = try made.batch("--status \(folder)")
      #expect(status.exitCode == 0, "\(status)")
      let forced = try made.batch("clips --output-dir \(folder) --force")
      #expect(forced.exitCode == 0 && forced.errors.contains("1 made"), "\(forced)")
    }
  }

  @Test("--force makes an output again that was changed since, and the refusal without it says so")
  func changed() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    // Journals of kfrec 0.1 have no hash.
    try change(of: made) { $0.replacing(/"hash":"[0-9a-f]+","modified/, with: "\"modified") }
    for change in ["touch out/a.mov", "echo x >> out/a.mov"] {
      try shell(change, in: made)
      let trial = try made.batch("clips --output-dir out --dry-run")
      #expect(trial.text.contains("the output changed; --force makes it again"), "\(trial)")
      let result = try made.batch("clips --output-dir out")
      #expect(result.exitCode == 1 && result.errors.contains("add --force"), "\(result)")
      #expect(try made.batch("clips --output-dir out --force").exitCode == 0)
      #expect(try made.frames("a.mov") == 10)
    }
    try shell("echo mine > out/b.mov; cp clips/a.mp4 clips/b.mp4", in: made)
    let foreign = try made.batch("clips --output-dir out --force")
    #expect(foreign.exitCode == 3 && foreign.errors.contains("add -y"), "\(foreign)")
    #expect(try text(made, "out/b.mov") == "mine\n")
  }

  @Test(
    "a batch that is killed between the journal and the name of an output that it makes again goes on"
  )
  func killedBeforeTheName() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    // The line of an output that never got its name.
    try change(of: made) { text in
      let done = text.split(separator: "\n").last { $0.contains(#""event":"done""#) } ?? ""
      return text
        + done.replacing(/"bytes":\d+/, with: "\"bytes\":7").replacing(
          /"hash":"[0-9a-f]+","mod/, with: "\"mod"
        )
        .replacing(/"modified":\d+/, with: "\"modified\":7") + "\n"
    }
    let result = try made.batch("clips --output-dir out")
    #expect(result.exitCode == 0 && result.errors.contains("1 made"), "\(result)")
    #expect(try made.batch("clips --output-dir out").errors.contains("1 done before"))
  }

  @Test("an output whose line in the journal is damaged is made again")
  func damaged() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    try change(of: made) { text in
      let lines = text.split(separator: "\n").map { line in
        line.contains(#""event":"done""#)
          ? String(line).replacing("\"fingerprint\":{", with: "####") : String(line)
      }
      return lines.joined(separator: "\n") + "\n"
    }
    let result = try made.batch("clips --output-dir out")
    #expect(result.exitCode == 0 && result.errors.contains("1 lines of the journal"), "\(result)")
    #expect(result.errors.contains("1 made, 0 done before"), "\(result)")
  }

  @Test(
    "an output of a kfrec that makes other pixels is made again; one without that number is of the first"
  )
  func pixels() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    let now = try text(made, "out/.kfrec-batch.jsonl")
    let version = try #require(now.firstMatch(of: /"pixels":(\d+),/)?.1)
    try change(of: made) { $0.replacing("\"pixels\":\(version),", with: "") }
    let old = try made.batch("clips --output-dir out --dry-run")
    #expect(old.text.contains(version == "1" ? "done already" : "other pixels"), "\(old)")
    try change(of: made) { $0.replacing("\"options\":", with: "\"pixels\":99,\"options\":") }
    let other = try made.batch("clips --output-dir out --dry-run")
    #expect(other.text.contains("a.mov: this kfrec makes other pixels"), "\(other)")
  }

  @Test("a report replaces a report, and nothing else")
  func report() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    try shell(
      "cd clips; cp a.mp4 ../a.mp4; cp b.mp4 ../b.mp4; cd ..; echo b.mp4 > list; echo mine > notes.json",
      in: made)
    try made.folder.write("vec4 effect(vec2 uv) { return frame(uv); }".utf8, to: "e.comp")
    let words = [
      "b.mp4 --output-dir o --report b.mp4", "b.mp4 --output-dir o --report a.mp4",
      "--list list --output-dir o --report list", "b.mp4 --output-dir o --report notes.json",
      "b.mp4 --output-dir o -e ./e.comp --report e.comp", "b.mp4 --output-dir o --report o/b.mov",
    ]
    let before = made.folder.names
    for word in words + words.filter({ !$0.contains("notes") }).map({ $0 + " -y" }) {
      let result = try made.batch(word)
      #expect(result.exitCode == 2 && result.errors.contains("--report"), "\(word) \(result)")
      #expect(!fileExists(made.folder.file("o/b.mov")), "\(word)")
    }
    #expect(made.folder.names == before)
    #expect(try text(made, "list") == "b.mp4\n")
    #expect(try text(made, "notes.json") == "mine\n")
    #expect(try readFile(made.folder.file("b.mp4")) == readFile(made.folder.file("clips/b.mp4")))
    try shell("ln -s notes.json link.json", in: made)
    #expect(try made.batch("b.mp4 --output-dir o --report link.json -y").exitCode == 2)
    #expect(try made.batch("b.mp4 --output-dir o --report notes.json -y").exitCode == 0)
    #expect(try text(made, "notes.json").hasPrefix("{\"version\""))
    #expect(try made.batch("b.mp4 --output-dir o --report notes.json").exitCode == 0)
    #expect(try text(made, "notes.json").contains(#""kept":1"#))
  }

  @Test(
    "a report takes the place of none of the batch's own files, also with -y",
    arguments: [".kfrec-batch.jsonl", ".kfrec-batch", ".kfrec-batch/0", "plan.jsonl"])
  func ownReport(name: String) throws {
    let made = try BatchFolder("a.mp4")
    for words in ["", " -y"] {
      let first = try made.batch("clips --output-dir out --report out/\(name)" + words)
      #expect(
        first.exitCode == 2 && first.errors.contains("is the name of the batch's own"), "\(first)")
    }
    #expect(!fileExists(made.folder.file("out")))
    #expect(try made.batch("clips --output-dir out").exitCode == 0)
    let journal = try text(made, "out/.kfrec-batch.jsonl")
    let result = try made.batch("clips --output-dir out -y --report out/\(name)")
    #expect(result.exitCode == 2, "\(result)")
    #expect(try text(made, "out/.kfrec-batch.jsonl") == journal)
  }

  @Test("a report into a FIFO that nobody reads ends")
  func reportFIFO() throws {
    let made = try BatchFolder("a.mp4")
    #expect(mkfifo(made.folder.file("pipe"), 0o600) == 0)
    let result = try made.batch("clips --output-dir out --report pipe")
    #expect(result.exitCode == 3 && result.errors.contains("nobody reads it"), "\(result)")
    let read = try KfrecProcess.shell(
      "cat pipe > read & \"$0\" batch clips --output-dir out --report pipe; c=$?; wait; exit $c",
      in: made.folder)
    #expect(read.exitCode == 0, "\(read)")
    #expect(try text(made, "read").contains(#""kept":1"#))
  }
}
