import TestSupport
import Testing

/// `--crop auto`: which bars are found, and which pictures stay whole.
@Suite struct BlackBarsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a clip of ten frames a second from a description of FFmpeg's filters.
  private func clip(
    _ name: String, _ filter: String, _ words: [String] = ["-c:v", "libx264", "-g", "10"]
  ) throws -> String {
    try make(
      name, in: folder, ["-f", "lavfi", "-i", filter] + words + ["-pix_fmt", "yuv420p"])
  }

  /// What kfrec says about the bars of an input, and the size of what it makes.
  private func found(_ input: String, _ words: [String] = []) throws -> (
    errors: String, size: String
  ) {
    let output = folder.file("out.mkv")
    let result = try KfrecProcess.run(
      ["-i", input] + words
        + ["--crop", "auto", "--frames", "2", "--codec", "ffv1", "-y", "-o", output])
    #expect(result.exitCode == 0, "\(result)")
    let stream = try Probe.stream(output, "width,height")
    return (result.errors, "\(stream["width"] ?? "")x\(stream["height"] ?? "")")
  }

  private static let dark = "eq=brightness='if(lt(t,2),-0.9,0)':eval=frame"

  @Test(
    "bars that every frame has are left out, also after a dark beginning",
    arguments: [
      ("testsrc2=s=160x68:r=10:d=5,\(dark),format=yuv444p,pad=160:90:0:11", "0,12,160,66"),
      ("testsrc2=s=160x68:r=10:d=5,pad=160:90:0:12", "0,12,160,68"),
      ("testsrc2=s=100x90:r=10:d=2,format=yuv444p,pad=160:90:31:0", "32,0,98,90"),
      ("testsrc2=s=120x60:r=10:d=2,pad=160:90:20:16", "20,16,120,60"),
    ])
  func bars(_ filter: String, _ area: String) throws {
    let input = try clip("in.mkv", filter)
    let (errors, size) = try found(input)
    #expect(errors.contains("--crop \(area)\n"), "\(errors)")
    let numbers = area.split(separator: ",")
    #expect(size == "\(numbers[2])x\(numbers[3])")
    // The numbers make the same file.
    let same = folder.file("same.mkv")
    let result = try KfrecProcess.run([
      "-i", input, "--crop", area, "--frames", "2", "--codec", "ffv1", "-o", same,
    ])
    #expect(result.exitCode == 0, "\(result)")
    #expect(try Probe.pixels(same, "yuv420p") == Probe.pixels(folder.file("out.mkv"), "yuv420p"))
  }

  @Test(
    "a picture without bars stays whole, however dark it is",
    arguments: [
      "testsrc2=s=160x90:r=10:d=2", "color=black:s=160x90:r=10:d=2",
      // A bar in most frames, but not in all; a light square on black.
      "testsrc2=s=160x90:r=10:d=5,drawbox=0:0:160:12:black:fill:enable='lt(t,4)'",
      "color=black:s=160x90:r=10:d=2,drawbox=60:40:30:10:white:fill",
      // Thinner than a bar.
      "testsrc2=s=160x88:r=10:d=2,pad=160:90:0:1",
    ])
  func noBars(_ filter: String) throws {
    let (errors, size) = try found(try clip("in.mkv", filter))
    #expect(errors.contains("no black bars") && size == "160x90", "\(errors)")
  }

  @Test("a turned source, numbered images and each of several inputs have bars of their own")
  func kinds() throws {
    let plain = try clip("plain.mp4", "testsrc2=s=160x68:r=10:d=2,pad=160:90:0:12")
    let turned = try makeTurned("turned.mp4", from: plain, by: 270, in: folder)
    let (errors, size) = try found(turned)
    #expect(errors.contains("--crop 12,0,68,160\n") && size == "68x160", "\(errors)")
    let images = try make("in-%02d.png", in: folder, ["-i", plain, "-frames:v", "5"])
    #expect(try found(images).size == "160x68")
    let other = try clip("other.mkv", "testsrc2=s=120x90:r=10:d=2,pad=160:90:20:0")
    let both = try found(plain, ["-i", other])
    #expect(both.errors.contains("--crop 0,12,160,68\n"), "\(both.errors)")
    #expect(both.errors.contains("--crop 20,0,120,90\n"), "\(both.errors)")
  }

  @Test("a batch finds the bars of each input, also when it works in chunks")
  func batch() throws {
    let wide = try clip("wide.mp4", "testsrc2=s=160x68:r=10:d=3,pad=160:90:0:12")
    let tall = try clip("tall.mp4", "testsrc2=s=120x90:r=10:d=3,pad=160:90:20:0")
    for (words, name) in [([], "whole"), (["--chunks", "2", "--crf", "20"], "chunks")]
      as [([String], String)]
    {
      let output = folder.file(name)
      let result = try KfrecProcess.run(
        ["batch", wide, tall, "--crop", "auto", "--force-gpu", "--output-dir", output] + words)
      #expect(result.exitCode == 0, "\(result)")
      for (file, size) in [("wide", "160x68"), ("tall", "120x90")] {
        let stream = try Probe.stream("\(output)/\(file).mov", "width,height,nb_frames")
        #expect("\(stream["width"] ?? "")x\(stream["height"] ?? "")" == size)
        #expect(stream["nb_frames"] == "30")
      }
    }
  }

  @Test(
    "what cannot be read twice is refused with exit code 2, and nothing is left",
    arguments: ["-", "testsrc", "/dev/video63"])
  func refusals(_ input: String) throws {
    let result = try KfrecProcess.run([
      "-i", input, "--crop", "auto", "--frames", "1", "-o", folder.file("out.mov"),
    ])
    #expect(result.exitCode == 2 && result.errors.contains("--crop auto looks"), "\(result)")
    #expect(folder.names.isEmpty)
  }
}
