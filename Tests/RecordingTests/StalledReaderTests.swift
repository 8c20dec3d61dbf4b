import Glibc
import TestSupport
import Testing

/// Readers that stop reading: of messages, and of an output that is a FIFO.
@Suite struct StalledReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a FIFO; as long as the result is open it has a reader, which reads nothing.
  private func fifo(_ name: String, isFull: Bool) throws -> Int32 {
    try #require(mkfifo(folder.file(name), 0o600) == 0)
    let reader = open(folder.file(name), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    let block = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
    while isFull, write(reader, block, block.count) > 0 {}
    return reader
  }

  private func bytes(from reader: Int32) -> [UInt8] {
    var (all, block) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(reader, &block, block.count)
      guard count > 0 else { return all }
      all += block[..<count]
    }
  }

  private static let places = [
    "--progress json >full", "--progress openjd >full", "2>full", "--verbose 2>full",
    "--stats 2>full",
    "--progress bar 2>full",
  ]

  @Test("a reader of messages that reads nothing holds no recording up", arguments: places)
  func wholeRecording(_ place: String) throws {
    let reader = try fifo("full", isFull: true)
    defer { close(reader) }
    let result = try KfrecProcess.shell(
      "exec \"$0\" -i testsrc --size 64x48 --frames 30 -o out.mov \(place)", in: folder)
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(try Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").count == 30)
  }

  @Test(
    "signals are heard while a reader of messages reads nothing", arguments: places,
    [SIGINT, SIGTERM])
  func signals(_ place: String, _ signal: Int32) throws {
    let reader = try fifo("full", isFull: true)
    defer { close(reader) }
    let child = try KfrecProcess.startShell(
      "exec \"$0\" -i testsrc --size 64x48 --realtime -o out.mov \(place)", in: folder)
    #expect(
      waitUntil { (try? readFile(folder.file("out.mov.part")).count) ?? 0 >= 3000 },
      "the recording goes on")
    child.send(signal)
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test(
    "a terminal that is stopped, as by Ctrl-S, holds no recording up",
    arguments: [nil, SIGINT, SIGTERM])
  func stoppedTerminal(_ signal: Int32?) throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0)
    defer { close(master) }
    var (locked, number) = (CInt(0), CUnsignedInt(0))
    let (setsLock, getsNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))  // TIOCSPTLCK, TIOCGPTN
    try #require(ioctl(master, setsLock, &locked) == 0 && ioctl(master, getsNumber, &number) == 0)
    let name = "/dev/pts/\(number)"
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    try #require(terminal >= 0 && tcflow(terminal, TCOOFF) == 0)
    let length = signal == nil ? "--frames 30" : ""
    let child = try KfrecProcess.startShell(
      "exec \"$0\" -i testsrc --size 64x48 --realtime \(length) -o out.mov 2>\(name)", in: folder)
    if let signal {
      #expect(waitUntil { (try? readFile(folder.file("out.mov.part")).count) ?? 0 >= 3000 })
      child.send(signal)
    }
    let result = child.wait()
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    let count = try Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").count
    #expect(count > 0)
  }

  @Test("a batch goes on while a reader of its messages reads nothing", arguments: places)
  func batch(_ place: String) throws {
    try make("a.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4"])
    let reader = try fifo("full", isFull: true)
    defer { close(reader) }
    let words = place.replacing("--stats", with: "")
    let result = try KfrecProcess.shell(
      "exec \"$0\" batch a.mp4 --output-dir out \(words)", in: folder)
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    #expect(fileExists(folder.file("out/a.mov")))
  }

  @Test(
    "signals end a batch while a reader of its messages reads nothing",
    arguments: ["--progress json >full", "2>full"], [SIGINT, SIGTERM])
  func batchSignals(_ place: String, _ signal: Int32) throws {
    try make("a.mp4", in: folder, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"])
    let reader = try fifo("full", isFull: true)
    defer { close(reader) }
    let child = try KfrecProcess.startShell(
      "exec \"$0\" batch a.mp4 --loop 100000 --output-dir out \(place)", in: folder)
    #expect(
      waitUntil {
        (try? readFile(folder.file("out/.kfrec-batch.jsonl")))
          .map { String(decoding: $0, as: UTF8.self).contains("begun") } ?? false
      })
    child.send(signal)
    let result = child.wait()
    #expect(!result.timedOut && result.exitCode ?? 0 > 0, "\(result)")
    #expect(!fileExists(folder.file("out/a.mov")))
  }

  @Test("a reader that reads again gets the start, the warnings and the end, and less progress")
  func readsAgain() throws {
    let reader = try fifo("full", isFull: true)
    defer { close(reader) }
    let child = try KfrecProcess.startShell(
      """
      exec "$0" -i testsrc --size 63x48 -t 3 --realtime -y -o out.mov --progress json >full
      """, in: folder)
    // The recording ends within the time for which the end waits for its reader.
    waitUntil { fileExists(folder.file("out.mov")) }
    var text = bytes(from: reader)
    let result = child.wait()
    text += bytes(from: reader)
    #expect(result.exitCode == 0 && !result.timedOut, "\(result)")
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    func count(_ type: String) -> Int { lines.count { $0.contains("{\"type\":\"\(type)\"") } }
    #expect((count("ready"), count("end")) == (1, 1), "\(lines)")
    #expect(count("warning") == 1 && count("progress") <= 2, "\(lines)")
    #expect(lines.last?.contains("\"end\"") == true)
  }

  @Test(
    "a FIFO whose reader has stopped does not keep a movie beside it from its name",
    arguments: [SIGINT, SIGTERM])
  func fifoBesideMovie(_ signal: Int32) throws {
    let reader = try fifo("pipe", isFull: false)
    defer { close(reader) }
    let child = try KfrecProcess.start(
      [
        "-i", "testsrc", "--size", "320x240", "--realtime", "-o", "out.mov", "-o", "pipe",
        "--container", "y4m",
      ], in: folder)
    var polled = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 600_000) == 1, "the first frame is on its way")
    usleep(1_000_000)
    child.send(signal)
    let result = child.wait()
    #expect(result.exitCode == 3 && !result.timedOut, "\(result)")
    #expect(result.errors.contains("pipe: the reader of the pipe takes nothing"), "\(result)")
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("standard output that nobody reads does not hold a stopped recording")
  func standardOutput() throws {
    let child = try KfrecProcess.startShell(
      "exec \"$0\" -i testsrc --size 320x240 -o - --container y4m -o out.mov | sleep 1000",
      in: folder
    )
    waitUntil { fileExists(folder.file("out.mov.part")) }
    usleep(3_000_000)
    let kfrec = try readFile("/proc/\(child.id)/task/\(child.id)/children")
    for id in String(decoding: kfrec, as: UTF8.self).split(separator: " ") {
      let name = try String(decoding: readFile("/proc/\(id)/comm"), as: UTF8.self)
      if name.hasPrefix("kfrec"), let id = Int32(id) { kill(id, SIGINT) }
    }
    waitUntil { fileExists(folder.file("out.mov")) }
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }

  @Test("standard output that is a socket, and that nobody reads, does not hold it either")
  func socketOutput() throws {
    // The system takes the connection and some megabytes, and this test nothing of them.
    let listener = try HTTPClient.TakenPort()
    let child = try KfrecProcess.startShell(
      "exec \"$0\" -i testsrc --size 160x120 -o - --container y4m -o out.mov "
        + ">/dev/tcp/127.0.0.1/\(listener.port)", in: folder)
    var sizes: [Int] = []
    // The recording stands still.
    waitUntil(child, every: 0.5) {
      sizes.append((try? readFile(folder.file("out.mov.part")).count) ?? 0)
      return sizes.count > 8 && sizes.last ?? 0 > 0 && Set(sizes.suffix(5)).count == 1
    }
    child.send(SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 3 && !result.timedOut, "\(result)")
    #expect(try !Probe.rows(folder.file("out.mov"), "packet=pts", of: "v:0").isEmpty)
  }
}
