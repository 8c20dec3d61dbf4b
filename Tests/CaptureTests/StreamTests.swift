import Capture
import Frames
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Streams")
struct StreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stream(_ name: String, size: String, from: Int = 0) throws -> [UInt8] {
    let path = folder.file(name)
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=\(size):r=25", "-frames:v", "50", "-c:v", "libx264",
      "-pix_fmt", "yuv420p", "-bf",
      "0", "-output_ts_offset", "\(from)", "-muxdelay", "0", path)
    return try readFile(path)
  }

  @Test("frames of a stream that changes its size keep their own size")
  func sizes() throws {
    let both = try stream("a.ts", size: "64x48") + stream("b.ts", size: "96x80", from: 2)
    let read = try ReadSource(try folder.write(both, to: "both.ts"))
    #expect(read.frames.count == 100)
    #expect(read.frames.prefix(50).allSatisfy { $0.format.width == 64 && $0.format.height == 48 })
    #expect(read.frames.suffix(50).allSatisfy { $0.format.width == 96 && $0.format.height == 80 })
    #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(
      read.frames.allSatisfy { frame in
        let size = frame.format.width * frame.format.height
        return frame.rawVideo.count == size * 3 / 2
      })
  }

  @Test("a stream that stalls ends when it is interrupted")
  func interrupted() throws {
    let fifo = folder.file("fifo")
    let path = folder.file("c.ts")
    _ = try stream("c.ts", size: "320x240")
    #expect(mkfifo(fifo, 0o600) == 0)
    // Holds the FIFO open after the last byte until the process is killed.
    let writer = try ChildProcess("sh", ["-c", "exec 3> \(fifo); cat \(path) >&3; exec sleep 600"])
    let request = SourceRequest(input: fifo)
    let source = try openSource(request)
    let progress = Progress()
    let interrupter = try WorkerThread(name: "interrupter") {
      while progress.samples.load(ordering: .relaxed) < 20,
        !progress.isOver.load(ordering: .relaxed)
      {
        usleep(1000)
      }
      // Long enough for the reader to block in a read that gets no data; the expectation also holds if
      // it has not blocked yet.
      usleep(100_000)
      request.interruption.interrupt()
    }
    do {
      defer { progress.isOver.store(true, ordering: .relaxed) }
      while try source.next() != nil { progress.samples.add(1, ordering: .relaxed) }
    }
    interrupter.join()
    #expect(progress.samples.load(ordering: .relaxed) >= 20)
    #expect(try source.next() == nil)
    #expect(source.report.incomplete == nil)
    writer.send(SIGKILL)
  }

  @Test("a stream that is damaged in the middle continues after it, and the damage is counted")
  func damaged() throws {
    var bytes = try stream("d.mp4", size: "64x48")
    for place in bytes.count / 3..<bytes.count / 2 { bytes[place] = 0xaa }
    let read = try ReadSource(try folder.write(bytes, to: "damaged.mp4"))
    #expect(read.frames.count > 20)
    #expect(read.report.damaged > 0)
    #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "a hole in the middle is counted in every container, also if what is left decodes",
    arguments: ["a.mp4", "a.mkv", "a.flv", "a.ogv", "a.webm", "lossless.mkv"])
  func hole(name: String) throws {
    let path = folder.file(name)
    let codec =
      switch name {
      case "a.ogv": ["-c:v", "libtheora", "-g", "12"]
      case "a.webm": ["-c:v", "libvpx", "-deadline", "realtime", "-g", "12"]
      case "lossless.mkv": ["-c:v", "ffv1", "-level", "3", "-slicecrc", "1"]
      default: ["-c:v", "libx264", "-g", "12"]
      }
    try ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-t", "8"] + codec + [path])
    let bytes = try readFile(path)
    #expect(try ReadSource(path).report.damaged == 0)
    for (start, length) in [(3, 3), (4, 11), (5, 7)] {
      var damaged = bytes
      let place = bytes.count * start / 10
      let end = name == "lossless.mkv" ? place + 100 : place + bytes.count * length / 100
      for index in place..<end { damaged[index] = 0 }
      let read = try ReadSource(try folder.write(damaged, to: "damaged-" + name))
      let isLost = read.frames.count < 200
      #expect(read.report.damaged > 0 || read.report.incomplete != nil || !isLost, "\(start)")
      if name == "lossless.mkv" { #expect(read.report.damaged > 0, "\(start)") }
    }
  }

  @Test("what a recording of a transport stream lacks at its beginning is no damage")
  func beginsAnywhere() throws {
    let path = folder.file("whole.ts")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-t", "4", "-c:v", "libx264", "-g", "25",
      "-bf", "2", path)
    let bytes = try readFile(path)
    for packets in [30, 77, 200] {
      let cut = try folder.write(bytes[(188 * packets)...], to: "cut.ts")
      #expect(try ReadSource(cut).report.damaged == 0, "\(packets)")
    }
    let joined = try folder.write(bytes + bytes, to: "joined.ts")
    #expect(try ReadSource(joined).report.damaged == 0)
    for name in ["open.mp4", "open.ts", "open.mkv"] {
      let path = folder.file(name)
      try ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-t", "4", "-c:v", "libx264", "-bf", "3",
        "-x264-params", "open-gop=1:keyint=20:min-keyint=20:scenecut=0", path)
      for start in [0, 1, 2, 3] {
        let read = try ReadSource(path) { $0.start = Rational(Int64(start)) + Rational(1, 25) }
        #expect(read.report.damaged == 0 && read.report.incomplete == nil, "\(name) \(start)")
      }
    }
  }

  @Test("damage in the last packets loses only their frames", arguments: 96...100)
  func damagedEnd(number: Int) throws {
    let path = folder.file("e.mp4")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "100", "-c:v", "libx264", "-g",
      "1",
      "-preset", "ultrafast", path)
    let places = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
        path,
      ]
    ).split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    var bytes = try readFile(path)
    let packet = places[number - 1]
    let (start, size) = (packet.max() ?? 0, packet.min() ?? 0)
    for place in start..<start + size { bytes[place] = 0xff }
    let damaged = try folder.write(bytes, to: "damaged.mp4")
    for threads in [1, 4] {
      let read = try ReadSource(damaged) { $0.decoderThreads = threads }
      #expect(read.frames.count == 99, "\(threads) threads")
      #expect(read.report.damaged == 1)
      #expect(read.report.incomplete == nil)
    }
  }
}

private final class Progress: Sendable {
  let samples = Atomic<Int>(0)
  let isOver = Atomic<Bool>(false)
}
