// The main job of kfrec in a program of your own: apply-effect INPUT EFFECT OUTPUT

import Capture
import Encode
import FFmpegHandles
import Frames
import GPU
import Glibc
import Render
import ShaderCompiler
import ShaderEffects

/// Writes the frames of an input through an effect, with their times, and without audio.
///
/// - Parameters:
///   - effect: The name of an effect, or the path of its file.
///   - input: What `kfrec -i` takes.
///   - output: What `kfrec -o` takes; a file that exists is not replaced.
/// - Returns: The number of frames.
/// - Throws: Sentences for people.
func apply(_ effect: String, to input: String, into output: String) throws -> Int {
  let movie = try Output(output)
  if let path = movie.existingPath { throw Refusal(description: "\(path) exists") }

  // Stage one. The first sample of a source is always a frame.
  var request = SourceRequest(input: input)
  request.includesAudio = false
  let source = try openSource(request)
  guard case .frame(let first)? = try source.next() else { return 0 }

  // Stages two to four.
  let device = try Device()
  let compiler = try ShaderCompiler()
  let instance = try EffectLibrary(folders: []).compile(EffectSpec(name: effect), with: compiler)
  let geometry = FrameGeometry(source: first.format)
  let format = movie.frameFormat(
    width: geometry.canvasWidth, height: geometry.canvasHeight, color: first.format.color,
    sampleAspectRatio: geometry.sampleAspectRatio)
  let pipeline = try RenderPipeline(
    device: device, compiler: compiler, source: first.format, geometry: geometry,
    effects: [instance], sink: format)

  // Stage five.
  let rate = source.description.frameRate
  let sink = try movie.open(
    SinkRequest(format: format, frameRate: rate, timeBase: source.description.timeBase))
  do {
    func write(_ frame: Frame) throws -> Bool {
      try sink.write(frame)
      return true
    }
    var next: Frame? = first
    var index = 0
    var before = Rational.zero
    while var frame = next {
      guard frame.format == first.format else {
        throw Refusal(description: "frame \(index) has another format, and a pipeline takes one")
      }
      // The times of an output count from its first frame.
      frame.time = frame.time - first.time
      let clock = EffectClock(
        time: frame.time, timeDelta: frame.time - before, frameIndex: index, frameRate: rate,
        creationTime: source.description.creationTime)
      _ = try pipeline.render(FrameSet(frame), clock: clock, receive: write)
      before = frame.time
      index += 1
      next = try nextFrame(of: source)
    }
    _ = try pipeline.finish(receive: write)
    return try sink.finish().frames
  } catch {
    // What was written so far stays.
    sink.abandon()
    throw error
  }
}

/// Returns the next frame; samples of other kinds are left out.
func nextFrame(of source: any MediaSource) throws -> Frame? {
  while let sample = try source.next() {
    if case .frame(let frame) = sample { return frame }
  }
  return nil
}

struct Refusal: Error, CustomStringConvertible { let description: String }

let words = CommandLine.arguments
guard words.count == 4 else {
  print("usage: apply-effect INPUT EFFECT OUTPUT")
  exit(2)
}
// Errors say what matters of it.
setFFmpegLogging(verbose: false)
do {
  let count = try apply(words[2], to: words[1], into: words[3])
  print("\(words[3]): \(count) frames")
} catch {
  print("error: \(error)")
  exit(1)
}
