import TestSupport
import Testing

/// Tests that everything in a file that no output stores is reported, once.
@Suite struct LeftOutTests {
  private static let video = [
    "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2",
  ]

  @Test("one warning names everything that is left out of a video file")
  func named() throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:00:00,100\nHello\n"
    let subtitles = try folder.write(text.utf8, to: "a.srt")
    let metadata = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=100
      [CHAPTER]
      TIMEBASE=1/1000
      START=100
      END=200
      """
    let chapters = try folder.write(metadata.utf8, to: "chapters.txt")
    let cover = try make(
      "cover.png", in: folder, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    let color =
      "log-level=none:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
      + "L(10000000,1):max-cll=1000,400"
    let input = try make(
      "in.mkv", in: folder,
      LeftOutTests.video + [
        "-i", subtitles, "-i", chapters, "-map", "0", "-map", "1", "-map", "2", "-map", "2",
        "-map_metadata", "3", "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
        "-x265-params", color, "-c:a", "flac", "-metadata:s:a:0", "title=Director",
        "-disposition:a:0", "comment", "-attach", cover, "-metadata:s:t:0", "mimetype=image/png",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mkv")])
    #expect(result.exitCode == 0, "\(result)")
    let lines = result.errors.split(separator: "\n").map(String.init).filter {
      $0.contains("left out of the output")
    }
    #expect(
      lines == [
        "kfrec: warning: \(input): left out of the output: HDR10 mastering data, "
          + "HDR10 content light levels"
      ])
    let two = try KfrecProcess.run(["-i", input, "-i", input, "-o", folder.file("two.mkv")])
    #expect(two.exitCode == 0, "\(two)")
    #expect(
      two.errors.contains(
        "left out of the output: 2 subtitle tracks, 2 chapters, a cover image, the title of a track, HDR10 "
          + "mastering data, HDR10 content light levels, flags of audio tracks (comment)"), "\(two)"
    )
    let picture = try KfrecProcess.run(["-i", input, "-o", folder.file("out.png")])
    #expect(picture.exitCode == 0 && !picture.errors.contains("left out of"), "\(picture)")
  }

  @Test(
    "there is no warning for a file with nothing else", arguments: ["in.mp4", "in.ts", "in.mkv"])
  func nothing(name: String) throws {
    let folder = try TemporaryFolder()
    let input = try make(
      name, in: folder,
      LeftOutTests.video + [
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-metadata", "title=Film",
        "-metadata:s:a:0", "language=eng",
      ])
    let result = try KfrecProcess.run(["-i", input, "-o", folder.file("out.mov")])
    #expect(result.exitCode == 0 && !result.errors.contains("left out of"), "\(result)")
  }

  @Test("the primaries in a PNG are no HDR10 mastering data")
  func primaries() throws {
    let folder = try TemporaryFolder()
    let input = try make(
      "in.png", in: folder,
      [
        "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", "-vf",
        "setparams=color_primaries=bt709:color_trc=iec61966-2-1",
      ])
    #expect(try String(decoding: readFile(input), as: Unicode.ASCII.self).contains("cHRM"))
    let result = try KfrecProcess.run(["-i", input, "-t", "1", "-o", folder.file("out.mov")])
    #expect(result.exitCode == 0 && !result.errors.contains("left out of"), "\(result)")
  }
}
