import Glibc
import TestSupport
import Testing

/// Tests the report and the progress of `kfrec batch` for programs, with the real program.
@Suite struct BatchReportTests {
  private func report(_ made: BatchFolder, _ name: String) throws -> String {
    String(decoding: try readFile(made.folder.file(name)), as: UTF8.self)
  }

  @Test("the report has the totals, and each input with what became of it")
  func states() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    #expect(try made.batch("clips --output-dir out --report out/r.json").exitCode == 0)
    let first = try report(made, "out/r.json")
    #expect(first.contains(#""exitCode":0,"error":null,"inputs":2,"done":2,"kept":0"#), "\(first)")
    try made.folder.write("no video".utf8, to: "clips/c.mp4")
    try made.folder.write("text".utf8, to: "clips/d.txt")
    #expect(unlink(made.folder.file("out/b.mov")) == 0)
    #expect(try made.batch("clips --output-dir out --report out/r.json").exitCode == 3)
    let text = try report(made, "out/r.json")
    #expect(
      text.contains(
        #""exitCode":3,"error":null,"inputs":3,"done":1,"kept":1,"failed":1,"missing":0"#),
      "\(text)")
    let a = #""output":"a.mov","state":"kept","reason":null,"frames":10,"duration":0.4,"bytes":"#
    #expect(text.contains(a), "\(text)")
    let b = #""output":"b.mov","state":"done","reason":"the output is missing","frames":10"#
    #expect(text.contains(b), "\(text)")
    #expect(text.contains(#""output":"c.mov","state":"failed""#), "\(text)")
    #expect(text.contains(#"{"path":"clips/d.txt","reason":"#), "\(text)")
    #expect(namesInFolder(made.folder.file("out")).filter { $0.hasSuffix(".part") }.isEmpty)
  }

  @Test("a batch that is stopped writes its report too")
  func stopped() throws {
    let made = try BatchFolder("a.mp4")
    try make(
      "clips/b.mp4", in: made.folder,
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=60", "-c:v", "libx264"])
    let words = "batch clips --output-dir out --jobs 1 --report r.json -e gaussianBlur"
    let child = try KfrecProcess.start(
      words.split(separator: " ").map(String.init), in: made.folder)
    #expect(child.waitForError("a.mov: 10 frames"))
    child.send(SIGINT)
    #expect(child.wait().exitCode == 75)
    let text = try report(made, "r.json")
    #expect(text.contains(#""exitCode":75"#) && text.contains(#""missing":1"#), "\(text)")
    #expect(text.contains(#""output":"b.mov","state":"missing""#), "\(text)")
  }

  @Test(
    "a batch that cannot begin says so in its report; a report without a place is a usage error")
  func errors() throws {
    let made = try BatchFolder("a.mp4")
    #expect(try made.batch("clips --output-dir out -e nope --report r.json").exitCode == 2)
    let text = try report(made, "r.json")
    #expect(text.contains(#""exitCode":2,"error":"there is no effect 'nope'"#), "\(text)")
    for place in ["none/r.json", "clips", "clips/"] {
      let result = try made.batch("clips --output-dir out --report \(place)")
      #expect(result.exitCode == 2 && result.errors.contains("--report \(place)"), "\(result)")
    }
    #expect(!made.folder.names.contains("out"))
  }

  @Test("--progress openjd prints the lines of the Open Job Description, and why it failed")
  func openJob() throws {
    let made = try BatchFolder("a.mp4", "b.mp4")
    let good = try made.batch("clips --output-dir out --progress openjd")
    #expect(good.exitCode == 0, "\(good)")
    #expect(good.text.contains("openjd_progress: 100.0\n"), "\(good)")
    #expect(good.text.contains("openjd_status: 2 made, 0 done before\n"), "\(good)")
    try made.folder.write("no video".utf8, to: "clips/c.mp4")
    let bad = try made.batch("clips --output-dir out --progress openjd")
    #expect(
      bad.text.contains("openjd_fail: 0 made, 2 done before, 1 failed; clips/c.mp4"), "\(bad)")
    let lines = (good.text + bad.text).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("openjd_") }, "\(lines)")
  }

  @Test("a recording prints these lines too")
  func openJobOfRecording() throws {
    let folder = try TemporaryFolder()
    let words = ["-i", "testsrc", "--size", "64x48", "-t", "1", "-o", "a.mov"]
    let good = try KfrecProcess.run(words + ["--progress", "openjd"], in: folder)
    #expect(
      good.text.contains("openjd_progress: 100.0\nopenjd_status: a.mov: 30 frames"), "\(good)")
    let bad = try KfrecProcess.run(words + ["--progress", "openjd"], in: folder)
    #expect(bad.exitCode == 2 && bad.text.contains("openjd_fail: a.mov exists"), "\(bad)")
  }

  @Test(
    "the secrets of addresses are in nothing that a batch shows, and a plan is its owner's alone")
  func secrets() throws {
    let made = try BatchFolder("a.mp4")
    // Nobody listens there.
    let address = "http://me:pw77@127.0.0.1:9/a.wav?key=SECRET9"
    try made.folder.write(
      #"{"input": "clips/a.mp4", "options": {"audio-in": "\#(address)"}}"#.utf8, to: "list")
    let kinds: [(words: String, progress: String)] = [
      ("clips/a.mp4 --audio-in \(address)", "json"), ("--list list", "openjd"),
      ("--list list", "bar"), ("clips/a.mp4 -e overlay:image=\"\(address)\"", "json"),
    ]
    for (number, kind) in kinds.enumerated() {
      let result = try made.batch(
        "\(kind.words) --output-dir out\(number) --report r\(number).json --progress \(kind.progress)"
      )
      let status = try made.batch("--status out\(number)")
      let journal = try? report(made, "out\(number)/.kfrec-batch.jsonl")
      let written = try report(made, "r\(number).json")
      let all = [result.text, result.errors, status.text, status.errors, journal ?? "", written]
      #expect(result.exitCode != 0 && written.contains("http://127.0.0.1:9/a.wav"), "\(result)")
      #expect(
        all.allSatisfy { !$0.contains("pw77") && !$0.contains("SECRET9") }, "\(kind) \(all)")
    }
    let planned = try made.batch("--list list --output-dir out --plan-only")
    #expect(planned.exitCode == 0, "\(planned)")
    var status = stat()
    #expect(stat(made.folder.file("out/plan.jsonl"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try report(made, "out/plan.jsonl").contains("SECRET9"))
    let task = try made.batch("--task 1 --plan out/plan.jsonl")
    #expect(task.exitCode == 1 && !(task.text + task.errors).contains("SECRET9"), "\(task)")
  }

  @Test("--progress json tells how far a long recording is, at most once a second")
  func objects() throws {
    let made = try BatchFolder("a.mp4")
    try make(
      "clips/b.mp4", in: made.folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=60", "-c:v", "libx264", "-preset",
        "ultrafast",
      ])
    let child = try KfrecProcess.start(
      ["batch", "clips/b.mp4", "--output-dir", "out", "--progress", "json", "-e", "gaussianBlur"],
      in: made.folder)
    #expect(child.waitForOutput { $0.contains(#""type":"progress""#) })
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 75, "\(result)")
    let lines = result.text.split(separator: "\n").filter { $0.contains(#""type":"progress""#) }
    for member in [#""output":"b.mov""#, #""percent":"#, #""batchPercent":"#] {
      #expect(lines.first?.contains(member) == true, "\(result)")
    }
  }
}
