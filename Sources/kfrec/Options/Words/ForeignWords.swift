import Encode
import Frames
import Settings

/// Words of other tools, mostly ffmpeg, and what a person who types them wants from kfrec.
///
/// A table: a row has the words as they are typed, whether a value follows, and the answer.
struct ForeignWord: Sendable {
  let words: [String]
  let takesValue: Bool
  /// What to do instead, after a colon; nil if the value is not what the row is about.
  let answer: @Sendable (String) -> String?

  /// Finds the answer to an option as it is typed, and to what follows it, attached or as the next word.
  ///
  /// Returns nil if kfrec's own rules should tell what is wrong with the word.
  static func sentence(_ word: String, _ value: String?) -> String? {
    for row in all where row.words.contains(word) {
      if row.takesValue, let value, let answer = row.answer(value) {
        return "\(word) \(value): \(answer)"
      }
      if !row.takesValue || value == nil, let answer = row.answer("") {
        return "\(word): \(answer)"
      }
    }
    return nil
  }

  /// Returns a sentence about a value that another option takes; nil if there is none.
  static func sentence(_ option: Option, value: String) -> String? {
    switch option.long {
    case "scale":
      guard let size = size(value) else { return nil }
      return "--scale \(value): use --size \(size)"
    case "size":
      // 720p, as the heights of television are called.
      if value.last == "p", let height = wholeNumber(String(value.dropLast())), height > 0 {
        return "--size \(value): use --size x\(height)"
      }
      guard value.contains(":"), let size = size(value) else { return nil }
      let sides = value.split(separator: ":").compactMap { Int($0) }
      // A shape such as 16:9.
      if sides.count == 2, sides.allSatisfy({ (1...99).contains($0) }) {
        let width = (720 * sides[0] / sides[1] + 1) / 2 * 2
        return
          "--size \(value): a size is in pixels; use --size \(width)x720 --scale fill to cut the picture to this shape"
      }
      return "--size \(value): use --size \(size)"
    case "speed":
      guard value.contains("@") else { return nil }
      return "--speed \(value): one speed counts for the whole input; "
        + (steps(ofRamp: value)
          ?? "record each part with its own, as with --start 0 --end 2 --speed 0.5, and join the parts with one -i "
          + "for each")
    default: return nil
    }
  }

  /// Returns the commands that make a ramp of the speed in steps of its mean speeds, as the end of a sentence; nil if the
  /// value is no ramp.
  private static func steps(ofRamp value: String) -> String? {
    let points = value.split(separator: "..").compactMap {
      point -> (speed: Rational, time: Rational)? in
      let parts = point.split(separator: "@").map { decimal(String($0)) }
      guard parts.count == 2, let speed = parts[0], let time = parts[1],
        Rational(1, 10) <= speed, speed <= Rational(100)
      else { return nil }
      return (speed, time)
    }
    guard points.count > 1, points.count == value.split(separator: "..").count,
      zip(points, points.dropFirst()).allSatisfy({ $0.time < $1.time })
    else { return nil }
    func text(_ number: Rational) -> String {
      let text = "\(number.doubleValue)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    var (commands, parts): ([String], [String]) = ([], [])
    func add(from start: Rational, to end: Rational?, _ speed: Rational) {
      parts.append("-i part\(parts.count + 1).mov")
      commands.append(
        "kfrec -i INPUT" + (start > .zero ? " --start \(text(start))" : "")
          + (end.map { " --end \(text($0))" } ?? "")
          + " --speed \(text(speed)) -o part\(parts.count).mov")
    }
    if points[0].time > .zero { add(from: .zero, to: points[0].time, points[0].speed) }
    for (from, to) in zip(points, points.dropFirst()) {
      add(from: from.time, to: to.time, (from.speed + to.speed) / Rational(2))
    }
    if let last = points.last { add(from: last.time, to: nil, last.speed) }
    return "in steps: " + commands.joined(separator: "; ") + "; kfrec "
      + parts.joined(separator: " ") + " -o OUTPUT"
  }

  /// Returns a sentence about a word in the place of a command; nil if it means nothing elsewhere.
  static func command(_ word: String) -> String? {
    commands.first { $0.words.contains(word) }.map { "\"\(word)\" is not a command: \($0.answer)" }
  }

  private static let commands: [(words: [String], answer: String)] = [
    (["version"], "use kfrec --version"),
    (["list", "list-effects", "filters", "ls"], "use kfrec effects"),
    (["list-devices", "cameras", "sources", "gpus"], "use kfrec devices"),
    (
      ["record", "convert", "encode", "transcode", "run", "capture"],
      "leave it out; kfrec -i SOURCE -o OUTPUT records"
    ),
    (["show", "view", "watch"], "use kfrec preview, or kfrec play for files with sound"),
    (["completion"], "use kfrec completions"),
    (["manual", "manpage"], "use kfrec man"),
    (["info", "probe"], "kfrec -i FILE -o null --verbose says what is read"),
    (["test", "lint"], "use kfrec check, or kfrec golden"),
  ]

  /// A row whose value another option takes as it is.
  private static func same(_ words: String..., option: String) -> ForeignWord {
    ForeignWord(words: words, takesValue: true) { value in
      value.isEmpty ? "use \(option)" : "use \(option) \(shellWord(value))"
    }
  }

  /// A row for a word that stands alone.
  private static func alone(_ words: String..., answer: String) -> ForeignWord {
    ForeignWord(words: words, takesValue: false) { _ in answer }
  }

  /// A row whose answer depends on the value.
  private static func each(
    _ words: String..., answer: @escaping @Sendable (String) -> String?
  ) -> ForeignWord {
    ForeignWord(words: words, takesValue: true, answer: answer)
  }

  private static let all: [ForeignWord] = [
    same("-ss", "--seek", "--from", "--begin", option: "--start"),
    same("-to", "--to", "--until", option: "--end"),
    same("-r", "-framerate", "--framerate", "--rate", "--frame-rate", option: "--fps"),
    each("-s", "-video_size", "--resolution", "--res", "--dimensions") { value in
      "use --size \(size(value) ?? "1280x720")"
    },
    each("--width") { $0.isEmpty ? "use --size, such as --size 1280x" : "use --size \($0)x" },
    each("--height") { $0.isEmpty ? "use --size, such as --size x720" : "use --size x\($0)" },
    same("-pix_fmt", "--pix-fmt", option: "--pixel-format"),
    each("-c:v", "-vcodec", "-codec:v", "-c", "-codec", "--vcodec") { value in
      value == "copy"
        ? "kfrec decodes and encodes every frame; leave it out" : "use --codec \(name(value))"
    },
    each("-c:a", "-acodec", "-codec:a", "--acodec") { value in
      value == "copy"
        ? "leave it out; kfrec copies the audio where the container can hold it"
        : "use --audio-codec \(name(value))"
    },
    same("-crf", "--quality", "-cq", "-qp", option: "--crf"),
    same("-b:v", "-vb", "-b", "--video-bitrate", "--vb", option: "--bitrate"),
    same("-b:a", "-ab", option: "--audio-bitrate"),
    same("-g", "--keyint", "--keyframe-interval", option: "--gop"),
    same("-preset", option: "--preset"),
    same("-frames:v", "-vframes", "-frames", option: "--frames"),
    each("-tune", "-profile:v", "-level", "-x264-params", "-x265-params", "-svtav1-params") {
      "use --encoder-option NAME=\(name($0)), such as --encoder-option tune=grain"
    },
    each("-q:v", "-qscale:v", "-q", "-qscale") { _ in "use --crf, such as --crf 20" },
    alone("-an", answer: "use --no-audio"),
    alone("-sn", answer: "use --no-subtitles"),
    alone("-vn", answer: "kfrec is for video; ffmpeg writes the audio alone"),
    alone("-re", answer: "use --realtime"),
    alone("-hide_banner", "-nostdin", "-shortest", answer: "leave it out"),
    each("-loglevel", "-v") { value in
      ["quiet", "panic", "fatal", "error", ""].contains(value) ? "use --quiet" : "use --verbose"
    },
    each("-stream_loop") { value in
      Int(value).map {
        $0 < 0 ? "use --loop with a number, such as --loop 10" : "use --loop \($0 + 1)"
      }
        ?? "use --loop"
    },
    each("-map_metadata") { $0 == "-1" || $0.isEmpty ? "use --no-tags" : nil },
    each("-map") { _ in "use --audio-track to choose the audio, and --variant to choose the video"
    },
    each("-movflags", "-threads", "-vsync", "-max_muxing_queue_size", "-strict", "-flags") { _ in
      "leave it out"
    },
    each("-input_format") { "use --camera-format \(name($0))" },
    each("-hwaccel", "-init_hw_device") { _ in
      "kfrec uses a GPU by itself; --gpu chooses one, and kfrec devices lists them"
    },
    each("-f", "--format") { format($0) },
    each("-vf", "-filter:v", "--vf", "--filter", "--filters", "-filter") { filters($0) },
    each("-af", "-filter:a") { value in
      if value.hasPrefix("volume=") {
        return "use --volume \(name(String(value.dropFirst("volume=".count))))"
      }
      if value.hasPrefix("afade") {
        return
          "use --volume 0@0..1@2, which grows for two seconds, or --volume 1@8..0@10, which fades away at the end"
      }
      return "use --volume or --normalize; other filters of audio are ffmpeg's work"
    },
    each("--fade-in", "--fadein", "--fade") { fade(seconds: $0, isEnd: false) },
    each("--fade-out", "--fadeout") { fade(seconds: $0, isEnd: true) },
    each("--subtitle", "--subs", "--sub-file", "--burn-subtitles", "-sub") { value in
      let file = name(value.isEmpty ? "subtitles.srt" : value)
      return "use --subtitles \(file), or --subtitles-track \(file) for a track"
    },
    each("-filter_complex", "-lavfi", "--filter-complex") { _ in
      "use -e, once for each effect in their order; an image or video is a parameter of an effect, as in "
        + "-e overlay:image=logo.png"
    },
    alone("--list-effects", "--effects", "--list-filters", "-filters", answer: "use kfrec effects"),
    alone(
      "--list-devices", "--devices", "--list-cameras", "--list-gpus", "-sources", "-list_devices",
      answer: "use kfrec devices"),
    alone(
      "-encoders", "-codecs", "--list-codecs", "--list-encoders",
      answer: "use kfrec -h for --codec, and ffmpeg -encoders for the list"),
    alone("-version", answer: "use --version"),
    alone("-formats", "-muxers", answer: "kfrec help lists the outputs"),
    same("--camera", "--device", "--source", "--in", "--video", option: "-i"),
    same("--out", "--outfile", "--save", option: "-o"),
    same("--shader", "--fx", option: "-e"),
    same("--mic", "--microphone", option: "--audio"),
    same("--length", option: "-t"),
    alone("--yes", answer: "use -y to replace an existing output"),
    alone("--mute", answer: "use --no-audio"),
    alone("--fullscreen", answer: "press f in the window of kfrec preview or kfrec play"),
  ]

  /// How the picture and its sound fade from or to black and silence.
  ///
  /// The length may be something else than seconds. The time of an end is an example, because only the person knows it.
  private static func fade(seconds: String, isEnd: Bool) -> String {
    let length = wholeNumber(seconds).flatMap { (1...60).contains($0) ? $0 : nil } ?? 2
    let (from, to) = isEnd ? (10 - min(length, 10), 10) : (0, length)
    let (colors, factors) =
      isEnd ? (("white", "black"), ("1", "0")) : (("black", "white"), ("0", "1"))
    return
      "use -e colorAdjust:gain=\(colors.0)@\(from)..\(colors.1)@\(to) --volume "
      + "\(factors.0)@\(from)..\(factors.1)@\(to)"
      + (isEnd ? " for an end after 10 seconds" : "")
  }

  /// What `-f` means: where frames come from, or the container.
  private static func format(_ value: String) -> String {
    switch value {
    case "v4l2", "video4linux2": "leave it out; -i /dev/video0 is a camera by its name"
    case "alsa", "pulse": "use --audio default to record a microphone"
    case "lavfi": "use -i testsrc, or -i color:ff8000"
    case "null": "use -o null"
    case "image2", "rawvideo", "": "leave it out; the name of the output tells the format"
    case "matroska": "use --container mkv"
    case let name where Container.all.map(\.name).contains(name): "use --container \(name)"
    default: "leave it out; the name of the output tells the format"
    }
  }

  /// What filters of ffmpeg are here, one after the other; those that kfrec does not know are effects.
  private static func filters(_ value: String) -> String {
    let answers = value.split(separator: ",").map { filter(String($0)) }
    let words = answers.compactMap(\.self)
    guard !words.isEmpty, words.count == answers.count else {
      return "use -e EFFECT, or -e EFFECT:parameter=value; kfrec effects lists them"
        + (words.isEmpty ? "" : ", and use \(words.joined(separator: " "))")
    }
    return "use " + words.joined(separator: " ")
  }

  private static func filter(_ text: String) -> String? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard let name = parts.first else { return nil }
    let rest = parts.count > 1 ? parts[1] : ""
    let values = rest.split(separator: ":").map(String.init)
    let numbers = values.compactMap { Int($0) }
    switch name {
    case "scale":
      guard let size = size(values.prefix(2).joined(separator: ":")) else { return "--size WxH" }
      return "--size \(size)"
    case "crop":
      guard numbers.count == 4 else { return "--crop X,Y,W,H" }
      return "--crop \(numbers[2]),\(numbers[3]),\(numbers[0]),\(numbers[1])"
    case "hflip": return "--flip h"
    case "vflip": return "--flip v"
    case "transpose":
      let turns = ["1": "90", "clock": "90", "2": "270", "cclock": "270"]
      return turns[rest].map { "--rotate \($0)" } ?? "--rotate and --flip"
    case "subtitles", "ass":
      let file = rest.prefix { $0 != ":" }.filter { !"'\"".contains($0) }
      return "--subtitles \(file.isEmpty ? "FILE" : file)"
    case "fps": return "--fps \(values.first ?? "25")"
    case "minterpolate", "framerate": return "--fps-mode blend"
    case "reverse": return "--reverse"
    case "setpts": return "--speed"
    case "format": return "--pixel-format \(values.first ?? "yuv420p")"
    case "pad": return "--size WxH --pad-color COLOR"
    case "setdar", "setsar": return "--aspect W:H"
    case "fade":
      return rest.contains("out")
        ? "-e colorAdjust:gain=white@8..black@10" : "-e colorAdjust:gain=black@0..white@2"
    default: return effects[name].map { "-e \($0)" }
    }
  }

  /// The effects that do what filters of ffmpeg do.
  private static let effects = [
    "gblur": "gaussianBlur", "boxblur": "boxBlur", "vignette": "vignette",
    "drawtext": "text:text=WORDS",
    "overlay": "overlay:image=FILE", "lut3d": "lut:file=FILE", "chromakey": "chromaKey",
    "colorkey": "chromaKey", "hstack": "sideBySide:image=FILE", "xfade": "crossfade",
  ]

  private static func name(_ value: String) -> String { value.isEmpty ? "NAME" : shellWord(value) }

  /// Returns a size as kfrec takes it, of `W:H`, `WxH` or `W*H`, in which -1 and -2 keep the aspect ratio.
  private static func size(_ value: String) -> String? {
    let sides = value.split(omittingEmptySubsequences: false) { ":x*X".contains($0) }.map(
      String.init
    )
    .map { ["-1", "-2"].contains($0) ? "" : $0 }
    guard sides.count == 2, sides != ["", ""],
      sides.allSatisfy({ $0.isEmpty || wholeNumber($0) != nil })
    else { return nil }
    return sides.joined(separator: "x")
  }
}
