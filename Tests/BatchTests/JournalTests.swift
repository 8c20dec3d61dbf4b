import Glibc
import TestSupport
import Testing

@testable import Batch

@Suite("The journal of a batch") struct JournalTests {
  private func done(_ output: String, bytes: Int64 = 10) -> Journal.Entry {
    Journal.Entry(
      event: .done, time: 1, output: output,
      fingerprint: ResultFingerprint(
        input: InputFingerprint(path: "/no/such", isWhole: false, earlier: nil), effectFiles: [:],
        effects: "", options: "", version: "1"),
      frames: 1, bytes: bytes, modified: 5)
  }

  @Test("What was done is read again, and the latest line about an output counts")
  func read() throws {
    let folder = try TemporaryFolder()
    do {
      let journal = try Journal(folder: folder.path)
      try journal.append(done("a.mov", bytes: 1), isFlushed: true)
      try journal.append(done("ä\n\"b\".mov"))
      try journal.append(done("a.mov", bytes: 2))
      try journal.append(done("caf\u{e9}.mov", bytes: 3))
      try journal.append(done("cafe\u{301}.mov", bytes: 4))
      try journal.append(Journal.Entry(event: .failed, time: 1, output: "c.mov", error: "no"))
    }
    let results = try Journal(folder: folder.path).results
    #expect(
      Set(results.keys)
        == Set(["a.mov", "ä\n\"b\".mov", "caf\u{e9}.mov", "cafe\u{301}.mov"].map(ExactPath.init)))
    #expect(results["caf\u{e9}.mov"]?.file.bytes == 3)
    #expect(results["a.mov"]?.file == OutputFile(bytes: 2, modified: 5))
  }

  @Test(
    "The secrets of addresses are not in the journal, and what was made with them is known again")
  func secrets() throws {
    let address = "https://me:pw77@example.org/a.wav?key=SECRET9"
    func made(_ address: String) -> ResultFingerprint {
      ResultFingerprint(
        input: InputFingerprint(path: "/no/such", isWhole: false, earlier: nil),
        effectFiles: [address: ""], effects: "--effect=overlay:image=\"\(address)\",mix=0.5",
        options: "--audio-in=\(address) --crf=20", version: "1")
    }
    let folder = try TemporaryFolder()
    var entry = done("a.mov")
    entry.fingerprint = made(address)
    entry.warnings = ["\(address) was slow"]
    do {
      let journal = try Journal(folder: folder.path)
      try journal.append(entry)
      try journal.append(
        Journal.Entry(event: .failed, time: 1, output: "b.mov", error: "\(address): no"))
    }
    let text = String(
      decoding: try readFile(folder.file(Journal.fileName)), as: UTF8.self)
    #expect(!text.contains("pw77") && !text.contains("SECRET9"), "\(text)")
    #expect(text.contains("https://example.org/a.wav was slow"), "\(text)")
    let kept = try #require(try Journal(folder: folder.path).results["a.mov"]?.fingerprint)
    #expect(made(address).difference(from: kept) == nil)
    // As a journal from before has it.
    #expect(made(address).difference(from: made(address)) == nil)
    // Another password gives the same file, and another query may give another.
    #expect(made(address.replacing("pw77", with: "new")).difference(from: kept) == nil)
    #expect(made(address.replacing("SECRET9", with: "8")).difference(from: kept) != nil)
  }

  @Test("A line that a kill cut off is left out, and the next line begins on its own")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    do { try Journal(folder: folder.path).append(done("a.mov")) }
    let path = folder.file(Journal.fileName)
    let file = open(path, O_WRONLY | O_APPEND)
    #expect(write(file, "{\"event\":\"done\",\"out", 20) == 20)
    close(file)
    do {
      let journal = try Journal(folder: folder.path)
      #expect(journal.damagedLines == 1 && journal.results.count == 1)
      try journal.append(done("b.mov"))
    }
    let again = try Journal(folder: folder.path)
    #expect(again.results.count == 2 && again.damagedLines == 1)
  }

  @Test("A journal whose first line a full disk cut off is a journal still")
  func cutFirst() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"event\":\"op".utf8, to: Journal.fileName)
    do { try Journal(folder: folder.path).append(done("a.mov")) }
    #expect(try Journal(folder: folder.path).results.count == 1)
  }

  @Test("A folder has one batch at a time, and a lock ends with its owner")
  func locked() throws {
    let folder = try TemporaryFolder()
    do {
      let journal = try Journal(folder: folder.path)
      let error = try #require(throws: BatchError.self) { try Journal(folder: folder.path) }
      #expect(error.description.contains("another batch writes into"))
      withExtendedLifetime(journal) {}
    }
    _ = try Journal(folder: folder.path)
  }

  @Test("A journal of a later version is refused, and not written to")
  func later() throws {
    let folder = try TemporaryFolder()
    let text = "{\"event\":\"opened\",\"journal\":2,\"time\":1}\n"
    try folder.write(text.utf8, to: Journal.fileName)
    let error = try #require(throws: BatchError.self) { try Journal(folder: folder.path) }
    #expect(error.description.contains("is of a later version of kfrec"))
    #expect(try readFile(folder.file(Journal.fileName)) == [UInt8](text.utf8))
  }
}

@Suite("What a result was made of") struct ResultFingerprintTests {
  private func input(_ path: String, isWhole: Bool = false) -> InputFingerprint {
    InputFingerprint(path: path, isWhole: isWhole, earlier: nil)
  }

  @Test(
    "With --hash all is read though size and time are the same, and without it a touched file is known again"
  )
  func hashed() throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](repeating: 1, count: 300_000)
    let path = try folder.write(bytes, to: "a")
    func stamp(_ seconds: Int) throws { try runTool("touch", ["-d", "@\(seconds)", path]) }
    func found(_ isWhole: Bool, after earlier: InputFingerprint) -> InputFingerprint {
      InputFingerprint(path: path, isWhole: isWhole, earlier: earlier)
    }
    try stamp(1_700_000_000)
    let made = input(path, isWhole: true)
    #expect(found(true, after: made).isSame(as: made))
    try stamp(1_700_000_001)
    #expect(found(false, after: made).isSame(as: made))
    bytes[150_000] = 2
    try folder.write(bytes, to: "a")
    #expect(!found(false, after: made).isSame(as: made))
    try stamp(1_700_000_000)
    #expect(!found(true, after: made).isSame(as: made))
  }

  @Test("A change at either end or of the size is seen, one in the middle only with --hash")
  func content() throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](repeating: 1, count: 300_000)
    let path = try folder.write(bytes, to: "a")
    let (ends, whole) = (input(path), input(path, isWhole: true))
    for (place, isSeen) in [(0, true), (65535, true), (150_000, false), (299_999, true)] {
      bytes[place] = 2
      try folder.write(bytes, to: "a")
      #expect(input(path).isSame(as: ends) != isSeen, "\(place)")
      #expect(!input(path, isWhole: true).isSame(as: whole), "\(place)")
      bytes[place] = 1
    }
    try folder.write(bytes, to: "a")
    #expect(input(path).isSame(as: ends))
    try folder.write(bytes.dropLast(), to: "a")
    #expect(!input(path).isSame(as: ends))
  }

  @Test("The reason names what changed")
  func reasons() {
    let first = ResultFingerprint(
      input: input("/no/such"), effectFiles: ["/e": "1"], effects: "e", options: "o", version: "1")
    #expect(first.difference(from: first) == nil)
    func reason(_ change: (inout ResultFingerprint) -> Void) -> String? {
      var other = first
      change(&other)
      return other.difference(from: first)
    }
    #expect(reason { $0.input.size = 5 } == "the input changed")
    #expect(reason { $0.effects = "f" } == "the effects changed")
    #expect(reason { $0.effectFiles["/e"] = "2" } == "/e changed")
    #expect(reason { $0.options = "p" } == "the options changed")
    #expect(reason { $0.version = "2" } == "it was made by kfrec 1")
    // A file that was only touched is the same.
    #expect(reason { $0.input.time = 9 } == nil)
  }
}
