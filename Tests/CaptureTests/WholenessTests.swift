import FFmpegHandles
import Frames
import TestSupport
import Testing

@testable import Capture

/// A source that ends early says so, and no good one is accused of it.
@Suite("Whole and cut-off files")
struct WholenessTests {
  @Test(
    "A good file of any kind is whole",
    arguments: [
      "a.mp4 -c:v libx264 -bf 3 -c:a aac", "b.mp4 -c:v libx264 -an", "c.mkv -c:v libx264 -c:a aac",
      "d.mov -c:v mpeg4 -c:a pcm_s16le", "e.avi -c:v mpeg4 -c:a mp3", "f.ts -c:v libx264 -c:a aac",
      "g.webm -c:v libvpx -deadline realtime -c:a libopus", "h.gif", "i.mkv -c:v ffv1 -c:a flac",
      "j.mp4 -c:v libx264 -c:a aac -movflags frag_keyframe+empty_moov",
    ], [true, false])
  func whole(output: String, sound: Bool) throws {
    let folder = try TemporaryFolder()
    let words = output.split(separator: " ").map(String.init)
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25 -f lavfi -i sine -t 2",
      words.dropFirst().joined(separator: " "), output: folder.file(words[0]))
    let reading = try Reading(folder.file(words[0])) { $0.includesSound = sound }
    #expect(reading.report.incomplete == nil)
    #expect(reading.report.damaged == 0)
    #expect(reading.report.predictedTimes == 0)
    #expect(reading.frames.count == 50)
    #expect(reading.sound.isEmpty == (!sound || words[0] == "b.mp4" || words[0] == "h.gif"))
  }

  @Test("A file whose start an edit list leaves out is whole")
  func editList() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25 -t 4 -c:v libx264 -g 50 -bf 2",
      output: folder.file("in.mp4"))
    // A copy from the middle of a group of pictures starts with an edit list.
    try ffmpeg("-ss 1 -i \(folder.file("in.mp4")) -c copy", output: folder.file("cut.mp4"))
    #expect(try Reading(folder.file("cut.mp4")).report.incomplete == nil)
  }

  @Test(
    "A file that was cut off gives what it has and says how much",
    arguments: ["a.mp4 -movflags +faststart", "b.mkv", "c.mov -movflags +faststart"])
  func truncated(output: String) throws {
    let folder = try TemporaryFolder()
    let words = output.split(separator: " ").map(String.init)
    try ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25 -t 8 -c:v libx264 -g 25",
      words.dropFirst().joined(separator: " "), output: folder.file(words[0]))
    let bytes = try readFile(folder.file(words[0]))
    try folder.write(bytes.prefix(bytes.count * 6 / 10), to: words[0])
    let reading = try Reading(folder.file(words[0]))
    #expect((20..<180).contains(reading.frames.count))
    let sentence = try #require(reading.report.incomplete)
    #expect(sentence.contains(words[0]) && sentence.contains("seconds"))
  }

  @Test("A part of a file is not called incomplete")
  func part() throws {
    let folder = try TemporaryFolder()
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25 -f lavfi -i sine -t 4 -c:v libx264 -bf 2 -g 30 -c:a aac",
      output: folder.file("in.mp4"))
    let reading = try Reading(folder.file("in.mp4")) {
      $0.start = Rational(1)
      $0.duration = Rational(3, 2)
    }
    #expect(reading.report.incomplete == nil)
    #expect(reading.frames.first?.time == Rational(1))
    #expect(reading.frames.last?.time == Rational(1) + Rational(37, 25))
    #expect(reading.frames.count == 38)
    #expect(reading.description.frameCount == 38)
    // Sound covers the part and little more.
    let first = try #require(reading.sound.first)
    let last = try #require(reading.sound.last)
    #expect(first.time <= Rational(1) && first.time + first.duration > Rational(1))
    #expect(last.time < Rational(5, 2) && last.time + last.duration >= Rational(5, 2))
    let frames = try Reading(folder.file("in.mp4")) { $0.frames = 7 }
    #expect(frames.frames.count == 7)
  }
}
