import Frames
import Glibc
import TestSupport
import Testing

@testable import kfrec

/// Tests plans, tasks and the status of an output folder with the real program; Slurm's programs are
/// stand-ins.
@Suite struct FarmTests {
  private func clips(_ names: [String], seconds: String = "0.4") throws -> TemporaryFolder {
    try BatchFolder(names.map { $0 + ".mp4" }, seconds: seconds).folder
  }

  private func batch(
    _ folder: TemporaryFolder, _ words: String, environment: [String: String?] = [:]
  ) throws -> ChildResult {
    try BatchFolder(folder).batch(words, environment: environment)
  }

  /// Plans a task for each clip.
  private func plan(_ folder: TemporaryFolder, _ words: String = "-e invert") throws -> ChildResult
  {
    try batch(folder, "clips --output-dir out --plan-only --task-size 1k \(words)")
  }

  private func run(_ folder: TemporaryFolder, task: Int) throws -> ChildResult {
    try batch(folder, "--task \(task) --plan out/plan.jsonl")
  }

  private func outputs(_ folder: TemporaryFolder) -> [String] {
    BatchFolder(folder).outputs.filter { $0.hasSuffix(".mov") }
  }

  private func text(_ folder: TemporaryFolder, _ path: String) throws -> String {
    String(decoding: try readFile(folder.file(path)), as: UTF8.self)
  }

  private func programs(_ folder: TemporaryFolder, _ scripts: [String: String]) throws -> String {
    mkdir(folder.file("bin"), 0o700)
    for (name, script) in scripts {
      let path = try folder.write("#!/bin/sh\n\(script)\n".utf8, to: "bin/\(name)")
      chmod(path, 0o700)
    }
    return folder.file("bin") + ":/usr/bin:/bin"
  }

  @Test("a plan keeps the effects and options that a list gives to single inputs")
  func list() throws {
    let folder = try clips(["a", "b"])
    try folder.write(
      """
      clips/a.mp4
      {"input": "clips/b.mp4", "effects": ["vignette"], "options": {"size": "32x24"}}

      """.utf8, to: "list")
    let words = "--list list --output-dir out -e invert"
    let planning = words + " --plan-only --task-size 1k"
    #expect(try batch(folder, planning).text == "1\n2\n")
    for task in 1...2 { #expect(try run(folder, task: task).exitCode == 0) }
    #expect(
      try Probe.rows(folder.file("out/a.mov"), "stream=width", of: "v:0").first?["width"] == "64")
    #expect(
      try Probe.rows(folder.file("out/b.mov"), "stream=width", of: "v:0").first?["width"] == "32")
    let whole = try batch(folder, words)
    #expect(whole.exitCode == 0 && whole.errors.contains("0 made, 2 done before"), "\(whole)")
    try folder.write("clips/a.mp4\nclips/b.mp4\n".utf8, to: "list")
    #expect(try batch(folder, planning).text == "3\n")
  }

  @Test("a task makes exactly its outputs, and the same plan again names the tasks that are left")
  func tasks() throws {
    let folder = try clips(["a", "b", "c"])
    #expect(try plan(folder).text == "1\n2\n3\n")
    let written = try text(folder, "out/plan.jsonl")
    #expect(try run(folder, task: 2).exitCode == 0)
    #expect(outputs(folder) == ["b.mov"])
    #expect(try plan(folder).text == "1\n3\n")
    #expect(try text(folder, "out/plan.jsonl") == written)
    let again = try run(folder, task: 2)
    #expect(again.exitCode == 0 && again.errors.contains("0 made, 1 done before"), "\(again)")
    let status = try batch(folder, "--status out")
    #expect(status.exitCode == 3 && status.text.contains("3 outputs in 3 tasks: 1 done, 2 missing"))
    #expect(status.text.contains("c.mov (task 3): missing"), "\(status)")
    let object = try batch(folder, "--status out --json").text
    #expect(object.contains("\"unfinishedTasks\":[1,3]"), "\(object)")
    // A batch without tasks knows what the tasks made, and the other way round.
    let whole = try batch(folder, "clips --output-dir out -e invert")
    #expect(whole.exitCode == 0 && whole.errors.contains("2 made, 1 done before"), "\(whole)")
    #expect(try plan(folder).text.isEmpty)
    #expect(try run(folder, task: 1).errors.contains("0 made, 1 done before"))
    let last = try batch(folder, "--status out")
    #expect(last.exitCode == 0, "\(last.text)")
  }

  @Test("inputs that are long for their size are tasks by their length")
  func longInputs() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("clips"), 0o700)
    // 230 million pixels in some 20 kB.
    for name in ["a.mp4", "b.mkv", "c.avi"] {
      try make(
        "clips/" + name, in: folder,
        [
          "-f", "lavfi", "-i", "color=s=1280x720:r=25:d=10", "-c:v", "libx264", "-preset",
          "ultrafast",
        ])
    }
    try make(
      "clips/d.ts", in: folder, ["-f", "lavfi", "-i", "color=s=64x48:r=25:d=1", "-c:v", "libx264"])
    for (size, tasks) in [("10M", "1\n2\n3\n"), ("16M", "1\n2\n"), ("256M", "1\n")] {
      let planned = try batch(folder, "clips --output-dir \(size) --plan-only --task-size \(size)")
      #expect(planned.text == tasks, "\(planned)")
    }
  }

  @Test(
    "a plan that was made when nothing was to do is empty, and neither in the way nor a mistake")
  func nothingToDo() throws {
    let folder = try clips(["a"])
    let words = "clips --output-dir out -e invert"
    #expect(try batch(folder, words).exitCode == 0)
    for trial in ["", " --dry-run"] {
      let planned = try plan(folder, "-e invert" + trial)
      #expect(planned.exitCode == 0 && planned.errors.contains("0 outputs of 1"), "\(planned)")
    }
    #expect(try text(folder, "out/plan.jsonl").isEmpty)
    let status = try batch(folder, "--status out")
    #expect(status.exitCode == 0 && status.text.contains("1 output: 1 done"), "\(status)")
    let task = try run(folder, task: 1)
    #expect(task.exitCode == 2 && task.errors.contains("plan.jsonl has no tasks"), "\(task)")
  }

  @Test("what was made in the second in which it was dealt, or by a clock that is late, is there")
  func clocks() throws {
    let folder = try clips(["a", "b"])
    #expect(try batch(folder, "clips --output-dir out -e vignette").exitCode == 0)
    #expect(try plan(folder).text == "1\n2\n")
    let stale = try batch(folder, "--status out")
    #expect(stale.exitCode == 1 && stale.text.contains("0 done, 2 missing"), "\(stale.text)")
    let early = try text(folder, "out/.kfrec-batch.jsonl")
    #expect(try batch(folder, "clips --output-dir out -e invert").exitCode == 0)
    let late = try text(folder, "out/.kfrec-batch.jsonl").dropFirst(early.count)
    try folder.write(
      (early + late.replacing(#/"time":\d+/#, with: "\"time\":1000")).utf8,
      to: "out/.kfrec-batch.jsonl")
    let status = try batch(folder, "--status out")
    #expect(status.exitCode == 0 && status.text.contains("2 done"), "\(status)")
  }

  @Test("short inputs share a task, and a bad one fails alone")
  func packed() throws {
    let folder = try clips(["a", "b"])
    try folder.write("no video".utf8, to: "clips/bad.mp4")
    #expect(try batch(folder, "clips --output-dir out --plan-only").text == "1\n")
    let result = try run(folder, task: 1)
    #expect(result.exitCode == 3 && outputs(folder) == ["a.mov", "b.mov"], "\(result)")
    let status = try batch(folder, "--status out")
    #expect(status.text.contains("2 done, 1 failed"), "\(status)")
    #expect(status.text.contains("bad.mov (task 1): failed: clips/bad.mp4"), "\(status)")
  }

  @Test("the status of many outputs is a summary, with what failed first; --verbose lists all")
  func summary() throws {
    let folder = try clips(["a"])
    for number in 0..<30 {
      #expect(
        link(folder.file("clips/a.mp4"), folder.file("clips/c\(10 + number).mp4")) == 0)
    }
    #expect(try batch(folder, "clips --output-dir out --plan-only").text == "1\n2\n")
    try folder.write("no video".utf8, to: "clips/z.mp4")
    #expect(try batch(folder, "clips --output-dir out --plan-only").text == "1\n2\n3\n")
    #expect(try run(folder, task: 3).exitCode == 1)
    let status = try batch(folder, "--status out")
    let lines = status.text.split(separator: "\n")
    #expect(status.exitCode == 1 && lines.count == 12, "\(status)")
    #expect(lines[1].contains("z.mov (task 3): failed"), "\(status)")
    #expect(lines.last == "  and 22 more; --verbose lists all of them", "\(status)")
    let all = try batch(folder, "--status out --verbose")
    #expect(all.text.split(separator: "\n").count == 33, "\(all)")
  }

  @Test("the report of a farm asks for no GPU")
  func reportWithoutGPU() {
    for (words, kept) in [
      ("-p gpu --gres=gpu:1", "-p gpu"), ("--gres gpu:2 --mem=2G", "--mem=2G"),
      ("--gres=gpu:1,lscratch:10 -G 1", "--gres=lscratch:10"),
      ("--gpus-per-task=1 -G2 --gpus=a100:1 -t 1:00", "-t 1:00"),
      ("--tres-per-task=cpu=2,gres/gpu:1", "--tres-per-task=cpu=2"), ("", ""),
    ] {
      let words = words.split(separator: " ").map(String.init)
      #expect(SlurmScripts.withoutGPUs(words).joined(separator: " ") == kept)
    }
  }

  @Test("what is new is added, other options are dealt again, and old tasks leave them alone")
  func added() throws {
    let folder = try clips(["a", "b"])
    #expect(try plan(folder).text == "1\n2\n")
    #expect(try run(folder, task: 1).exitCode == 0)
    #expect(rename(folder.file("clips/b.mp4"), folder.file("clips/c.mp4")) == 0)
    #expect(try plan(folder).text == "3\n")
    // The input of task 2 is gone, so nothing is missing there.
    #expect(
      try batch(folder, "--status out").text.contains("2 outputs in 2 tasks: 1 done, 1 missing"))
    #expect(try plan(folder, "-e vignette").text == "4\n5\n")
    #expect(try run(folder, task: 3).errors.contains("0 made, 0 done before"))
    for task in [4, 5] { #expect(try run(folder, task: task).exitCode == 0) }
    #expect(try batch(folder, "--status out").exitCode == 0)
    #expect(
      try batch(folder, "clips --output-dir out -e vignette").errors.contains("0 made, 2 done"))
  }

  @Test(
    "a task's twin and a batch without tasks are kept out while it runs; SIGUSR1 ends it between two inputs"
  )
  func exclusion() throws {
    let folder = try clips(["a", "b"], seconds: "12")
    let words = "clips --output-dir out -e gaussianBlur -e vhs --jobs 1"
    #expect(try batch(folder, words + " --plan-only").text == "1\n")
    let child = try KfrecProcess.start(
      ["batch", "--task", "1", "--plan", "out/plan.jsonl", "--verbose"], in: folder)
    #expect(child.waitForError("clips/a.mp4: begun"))
    // It keeps its locks while it is stopped, however long the others take to start.
    child.send(SIGSTOP)
    let twin = try run(folder, task: 1)
    #expect(twin.exitCode == 75 && twin.errors.contains("task 1 runs already"), "\(twin)")
    let plain = try batch(folder, words)
    #expect(plain.exitCode == 75 && plain.errors.contains("tasks of a farm write into out"))
    let other = try batch(folder, words + " --crf 20 --plan-only")
    #expect(other.exitCode == 75 && other.errors.contains("task 1 is making outputs"), "\(other)")
    #expect(try batch(folder, words + " --plan-only").text == "1\n")
    child.send(SIGUSR1)
    child.send(SIGCONT)
    let result = child.wait()
    #expect(result.exitCode == 75 && result.errors.contains("finishing what runs now"), "\(result)")
    #expect(outputs(folder) == ["a.mov"])
    let last = try run(folder, task: 1)
    #expect(last.exitCode == 0 && last.errors.contains("1 made, 1 done before"), "\(last)")
  }

  @Test("a killed task goes on with what is missing, whatever the moment")
  func killed() throws {
    let folder = try clips((0..<6).map { "\($0)" })
    #expect(
      try batch(folder, "clips --output-dir out -e invert --jobs 2 --plan-only").text == "1\n")
    var kills = 0
    for delay in [30, 60, 100, 160, 250] as [useconds_t] {
      let child = try KfrecProcess.start(
        ["batch", "--task", "1", "--plan", "out/plan.jsonl"], in: folder)
      usleep(delay * 1000)
      child.send(SIGKILL)
      if child.wait().exitCode != 0 { kills += 1 }
    }
    #expect(kills > 0)
    #expect(try run(folder, task: 1).exitCode == 0)
    #expect(outputs(folder).count == 6)
    let journal = try text(folder, "out/.kfrec-batch.task-1.jsonl")
    #expect(journal.split(separator: "\n").count { $0.contains("\"done\"") } >= 6)
    #expect(!namesInFolder(folder.file("out")).contains(".kfrec-batch.task-1"))
    #expect(try batch(folder, "--status out").exitCode == 0)
  }

  @Test(
    "wrong words are usage errors in one sentence",
    arguments: [
      ("--task 1", "--task and --plan belong together"),
      ("--plan out/plan.jsonl", "--task and --plan belong together"),
      ("--task 9 --plan out/plan.jsonl", "has no task 9, but the tasks 1 to 1"),
      ("--task 1 --plan nothing", "the plan nothing cannot be opened"),
      ("--task 1 --plan out/plan.jsonl -e vhs", "--effect has no place beside --task"),
      ("clips --task 1 --plan out/plan.jsonl", "--task takes no inputs"),
      ("--status nothing", "nothing is no output folder of kfrec batch"),
      ("--status out --crf 3", "--crf has no place beside --status"),
      ("clips --output-dir out --json", "--json goes with --status"),
      ("clips --output-dir out --tasks 3", "add --plan-only or --slurm"),
      ("clips --output-dir out --plan-only --tasks 3", "--tasks goes with --slurm"),
      ("clips --output-dir out --plan-only --force", "--force does not go with a plan"),
      ("clips --output-dir out --plan-only --slurm -x", "contradict each other"),
      ("clips --output-dir out --slurm --array=3", "kfrec numbers the tasks itself"),
    ])
  func mistakes(words: String, message: String) throws {
    let folder = try clips(["a"])
    #expect(try plan(folder).exitCode == 0)
    let before = try text(folder, "out/plan.jsonl")
    let result = try batch(folder, words.replacing("--plan nothing", with: "--plan ./nothing"))
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.replacing(folder.path + "/./", with: "").contains(message), "\(result)")
    #expect(result.errors.count { $0 == "\n" } == 1 && result.text.isEmpty, "\(result)")
    #expect(try text(folder, "out/plan.jsonl") == before)
  }

  @Test("a plan starts no program")
  func program() throws {
    let folder = try clips(["a"])
    #expect(try plan(folder).exitCode == 0)
    try folder.write("#!/bin/sh\ntouch started\n".utf8, to: "run.sh")
    #expect(chmod(folder.file("run.sh"), 0o755) == 0)
    let plan = try text(folder, "out/plan.jsonl")
    let changed = plan.replacing("\"options\":[", with: "\"options\":[\"--on-end=./run.sh\",")
    #expect(changed != plan)
    try folder.write(changed.utf8, to: "out/plan.jsonl")
    let result = try run(folder, task: 1)
    #expect(result.exitCode == 2 && result.errors.contains("has --on-end"), "\(result)")
    #expect(!folder.names.contains("started"))
  }

  @Test("a plan of another version or from another place is refused with a sentence")
  func otherPlaces() throws {
    let folder = try clips(["a"])
    #expect(try plan(folder).exitCode == 0)
    let plan = try text(folder, "out/plan.jsonl")
    try folder.write(
      plan.replacing("\"version\":\"\(programVersion)\"", with: "\"version\":\"9.9\"").utf8,
      to: "out/plan.jsonl")
    let version = try run(folder, task: 1)
    #expect(version.exitCode == 1 && version.errors.contains("was made by kfrec 9.9"), "\(version)")
    try folder.write(
      plan.replacing("\"folder\":\"", with: "\"folder\":\"/nowhere").utf8, to: "out/plan.jsonl")
    let place = try run(folder, task: 1)
    #expect(
      place.exitCode == 1 && place.errors.contains("which cannot be entered here"), "\(place)")
  }

  @Test(
    "a software driver is an error with --require-gpu, and a given device without hardware is not")
  func gpus() throws {
    let folder = try clips(["a"])
    let listing = try KfrecProcess.run(["devices", "--json"]).text
    let uuid = try #require(listing.split(separator: "\"uuid\":\"").last?.prefix(32))
    let environment = ["CUDA_VISIBLE_DEVICES": "3", "SLURM_JOB_GPUS": "3"]
    let given = try batch(
      folder, "clips --output-dir out -e invert --gpu \(uuid)", environment: environment)
    #expect(given.exitCode == 0, "\(given)")
    // The rest needs a machine whose only driver is a software driver.
    guard !listing.contains("\"type\":\"discrete\""), !listing.contains("\"type\":\"integrated\"")
    else { return }
    #expect(
      try batch(folder, "clips --output-dir two -e invert", environment: environment).exitCode == 0)
    for words in [
      ["batch", "clips", "--output-dir", "three", "-e", "invert", "--require-gpu"],
      ["-i", "clips/a.mp4", "-e", "invert", "--require-gpu", "-o", "a.mov"],
    ] {
      let result = try KfrecProcess.run(words, in: folder)
      #expect(result.exitCode == 1, "\(result)")
      #expect(result.errors.contains("there is no hardware GPU, only the software driver"))
      #expect(result.errors.count { $0 == "\n" } == 1 && !folder.names.contains("a.mov"))
    }
  }

  @Test("--slurm submits an array and a report after it, and again only what is not in the queue")
  func slurm() throws {
    let folder = try clips(["a", "b", "c", "d"])
    let path = try programs(
      folder,
      [
        "scontrol": "echo 'MaxArraySize            = 4'",
        "sbatch": "echo \"$@\" >>../../calls; wc -l <../../calls",
        "squeue": "echo '1 2 R'; echo '1 3 CG'; echo '7 1 PD'; echo '2 N/A PD'",
      ])
    // Of a usual size one task would hold them all.
    let trial = try batch(folder, "clips --output-dir out --tasks 3 --slurm=-n1 --dry-run")
    #expect(trial.exitCode == 0 && trial.text.contains("--array=1-3%3"), "\(trial)")
    let words =
      "clips --output-dir out -e invert --task-size 1k --tasks 2 --slurm --gres=gpu:1,lscratch:2"
    let first = try batch(folder, words, environment: ["PATH": path])
    #expect(first.exitCode == 0 && first.text == "1\n2\n", "\(first)")
    #expect(
      try text(folder, "calls") == """
        --parsable --array=1-3%2 tasks.sh 0
        --parsable --array=1%2 tasks.sh 3
        --parsable --dependency=afterany:1:2 report.sh

        """)
    for script in ["tasks.sh", "report.sh"] {
      let script = folder.file("out/slurm/" + script)
      #expect(try ChildProcess("bash", ["-n", script]).wait().exitCode == 0)
      let text = String(decoding: try readFile(script), as: UTF8.self)
      let isReport = script.hasSuffix("report.sh")
      #expect(
        text.contains("\n#SBATCH --gres=\(isReport ? "" : "gpu:1,")lscratch:2\n\n"), "\(text)")
    }
    #expect(try run(folder, task: 1).exitCode == 0)
    let second = try batch(folder, words, environment: ["PATH": path])
    #expect(second.errors.contains("1 of them in the queue already: job 1"), "\(second)")
    #expect(
      try text(folder, "calls").split(separator: "\n").dropFirst(3) == [
        "--parsable --array=3%2 tasks.sh 0", "--parsable --array=1%2 tasks.sh 3",
        "--parsable --dependency=afterany:4:5 report.sh",
      ])
  }

  @Test("--slurm writes into no folder and no file that is not its own")
  func foreignSlurm() throws {
    let folder = try clips(["a"])
    let path = try programs(
      folder, ["scontrol": "echo 'MaxArraySize = 4'", "sbatch": "echo 1", "squeue": "true"])
    for (place, sentence) in [
      ("ln -s ../docs out/slurm", "is a link, or no folder"), ("touch out/slurm", "or no folder"),
      ("mkdir out/slurm; echo my notes >out/slurm/jobs", "is no list of jobs of kfrec"),
      ("mkdir out/slurm; ln -s ../../docs/jobs out/slurm/jobs", "cannot be written or read"),
      ("mkdir out/slurm; mkfifo out/slurm/jobs", "is no regular file"),
      ("mkdir out/slurm; echo mine >out/slurm/tasks.sh", "exists, and is not of kfrec"),
    ] {
      let made = try ChildProcess(
        "sh", ["-c", "rm -rf out docs; mkdir out docs; echo 1 0 >docs/jobs; " + place],
        folder: folder.path
      ).wait()
      #expect(made.exitCode == 0)
      let result = try batch(
        folder, "clips --output-dir out --slurm -pgpu", environment: ["PATH": path])
      #expect(result.exitCode == 1 && result.errors.contains(sentence), "\(place): \(result)")
      #expect(try text(folder, "docs/jobs") == "1 0\n")
      #expect(namesInFolder(folder.file("docs")) == ["jobs"])
    }
  }

  @Test("--slurm --dry-run prints both scripts, and nothing is written or called")
  func trial() throws {
    let folder = try clips(["a", "b"])
    let result = try batch(
      folder, "clips --output-dir out --task-size 1k --slurm -pgpu --dry-run",
      environment: ["PATH": "/nowhere"])
    #expect(result.exitCode == 0 && !folder.names.contains("out"), "\(result)")
    for line in [
      "#SBATCH --signal=B:USR1@120", "#SBATCH -pgpu", "# sbatch --parsable --array=1-2 ",
      "--dependency=afterany:JOB",
    ] {
      #expect(result.text.contains(line), "\(result)")
    }
  }

  @Test("without Slurm, its controller or its consent there is one sentence, and nothing is lost")
  func withoutSlurm() throws {
    let folder = try clips(["a"])
    let words = "clips --output-dir out --slurm -p"
    let none = try batch(folder, words, environment: ["PATH": "/nowhere"])
    #expect(none.exitCode == 1 && none.errors.contains("it is not installed here"), "\(none)")
    var path = try programs(folder, ["scontrol": "echo 'no contact' >&2; exit 1"])
    let down = try batch(folder, words, environment: ["PATH": path])
    #expect(down.exitCode == 1 && down.errors.contains("does not answer (no contact)"), "\(down)")
    #expect(down.errors.count { $0 == "\n" } == 1 && !folder.names.contains("out"))
    path = try programs(
      folder, ["scontrol": "echo 'MaxArraySize = 1001'", "sbatch": "echo 'no gpu' >&2; exit 1"])
    let refused = try batch(folder, words, environment: ["PATH": path])
    #expect(refused.exitCode == 1 && refused.errors.contains("are refused (no gpu)"), "\(refused)")
    #expect(try batch(folder, "--status out").text.contains("1 missing"))
  }

  @Test("task numbers become arrays of Slurm's size, with runs of numbers")
  func arrays() {
    #expect(SlurmArray.arrays(of: [], size: 1001).isEmpty)
    #expect(
      SlurmArray.arrays(of: [1, 2, 3, 7, 9, 10], size: 1001).map(\.list) == ["1-3,7,9-10"])
    let split = SlurmArray.arrays(of: [3, 4, 5, 7, 12], size: 5)
    #expect(split.map(\.offset) == [0, 4, 8] && split.map(\.list) == ["3-4", "1,3", "4"])
    #expect(shellWord("a b'c") == "'a b'\\''c'" && shellWord("/a-b.c") == "/a-b.c")
  }
}
