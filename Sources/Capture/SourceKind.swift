import Frames

/// A kind of source: its command-line text, its traits, and how to open it.
///
/// The rest of the program never asks for the kind of a source. It asks for one of these traits.
public struct SourceKind: Sendable {
  /// The text after `-i`, as the help and the manual show it: "name-%04d.png".
  public let words: String
  /// One line for the help and the manual about what the source gives.
  public let summary: String
  /// The name in messages; nil if messages use the typed text.
  public var name: String?
  /// Its frames are made while they are recorded, so microphone audio belongs to them.
  public var isLive = false
  /// Another source of its kind can take its place while it is read.
  public var isSwitchable = false
  /// kfrec draws its frames, in the requested size.
  public var isGenerated = false
  /// Its frames have no timestamps of their own; they follow each other at the requested frame rate.
  public var takesFrameRate = false
  /// Whether the typed text alone selects this kind.
  let isWritten: @Sendable (String) -> Bool
  /// Whether this kind is selected, after a check of files and devices; nil if the text alone decides.
  var isMeant: (@Sendable (String) -> Bool)?
  /// Whether the source gives the same frames when it is opened again.
  var canBeOpenedAgain: @Sendable (String) -> Bool = { _ in true }
  /// The paths of the files that are read, as far as the text shows them; a path may not lead to a file.
  public var paths: @Sendable (String) -> [String] = { _ in [] }
  /// It is a container, which may hold several videos.
  public var hasStreams = false
  /// Its frames may be distinguished and counted without decoding them.
  var isCountable = false
  /// The source reads the requested part of the picture alone, so nothing crops it afterwards.
  var cropsItself = false
  /// How FFmpeg reads the input, which can be read again from its start; nil if it does not.
  var input: (@Sendable (SourceRequest) throws(CaptureError) -> FileInput)?
  let open: @Sendable (SourceRequest) throws(CaptureError) -> sending any MediaSource

  /// All kinds, in the order in which they are checked; the last one accepts all remaining inputs.
  public static let all = [
    testPattern, blank, color, standardInput, screen, window, camera, url, sequence, file,
  ]

  /// The kind that the text alone selects: no file and no device is checked.
  public static func written(_ input: String) -> SourceKind {
    all.first { $0.isWritten(input) } ?? file
  }
}

extension SourceRequest {
  /// The selected kind of source, after a check for files and devices with this name.
  public var kind: SourceKind {
    SourceKind.all.first { ($0.isMeant ?? $0.isWritten)(input) } ?? .file
  }

  /// Whether the source gives the same when it is opened again: a file, numbered images, a test pattern.
  public var canBeOpenedAgain: Bool { kind.canBeOpenedAgain(input) }

  /// Whether a player can go to another place by opening the source again: not if it is a pipe.
  public var canSeek: Bool { canBeOpenedAgain || SourceKind.url.isWritten(input) }
}

extension SourceRequest {
  /// The request for the frames of the part, before their time runs in another way.
  ///
  /// Its `duration` is in seconds of the source, and no more than what is delivered needs of it.
  var ofPart: SourceRequest {
    var part = self
    let needed = duration.map { $0 * retiming.speed }
    part.duration = [partDuration, needed].compactMap(\.self).min()
    if let needed, retiming.repeats, end == nil {
      part.mayEndEarly = partDuration.map { needed < $0 } ?? true
    }
    part.partDuration = nil
    guard !retiming.isPlain else { return part }
    // The number counts delivered frames, and so does the grid.
    (part.frames, part.grid) = (nil, nil)
    return part
  }

  /// The request for the pictures alone, if the audio is read apart from them; else the request itself.
  fileprivate var withoutSound: SourceRequest {
    guard !retiming.isPlain else { return self }
    var pictures = self
    (pictures.includesAudio, pictures.feedsEffects) = (false, false)
    // Their times are those of the file; a message names what is left out.
    (pictures.includesSubtitles, pictures.includesContents) = (false, false)
    return pictures
  }
}

/// Opens the source that a request names; its first sample is a frame.
public func openSource(
  _ request: SourceRequest
) throws(CaptureError) -> sending any MediaSource {
  var request = request
  let found = try request.findCrop()
  request = try request.findingRange()
  let part = request.ofPart
  let plain = try request.kind.open(part.withoutSound)
  let long = RepeatedStill(plain, request: part) ?? plain
  let heard =
    request.retiming.isPlain
    ? try SampledSource(long, part) ?? long : try RetimedSource(long, request)
  var arrangement = request.arrangement
  if request.kind.cropsItself { arrangement.crop = nil }
  let whole =
    arrangement == PictureArrangement() && found == nil
    ? heard : ArrangedSource(heard, arrangement, notice: found)
  let source =
    request.admits.map { PlayedSource(whole, interruption: request.interruption, admits: $0) }
    ?? whole
  guard request.isPaced, !source.description.isLive else { return source }
  return PacedSource(
    source, interruption: request.interruption, isLive: !request.pacedFramesWait,
    pace: request.pace)
}
