import Foundation
import Frames
import TestSupport
import Testing

/// `--deinterlace` and `--field-order` with the real program: `ffmpeg` makes fields of a progressive original, and
/// judges what comes back.
@Suite struct DeinterlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A picture in which everything moves: a texture that pans by parts of a line.
  private static let texture = """
    geq=lum='128+50*sin((X+3*N)/3)*cos((Y-1.5*N)/4)+40*lt(mod(X+2*Y+4*N\\,23)\\,5)'\
    :cb='128+60*sin((X-2*N)/5+Y/6)':cr='128+60*cos((Y+N)/5)'
    """

  /// Two codes that jump by four lines a field, like text: which filter has less luck with its steps is chance.
  private static let text = """
    geq=lum='16+219*lt(mod(X+3*floor((Y+4*N)/14)\\,17)\\,6)*lt(mod(Y+4*N\\,14)\\,3+mod(X\\,5))'\
    :cb=128:cr=128
    """

  /// Makes a progressive original at 50 frames per second, `p.mkv`.
  private func original(
    _ scene: String = texture, frames: Int = 20, size: String = "96x80", format: String = "yuv420p"
  ) throws {
    try make(
      "p.mkv", in: folder,
      [
        "-f", "lavfi", "-i", "nullsrc=s=\(size):r=50,\(scene)", "-frames:v", "\(frames)",
        "-pix_fmt", format, "-c:v", "ffv1",
      ])
  }

  /// Makes fields of `p.mkv`, 25 frames per second.
  private func fields(
    _ name: String = "in.mkv", first: String = "top",
    coding: [String] = ["-c:v", "ffv1", "-flags", "+ildct"]
  ) throws {
    try make(
      name, in: folder,
      [
        "-i", folder.file("p.mkv"), "-vf",
        "tinterlace=interleave_\(first),setfield=\(first == "top" ? "tff" : "bff")",
      ] + coding)
  }

  @discardableResult
  private func record(_ words: String) throws -> ChildResult {
    let result = try KfrecProcess.run(words.split(separator: " ").map(String.init), in: folder)
    #expect(result.exitCode == 0, "\(result)")
    return result
  }

  /// Frames of a file as bytes, `count` of them.
  private func frames(_ name: String, filters: [String] = []) throws -> [ArraySlice<UInt8>] {
    let path = folder.file(name)
    let bytes = try Probe.pixels(path, filters: filters)
    let rows = try Probe.stream(path, "width,height,pix_fmt")
    let (width, height) = (Int(rows["width"] ?? "") ?? 1, Int(rows["height"] ?? "") ?? 1)
    func half(_ side: Int) -> Int { (side + 1) / 2 }
    let size =
      switch rows["pix_fmt"] {
      case "yuv420p": width * height + 2 * half(width) * half(height)
      case "yuv422p": width * height + 2 * half(width) * height
      case "yuv422p10le": 2 * (width * height + 2 * half(width) * height)
      default: throw TestSupportError("\(rows)")
      }
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<$0 + size] }
  }

  /// The peak signal-to-noise ratio of bytes, in decibels.
  private func quality(_ made: [ArraySlice<UInt8>], _ wanted: [ArraySlice<UInt8>]) -> Double {
    var (sum, count) = (0, 0)
    for (made, wanted) in zip(made, wanted) {
      for (a, b) in zip(made, wanted) { sum += (Int(a) - Int(b)) * (Int(a) - Int(b)) }
      count += wanted.count
    }
    return sum == 0 ? 200 : 10 * log10(255 * 255 * Double(count) / Double(sum))
  }

  @Test(
    "the pictures are at least as near to the original as those of bwdif",
    arguments: [(texture, 0.0), (text, 0.05)],
    [("top", "yuv420p"), ("bottom", "yuv420p"), ("bottom", "yuv422p")])
  func asGoodAsBwdif(
    clip: (scene: String, tolerance: Double), fields order: (first: String, format: String)
  ) throws {
    let (scene, tolerance) = clip
    let (first, format) = order
    try original(scene, format: format)
    try fields(first: first)
    let wanted = try frames("p.mkv")
    for (mode, filter, step) in [("auto", "send_frame", 2), ("bob", "send_field", 1)] {
      try record("-i in.mkv --deinterlace \(mode) --pixel-format \(format) -o \(mode).y4m")
      let (made, judge) = (
        try frames("\(mode).y4m"), try frames("in.mkv", filters: ["bwdif=\(filter)"])
      )
      let originals = stride(from: 0, to: wanted.count, by: step).map { wanted[$0] }
      #expect(made.count == originals.count && judge.count == made.count)
      // At both ends a field is missing; there the pictures are made in another way.
      for part in [0..<made.count, 0..<1, made.count - 1..<made.count] {
        let own = quality(Array(made[part]), Array(originals[part]))
        let other = quality(Array(judge[part]), Array(originals[part]))
        #expect(
          own >= other - tolerance && own > 20, "\(mode) \(part): \(own) dB, bwdif \(other) dB")
      }
    }
  }

  @Test("the picture of an only frame has nothing of its other field")
  func onlyFrame() throws {
    var pictures: [[UInt8]] = []
    for other in ["", ",negate=enable='eq(n,1)'"] {
      try make(
        "in.mkv", in: folder,
        [
          "-f", "lavfi", "-i",
          "nullsrc=s=96x80:r=50,\(Self.texture)\(other),tinterlace=interleave_top,setfield=tff",
          "-frames:v", "1", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "-flags", "+ildct",
        ])
      try record("-y -i in.mkv --field-order top --codec ffv1 -o out.mkv")
      pictures.append(try Probe.pixels(folder.file("out.mkv"), "gray"))
    }
    #expect(pictures[0].count == 96 * 80 && pictures[0] == pictures[1])
  }

  @Test("a still picture comes back whole, in 10 bits and odd sizes too")
  func still() throws {
    for (size, format) in [
      ("96x80", "yuv420p"), ("351x197", "yuv420p"), ("35x3", "yuv422p"), ("96x81", "yuv422p10le"),
    ] {
      try make(
        "in.mkv", in: folder,
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25", "-vf", "loop=4:1,setfield=tff",
          "-frames:v", "4",
          "-pix_fmt", format, "-c:v", "ffv1", "-flags", "+ildct",
        ])
      // FFmpeg cannot decode its own y4m of odd sizes in 4:2:0 by frames of this size alone: FFV1 holds them.
      try record(
        "-y -i in.mkv --deinterlace bob --codec ffv1 --pixel-format \(format) -o out.mkv")
      let (made, wanted) = (try frames("out.mkv"), try frames("in.mkv"))
      #expect(made.count == 8 && wanted.count == 4, "\(size)")
      // Both ends have a neighbour on one side only, which shows the same.
      #expect(made.allSatisfy { Array($0) == Array(wanted[0]) }, "\(size) \(format)")
    }
  }

  @Test("auto keeps times and count; bob puts the second field in the exact middle")
  func times() throws {
    try make(
      "in.mov", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=60000/1001", "-vf",
        "trim=end_frame=20,tinterlace=interleave_top,setfield=tff", "-c:v", "libx264", "-flags",
        "+ildct+ilme",
      ])
    let source = try Timeline(folder.file("in.mov"))
    let said = try record("-i in.mov -o auto.mov")
    #expect(said.errors.contains("in.mov is interlaced, top field first"), "\(said)")
    #expect(!said.errors.contains("warning"), "\(said)")
    let auto = try Timeline(folder.file("auto.mov"))
    #expect(auto.times == source.from(source.start).times && auto.times.count == 10)
    try record("-i in.mov --deinterlace bob -o bob.mov")
    let bob = try Timeline(folder.file("bob.mov"))
    #expect(bob.times == (0..<20).map { Rational(Int64($0)) * Rational(1001, 60000) })
    let rate = try Probe.stream(folder.file("bob.mov"), "r_frame_rate,field_order,duration")
    #expect(rate["r_frame_rate"] == "60000/1001" && rate["field_order"] == "progressive", "\(rate)")
    #expect(rate["duration"] == "0.333667", "\(rate)")
    try record("-i in.mov --deinterlace bob --frames 5 -o five.mov")
    #expect(try Timeline(folder.file("five.mov")).times.count == 5)
  }

  @Test("the last frame's second field comes after half of its own duration")
  func lastDuration() throws {
    try original(frames: 2)
    try fields()
    try record("-i in.mkv --deinterlace bob -o out.mov")
    #expect(try Timeline(folder.file("out.mov")).times == [.zero, Rational(1, 50)])
  }

  @Test("progressive frames stay as they are, without a GPU and without a word")
  func progressive() throws {
    try original()
    for mode in ["auto", "bob"] {
      let result = try record("-y --verbose -i p.mkv --deinterlace \(mode) -o out.y4m")
      #expect(result.errors.contains("GPU not used"), "\(result)")
      #expect(!result.errors.contains("interlaced"), "\(result)")
      #expect(try frames("out.y4m") == frames("p.mkv"))
    }
  }

  @Test("of a file with both kinds, the progressive frames stay as they are")
  func mixed() throws {
    try original()
    let coding = [
      "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x264-params",
    ]
    try fields("i.ts", coding: coding + ["tff=1:fake-interlaced=0", "-flags", "+ildct+ilme"])
    try make(
      "p.ts", in: folder,
      ["-r", "25", "-i", folder.file("p.mkv"), "-r", "25"] + coding + ["fake-interlaced=1"])
    try make(
      "in.ts", in: folder,
      ["-i", "concat:\(folder.file("p.ts"))|\(folder.file("i.ts"))|\(folder.file("p.ts"))"]
        + ["-c", "copy"])
    let flags = try Probe.rows(folder.file("in.ts"), "frame=interlaced_frame", of: "v:0")
      .compactMap { $0["interlaced_frame"] }
    let isWoven = flags.map { $0 == "1" }
    try #require(Set(isWoven) == [true, false], "\(flags)")
    try record("-i in.ts -o out.y4m")
    let (made, stored) = (try frames("out.y4m"), try frames("in.ts"))
    try #require(made.count == stored.count && made.count == flags.count)
    for place in made.indices {
      #expect((made[place] == stored[place]) == !isWoven[place], "frame \(place)")
    }
    try record("-i in.ts --deinterlace bob -o bob.mov")
    let count = isWoven.count + isWoven.count(where: \.self)
    #expect(try Timeline(folder.file("bob.mov")).times.count == count)
  }

  @Test(
    "a part has the frames of the whole",
    arguments: [
      ("--start 0.4", 10, 25), ("--frame-range 11-13", 11, 14), ("--start 0.44 --frames 3", 11, 14),
      ("--start 0.24 -t 0.2", 6, 11), ("--deinterlace bob --start 0.42", 21, 50),
      ("--deinterlace bob --frame-range 3-24", 3, 25),
    ])
  func parts(words: String, first: Int, end: Int) throws {
    try original(frames: 50)
    try fields(
      "in.mp4", coding: ["-c:v", "libx264", "-g", "5", "-bf", "2", "-flags", "+ildct+ilme"])
    let mode = words.contains("bob") ? "--deinterlace bob " : ""
    try record("-i in.mp4 \(mode)-o whole.y4m")
    try record("-i in.mp4 \(words) -o part.y4m")
    #expect(try frames("part.y4m") == Array(frames("whole.y4m")[first..<end]))
  }

  @Test(
    "backwards and in loops the pictures are the same", arguments: ["auto", "bob"], ["mp4", "ts"])
  func retimed(mode: String, ending: String) throws {
    // Of other heights FFmpeg 7.1's encoder for MPEG-2 ended by signal 11 in 23 of 150 runs: it reads whole fields of
    // macroblocks, 32 rows.
    try original(frames: 50, size: "96x96")
    let input = "in.\(ending)"
    let codec =
      ending == "ts"
      ? ["mpeg2video", "-g", "12", "-qscale:v", "2"] : ["libx264", "-g", "5", "-bf", "2"]
    try fields(input, coding: ["-flags", "+ildct+ilme", "-c:v"] + codec)
    try record("-i \(input) --deinterlace \(mode) -o whole.y4m")
    try record("-i \(input) --deinterlace \(mode) --reverse -o back.y4m")
    try record("-i \(input) --deinterlace \(mode) --loop 2 -o twice.y4m")
    let whole = try frames("whole.y4m")
    #expect(try frames("back.y4m") == whole.reversed())
    #expect(try frames("twice.y4m") == whole + whole)
  }

  @Test("chunks of a batch give the frames of the whole; bob stays whole")
  func chunks() throws {
    try original(frames: 200)
    try fields(
      "in.mp4", coding: ["-c:v", "libx264", "-g", "10", "-bf", "2", "-flags", "+ildct+ilme"])
    try record("batch in.mp4 --output-dir whole --codec ffv1 --container mkv")
    let cut = try record(
      "batch in.mp4 --output-dir cut --chunks 4 --jobs 2 --codec ffv1 --container mkv")
    let journal = String(
      decoding: try readFile(folder.file("cut/.kfrec-batch.jsonl")), as: UTF8.self)
    #expect(journal.split(separator: #""event":"chunk""#).count > 2, "\(cut)")
    #expect(try frames("cut/in.mkv") == frames("whole/in.mkv"))
    let bob = try record(
      "batch in.mp4 --output-dir bob --deinterlace bob --chunks 4 --codec ffv1 --container mkv")
    #expect(bob.errors.contains("--deinterlace bob"), "\(bob)")
    #expect(try frames("bob/in.mkv").count == 200)
  }

  @Test("--field-order replaces what the file says")
  func override() throws {
    try original()
    try fields()
    try record("-i in.mkv -o right.y4m")
    // The same woven frames, marked as progressive, and as the other order.
    for (name, mark) in [("prog.mkv", "prog"), ("bff.mkv", "bff")] {
      let flags = mark == "prog" ? "-ildct" : "+ildct"
      try make(
        name, in: folder,
        ["-i", folder.file("in.mkv"), "-vf", "setfield=\(mark)", "-c:v", "ffv1", "-flags", flags])
      try record("-y -i \(name) --field-order top -o out.y4m")
      #expect(try frames("out.y4m") == frames("right.y4m"), "\(name)")
      try record("-y -i \(name) --field-order progressive -o out.y4m")
      #expect(try frames("out.y4m") == frames("in.mkv"), "\(name)")
    }
    let result = try record("-i in.mkv --deinterlace off --field-order bottom -o out.mov")
    #expect(result.errors.contains("bottom field first, and tagged so"), "\(result)")
  }

  @Test("inputs that follow each other, and a film in an effect, are deinterlaced")
  func severalInputs() throws {
    try original()
    try fields()
    try record("-i in.mkv --codec ffv1 -o ready.mkv")
    for words in [
      "-i SOURCE -i p.mkv", "-i p.mkv -i SOURCE", "-i p.mkv -i SOURCE -e crossfade --overlap 0.2",
      "-i p.mkv -e overlay:image=SOURCE", "-i SOURCE --fps 50 --fps-mode blend",
    ] {
      let ready = words.replacingOccurrences(of: "SOURCE", with: "ready.mkv")
      try record("-y \(ready) -o a.y4m")
      try record("-y \(words.replacingOccurrences(of: "SOURCE", with: "in.mkv")) -o b.y4m")
      #expect(try frames("a.y4m") == frames("b.y4m"), "\(words)")
      try record(
        "-y --deinterlace off \(words.replacingOccurrences(of: "SOURCE", with: "in.mkv")) -o b.y4m")
      #expect(try frames("a.y4m") != frames("b.y4m"), "\(words)")
    }
  }

  @Test("audio is the same as with fields that stay")
  func audio() throws {
    try original(frames: 50)
    try make(
      "in.mp4", in: folder,
      [
        "-i", folder.file("p.mkv"), "-f", "lavfi", "-i", "sine=d=1", "-vf",
        "tinterlace=interleave_top,setfield=tff", "-c:v", "libx264", "-flags", "+ildct+ilme",
        "-c:a", "aac",
      ])
    try record("-i in.mp4 --deinterlace off -o off.mov")
    for mode in ["auto", "bob"] {
      try record("-y -i in.mp4 --deinterlace \(mode) -o out.mov")
      #expect(
        try Timeline(folder.file("out.mov"), of: "a:0").entries
          == Timeline(folder.file("off.mov"), of: "a:0").entries)
    }
  }

  @Test("without a driver, interlaced frames are an error before anything is written")
  func withoutDriver() throws {
    try original()
    try fields()
    let result = try KfrecProcess.run(
      ["-i", "in.mkv", "-o", "out.mov"], in: folder,
      environment: [
        "VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent",
      ])
    #expect(result.exitCode == 1, "\(result)")
    #expect(namesInFolder(folder.path).contains { $0.hasPrefix("out") } == false)
  }
}
