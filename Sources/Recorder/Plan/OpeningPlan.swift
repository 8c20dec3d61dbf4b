import Capture
import Encode
import FFmpegHandles
import Frames
import ShaderEffects

/// What a recording's arguments decide before anything is opened: the outputs to write, the sources to
/// read, and how much of them.
struct OpeningPlan: Sendable {
  let recording: Recording
  private(set) var outputs: OutputSet
  let trim: TrimPlan
  /// The sources to read, in the order in which they are shown; all share the first source's interruption.
  private(set) var sources: [SourceRequest]
  /// Whether changes of parameters are written to a file.
  let writesAutomation: Bool

  /// Creates the plan; nil if all outputs already exist and must be kept.
  init?(_ recording: Recording, notify: @escaping @Sendable (Notice) -> Void) throws {
    guard let outputs = try OutputSet(recording, notify: notify) else { return nil }
    try recording.checkMicrophone(outputs)
    if let path = recording.frameHashes {
      try outputs.checkFrameHashes(
        path, inputs: ([recording.source] + recording.following).map(\.input),
        mayReplace: recording.overwrite == .replace)
    }
    try recording.checkSubtitles(outputs)
    if recording.verification != .off {
      let frames = outputs.frameLimit ?? recording.source.frames
      for notice in try outputs.checkReadBack(frames: frames) { notify(notice) }
    }
    writesAutomation = try recording.writesAutomation(outputs, notify: notify)
    try outputs.checkDiffers(fromRead: recording.inputFiles, sideFiles: recording.sideFiles)
    self.recording = recording
    self.outputs = outputs
    trim = TrimPlan(recording, outputLimit: outputs.frameLimit)
    for notice in outputs.doubts(of: recording) { notify(notice) }
    let library = EffectLibrary(
      folders: recording.effectFolders, readable: recording.readableFolders)
    var leading = recording.source
    leading.includesAudio = leading.includesAudio && outputs.takesAudio
    leading.feedsEffects = recording.effects.contains {
      $0.mayHear || library.hears($0.name)
    }
    leading.pacedFramesWait = !leading.isPaced && outputs.hasBestEffortOutput
    leading.isPaced = leading.isPaced || outputs.isPaced
    // Where time is joined or runs otherwise, no subtitle and no chapter would be at its place.
    let keepsTimes = recording.following.isEmpty && recording.source.retiming.isPlain
    leading.includesContents = outputs.takesAudio && keepsTimes
    leading.includesSubtitles =
      leading.includesContents && !leading.ignoresSubtitles
    leading.sound.form = { outputs.audioForm(of: $0) }
    (leading.duration, leading.frames) = (trim.source.duration, trim.source.frames)
    leading.outputFrames = trim.stillFrames
    // Several inputs end with whole frames together.
    leading.grid = recording.following.isEmpty ? recording.pace.grid : nil
    leading.notice = notify
    if let added = recording.addedAudio {
      // Effects hear what the output has.
      leading.includesAudio =
        added.isMixed && (outputs.takesAudio || leading.feedsEffects)
      if added.isMixed { leading.sound.form = { _ in .samples } }
    }
    // Several sources are mixed before effects hear them.
    if !recording.following.isEmpty, recording.addedAudio == nil {
      leading.includesAudio = leading.includesAudio || leading.feedsEffects
      leading.sound.isDecoded = true
      leading.sound.form = { _ in .coded }
    }
    sources =
      [leading]
      + recording.following.map { [leading] request in
        var other = request
        other.interruption = leading.interruption
        (other.includesAudio, other.feedsEffects) = (leading.includesAudio, leading.feedsEffects)
        other.sound = leading.sound
        return other
      }
  }

  /// Makes the outputs deep enough for HDR that keeps its values, once the first frame shows that it is HDR.
  mutating func adapt(to first: FrameFormat) throws(EncodeError) {
    guard recording.source.hdr == .keep, first.color.isHighDynamicRange else { return }
    outputs = try outputs.forHDR()
  }

  /// Lets frames that hardware decodes stay in its memory, if the GPU can read them there.
  mutating func share(_ sharing: PictureSharing) {
    for place in sources.indices { sources[place].sharing = { sharing } }
  }

  /// Whether outputs take the sources' audio.
  var includesAudio: Bool {
    recording.source.includesAudio && recording.addedAudio?.isMixed != false && outputs.takesAudio
  }
  var feedsEffects: Bool { sources[0].feedsEffects }
}

extension OutputSet {
  /// Creates the outputs to write; nil if all of them already exist and must be kept.
  fileprivate init?(_ recording: Recording, notify: (Notice) -> Void) throws {
    func named(_ words: [String]) throws(EncodeError) -> OutputSet {
      try OutputSet(
        words, container: recording.container, settings: recording.encoding, view: recording.view,
        sideView: recording.sideView)
    }
    let set = try named(recording.outputs)
    try set.checkDiffers(fromInput: recording.source.input)
    for other in recording.following { try set.checkDiffers(fromInput: other.input) }
    let existing =
      recording.overwrite == .replace ? [] : set.outputs.filter { $0.existingPath != nil }
    if recording.overwrite == .refuse, let path = existing.first?.existingPath {
      throw RecorderError(
        "\(path) exists already; add -y to replace it or -n to leave it as it is",
        isUsageError: true)
    }
    for path in existing.compactMap(\.existingPath) {
      notify(Notice(.outputExists, path, "\(path) exists already and was left as it is (-n)"))
    }
    // Compares bytes: strings also compare as equal if only the encoding of an accent differs.
    let left = recording.outputs.filter { word in
      !existing.contains { $0.word.utf8.elementsEqual(word.utf8) }
    }
    guard existing.isEmpty || !left.isEmpty else { return nil }
    self = try existing.isEmpty ? set : named(left)
    try checkDiffers(fromRead: recording.inputFiles)
  }

  /// In which form the outputs take the audio of these streams.
  fileprivate func audioForm(of streams: [CompressedStream]) -> AudioForm {
    let taking = outputs.filter(\.takesAudio)
    let encoding = taking.count { $0.encodesAudio(streams) }
    return encoding == 0 ? .coded : encoding == taking.count ? .samples : .both
  }

  /// Returns notices about requests that may be a mistake.
  fileprivate func doubts(of recording: Recording) -> [Notice] {
    var doubts: [Notice] = []
    if isEncoded, let doubt = recording.encoding.doubt {
      doubts.append(Notice(.outputBitrate, name, doubt))
    }
    let asked = recording.source
    if let limit = frameLimit,
      let frames = asked.frames
        ?? asked.range.flatMap({ range in range.delivered.map { $0 - range.leadIn } }),
      frames > limit,
      let nameForAllFrames
    {
      doubts.append(
        Notice(
          .outputOneFrame, name,
          "\(name) holds one image: only the first of \(frames) frames is written; "
            + "a name such as \(nameForAllFrames) takes all"))
    }
    return doubts
  }
}

extension Recording {
  /// The files that its inputs name, as far as the names show it, and those that playlists name.
  fileprivate var inputFiles: [ReadFile] {
    var files: [ReadFile] = []
    for request in [source] + following {
      let kind = request.kind
      let isPlaylist = MediaPlaylist.isName(request.input)
      for (number, path) in kind.paths(request.input).enumerated() {
        let role = isPlaylist && number > 0 ? "which \(request.input) names" : "the input"
        files.append(ReadFile(path: path, name: kind.name ?? path, role: role))
      }
    }
    if let automationIn { files.append(ReadFile(path: automationIn, role: "the automation")) }
    files += subtitleFiles.map { ReadFile(path: $0, role: "the subtitles") }
    if let addedAudio {
      files += MediaPlaylist.files(readFor: addedAudio.file.path).map {
        ReadFile(path: $0, role: "the added audio")
      }
    }
    return files + otherReads
  }

  var sideFiles: [SideFile] {
    [
      frameHashes.map { SideFile($0, option: "--framehash", content: "the hashes") },
      automation.map { SideFile($0, option: "--automation", content: "the automation") },
    ].compactMap(\.self)
  }
}

extension Recording {
  /// Throws if a microphone is requested but the source or the outputs cannot be combined with it.
  func checkMicrophone(_ outputs: OutputSet) throws(RecorderError) {
    let hears = addedAudio != nil && effects.isEmpty
    if !outputs.takesAudio, hears || source.sound.isChanged || encoding.audio != AudioSettings() {
      throw RecorderError(
        "\(outputs.name) holds no audio; leave out the options for audio, or write a .mov, .mp4 or .mkv",
        isUsageError: true)
    }
    guard microphone != nil else { return }
    guard addedAudio == nil else {
      throw RecorderError(
        "--audio and --audio-in contradict each other; give one", isUsageError: true)
    }
    guard source.sound.loudness == nil else {
      throw RecorderError(
        "--normalize reads its input twice, and a microphone can be read only once; leave out --normalize",
        isUsageError: true)
    }
    guard outputs.takesAudio else {
      throw RecorderError(
        "\(outputs.name) holds no audio; write a .mov, .mp4 or .mkv, or leave out --audio",
        isUsageError: true)
    }
    guard following.isEmpty else {
      throw RecorderError(
        "--audio works only with a camera, not with several inputs; leave out --audio",
        isUsageError: true)
    }
    let kind = source.kind
    if kind.isLive || kind.isGenerated && source.isPaced { return }
    throw RecorderError(
      kind.isGenerated
        ? "--audio works only with a live source; add --realtime to \(source.input), or leave out --audio"
        : "--audio works only with a camera or a screen, and \(source.input) is not live; leave out --audio, "
          + "because the audio of a file is kept without it", isUsageError: true)
  }
}
