import Glibc
import TestSupport
import Testing

/// Tests the program of `--on-end`.
@Suite struct EndProgramTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try script("note.sh", "pwd >where; cat >result.json")
    try runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x32:d=0.2:r=25", folder.file("in.mp4")])
  }

  private func script(_ name: String, _ commands: String) throws {
    try folder.write(Array("#!/bin/sh\n\(commands)\n".utf8), to: name)
    #expect(chmod(folder.file(name), 0o755) == 0)
  }

  private func result() throws -> String {
    String(decoding: try readFile(folder.file("result.json")), as: UTF8.self)
  }

  @Test("a program gets the result of a recording, of one that failed and of a batch")
  func results() throws {
    let words = ["--on-end", "./note.sh"]
    let made = try KfrecProcess.run(["-i", "in.mp4", "-o", "out.mov"] + words, in: folder)
    #expect(made.exitCode == 0, "\(made)")
    let end = try result()
    #expect(end.hasPrefix(#"{"type":"end""#) && end.contains(#""exitCode":0"#), "\(end)")
    let failed = try KfrecProcess.run(["-i", "in.mp4", "-o", "no/out.mov"] + words, in: folder)
    #expect(failed.exitCode != 0)
    let error = try result()
    #expect(error.hasPrefix(#"{"type":"error""#), "\(error)")
    let batch = try KfrecProcess.run(
      ["batch", "in.mp4", "--output-dir", "out"] + words, in: folder)
    #expect(batch.exitCode == 0, "\(batch)")
    let counts = try result()
    #expect(counts.contains(#""made":1,"kept":0"#), "\(counts)")
  }

  @Test("the name is no command of a shell, and a program that fails is a warning")
  func failures() throws {
    try script("fails.sh", "echo no network >&2; exit 7")
    let words = ["-y", "-i", "in.mp4", "-o", "out.mov", "--on-end"]
    let failed = try KfrecProcess.run(words + ["./fails.sh"], in: folder)
    #expect(failed.exitCode == 0, "\(failed)")
    #expect(failed.errors.contains("./fails.sh ended with 7: no network"), "\(failed)")
    let shell = try KfrecProcess.run(words + ["./note.sh; touch here"], in: folder)
    #expect(shell.exitCode == 2 && shell.errors.contains("is no program"), "\(shell)")
    #expect(!fileExists(folder.file("here")))
  }

  @Test("the program finds the report, and what an error is told to programs")
  func report() throws {
    try script("look.sh", "cat >result.json; cp report.json seen.json")
    let words = ["--report", "report.json", "--on-end", "./look.sh", "--progress", "json"]
    let made = try KfrecProcess.run(
      ["batch", "in.mp4", "--output-dir", "out"] + words, in: folder)
    #expect(made.exitCode == 0, "\(made)")
    #expect(try readFile(folder.file("seen.json")) == readFile(folder.file("report.json")))
    let failed = try KfrecProcess.run(
      ["batch", "no.mp4", "--output-dir", "out"] + words, in: folder)
    #expect(failed.exitCode != 0)
    #expect(try failed.text.split(separator: "\n").last.map { $0 + "\n" } == result()[...])
    let trial = try KfrecProcess.run(
      ["batch", "no.mp4", "--output-dir", "out", "--dry-run", "--on-end", "./note.sh"], in: folder)
    #expect(trial.exitCode != 0 && !fileExists(folder.file("where")), "\(trial)")
  }

  @Test("a recording that --stop-at ends before its first frame starts the program too")
  func stoppedEarly() throws {
    mkfifo(folder.file("source"), 0o600)
    // For both directions, so that it waits for nobody: the time may come before kfrec opens the pipe.
    let writer = open(folder.file("source"), O_RDWR | O_CLOEXEC)
    let child = try KfrecProcess.start(
      [
        "-i", "source", "-o", "out.mov", "--stop-at", "+0.2s", "--progress", "json", "--on-end",
        "./note.sh",
      ], in: folder)
    #expect(child.waitForError("the time of --stop-at"))
    close(writer)
    let end = child.wait()
    #expect(end.exitCode == 75, "\(end)")
    #expect(try result() == end.text && end.text.contains(#""exitCode":75"#), "\(end)")
  }

  @Test("a signal ends the wait for the program, and the program can be ended")
  func signals() throws {
    // `cp` itself, because a shell takes blocked signals back.
    try folder.write(
      Array("#!/usr/bin/env -S cp -t status /proc/self/status\n".utf8), to: "mask.sh")
    #expect(chmod(folder.file("mask.sh"), 0o755) == 0)
    mkdir(folder.file("status"), 0o755)
    let masked = try KfrecProcess.run(
      ["-i", "in.mp4", "-o", "mask.mov", "--on-end", "./mask.sh"], in: folder)
    #expect(masked.exitCode == 0, "\(masked)")
    let status = String(decoding: try readFile(folder.file("status/status")), as: UTF8.self)
    #expect(status.contains("SigBlk:\t0000000000000000"), "\(status)")

    try script("slow.sh", "touch begun; exec sleep 1000")
    let child = try KfrecProcess.start(
      ["-i", "in.mp4", "-o", "out.mov", "--on-end", "./slow.sh"], in: folder)
    #expect(child.waitForError("out.mov: 5 frames"))
    waitUntil { fileExists(folder.file("begun")) }
    child.send(SIGTERM)
    let end = child.wait()
    #expect(end.exitCode == 0 && !end.timedOut, "\(end)")
    #expect(fileExists(folder.file("out.mov")))
  }

  @Test("presets, lists and plans cannot name a program")
  func others() throws {
    try folder.write(Array("kfrec preset 1\n--on-end ./note.sh\n".utf8), to: "a.kfpreset")
    let preset = try KfrecProcess.run(
      ["-i", "in.mp4", "--preset", "a.kfpreset", "-o", "out.mov"], in: folder)
    #expect(preset.exitCode == 2 && preset.errors.contains("cannot have --on-end"), "\(preset)")
    let saved = try KfrecProcess.run(
      ["-e", "invert", "--on-end", "./note.sh", "--save-preset", "b.kfpreset"], in: folder)
    #expect(saved.exitCode == 0, "\(saved)")
    let text = String(decoding: try readFile(folder.file("b.kfpreset")), as: UTF8.self)
    #expect(!text.contains("on-end"))
    let line = #"{"input":"in.mp4","options":{"on-end":"./note.sh"}}"#
    try folder.write(Array(line.utf8), to: "list.jsonl")
    let list = try KfrecProcess.run(
      ["batch", "--list", "list.jsonl", "--output-dir", "out"], in: folder)
    #expect(list.exitCode == 2 && list.errors.contains("on-end"), "\(list)")
    let plan = try KfrecProcess.run(
      ["batch", "in.mp4", "--output-dir", "out", "--plan-only", "--on-end", "./note.sh"], in: folder
    )
    #expect(plan.exitCode == 2, "\(plan)")
    #expect(!fileExists(folder.file("result.json")))
  }
}
