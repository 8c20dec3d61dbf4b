import Frames
import Testing

@testable import kfrec
import Settings
import Capture
import Recorder

@Suite struct ForeignWordTests {
  @Test(
    "words of other tools are answered with kfrec's own, the value rewritten",
    arguments: [
      (["-ss", "5"], "-ss 5: use --start 5"), (["-to", "10"], "-to 10: use --end 10"),
      (["-r", "25"], "-r 25: use --fps 25"), (["-s", "640x360"], "-s 640x360: use --size 640x360"),
      (["-c:v", "libx265"], "-c:v libx265: use --codec libx265"),
      (["-vcodec", "libx264"], "-vcodec libx264: use --codec libx264"),
      (["-c:v", "copy"], "-c:v copy: kfrec decodes and encodes every frame; leave it out"),
      (["-an"], "-an: use --no-audio"), (["-crf", "18"], "-crf 18: use --crf 18"),
      (["-b:v", "4M"], "-b:v 4M: use --bitrate 4M"),
      (["-pix_fmt", "yuv420p"], "-pix_fmt yuv420p: use --pixel-format yuv420p"),
      (["-vf", "scale=320:180,hflip"], "-vf scale=320:180,hflip: use --size 320x180 --flip h"),
      (["-vf", "scale=640:-2"], "-vf scale=640:-2: use --size 640x"),
      (["-vf", "crop=100:50:10:20"], "-vf crop=100:50:10:20: use --crop 10,20,100,50"),
      (["-vf", "transpose=1"], "-vf transpose=1: use --rotate 90"),
      (
        ["-vf", "hue=h=90"],
        "-vf hue=h=90: use -e EFFECT, or -e EFFECT:parameter=value; kfrec effects lists them"
      ),
      (["-f", "v4l2"], "-f v4l2: leave it out; -i /dev/video0 is a camera by its name"),
      (["-f", "matroska"], "-f matroska: use --container mkv"),
      (["-f", "null"], "-f null: use -o null"),
      (["-stream_loop", "2"], "-stream_loop 2: use --loop 3"),
      (["-map_metadata", "-1"], "-map_metadata -1: use --no-tags"),
      (["-frames:v", "10"], "-frames:v 10: use --frames 10"), (["-re"], "-re: use --realtime"),
      (["--list-effects"], "--list-effects: use kfrec effects"),
      (["--scale", "320x180"], "--scale 320x180: use --size 320x180"),
      (["--scale=320:180"], "--scale 320:180: use --size 320x180"),
      (["--seek=5"], "--seek 5: use --start 5"), (["--seek"], "--seek: use --start"),
      (["--camera", "/dev/video2"], "--camera /dev/video2: use -i /dev/video2"),
      (["--out", "my film.mov"], "--out my film.mov: use -o 'my film.mov'"),
      (["--size", "720p"], "--size 720p: use --size x720"),
      (
        ["--size", "16:9"],
        "--size 16:9: a size is in pixels; use --size 1280x720 --scale fill to cut the picture to this shape"
      ),
      (
        ["--fade-in", "1"],
        "--fade-in 1: use -e colorAdjust:gain=black@0..white@1 --volume 0@0..1@1"
      ),
      (
        ["--fade-out=3"],
        "--fade-out 3: use -e colorAdjust:gain=white@7..black@10 --volume 1@7..0@10 for an end after 10 seconds"
      ),
      (
        ["-af", "afade=t=in"],
        "-af afade=t=in: use --volume 0@0..1@2, which grows for two seconds, or --volume 1@8..0@10, which fades "
          + "away at the end"
      ),
      (
        ["--speed", "1@0..0.25@1"],
        "--speed 1@0..0.25@1: one speed counts for the whole input; in steps: "
          + "kfrec -i INPUT --end 1 --speed 0.625 -o part1.mov; "
          + "kfrec -i INPUT --start 1 --speed 0.25 -o part2.mov; kfrec -i part1.mov -i part2.mov -o OUTPUT"
      ),
      (
        ["--speed", "1@2..2@3..1@4.5"],
        "--speed 1@2..2@3..1@4.5: one speed counts for the whole input; in steps: "
          + "kfrec -i INPUT --end 2 --speed 1 -o part1.mov; "
          + "kfrec -i INPUT --start 2 --end 3 --speed 1.5 -o part2.mov; "
          + "kfrec -i INPUT --start 3 --end 4.5 --speed 1.5 -o part3.mov; "
          + "kfrec -i INPUT --start 4.5 --speed 1 -o part4.mov; "
          + "kfrec -i part1.mov -i part2.mov -i part3.mov -i part4.mov -o OUTPUT"
      ),
      (
        // Outside of what --speed takes.
        ["--speed", "1@0..0.01@1"],
        "--speed 1@0..0.01@1: one speed counts for the whole input; record each part with its own, as with "
          + "--start 0 --end 2 --speed 0.5, and join the parts with one -i for each"
      ),
      (
        ["batch", "no-such.mov~start=1", "--output-dir", "d"],
        "no-such.mov~start=1: kfrec -i takes a part of an input; give --start, --end or -t here, which count for "
          + "every input"
      ),
      (
        ["play", "no-such.mov~end=1"],
        "no-such.mov~end=1: kfrec -i takes a part of an input; give --start, --end or -t here, which count for "
          + "every input"
      ),
      (
        ["--subs", "s.srt"],
        "--subs s.srt: use --subtitles s.srt, or --subtitles-track s.srt for a track"
      ),
      (["-vf", "subtitles=s.srt"], "-vf subtitles=s.srt: use --subtitles s.srt"),
      (["a.mp4", "b c.mov"], "unexpected argument \"a.mp4\"; use -i a.mp4 -o 'b c.mov'"),
      (["version"], "\"version\" is not a command: use kfrec --version"),
      (["record"], "\"record\" is not a command: leave it out; kfrec -i SOURCE -o OUTPUT records"),
    ])
  func sentences(_ typed: [String], _ sentence: String) {
    let error = #expect(throws: CommandLineError.self) { try ArgumentParser.parse(typed) }
    #expect(error?.description == sentence)
    #expect(error?.isUsageError == true)
  }

  @Test("what is advised is understood")
  func advice() {
    for typed in [
      ["-ss", "5"], ["-to", "10"], ["-r", "25"], ["-s", "640x360"], ["-c:v", "libx265"], ["-an"],
      ["-crf", "18"], ["-b:v", "4M"], ["-pix_fmt", "yuv420p"], ["-vf", "scale=320:180,hflip"],
      ["-vf", "crop=100:50:10:20"], ["-f", "matroska"], ["-stream_loop", "2"], ["-re"],
      ["--scale", "320x180"], ["-c:a", "aac"], ["-g", "30"], ["-frames:v", "3"], ["-b:a", "192k"],
      ["--width", "640"], ["--height", "360"], ["--size", "1080p"], ["--fade-in", "1"],
      ["-input_format", "mjpeg"], ["--mic", "default"],
    ] {
      let error = #expect(throws: CommandLineError.self) { try ArgumentParser.parse(typed) }
      let words = error?.description.split(separator: ": use ").last?.split(separator: " ") ?? []
      #expect(words.first?.hasPrefix("-") == true, "\(typed)")
      #expect(throws: Never.self) { try ArgumentParser.parse(words.map(String.init)) }
    }
  }

  @Test("kfrec's own words stay its own, also where they look like those of others")
  func own() throws {
    #expect(try ArgumentParser.parse(["-t5"]).source.duration == Rational(5))
    #expect(try ArgumentParser.parse(["-i", "-ss"]).inputs.map(\.name) == ["-ss"])
    #expect(try ArgumentParser.parse(["-iss"]).inputs.map(\.name) == ["ss"])
    for option in optionTable {
      #expect(ForeignWord.sentence("--" + option.long, "1") == nil, "--\(option.long)")
      if let short = option.short { #expect(ForeignWord.sentence("-\(short)", "1") == nil) }
    }
  }

  @Test("a word in a shell is quoted only if it must be")
  func quotes() {
    #expect(shellWord("a-b_c.mov") == "a-b_c.mov")
    #expect(shellWord("a b") == "'a b'")
    #expect(shellWord("it's") == "'it'\\''s'")
    #expect(shellWord("") == "''")
  }
}
