import Capture
import Encode
import Frames
import Recorder

extension Options {
  /// Throws if options of the sound contradict each other.
  func checkSound() throws(CommandLineError) {
    if noAudio, audioIn?.isMixed == true {
      throw CommandLineError(
        "--no-audio leaves nothing that --audio-in could be mixed with; leave out ~mix, or --no-audio"
      )
    }
    if audioIn?.isMixed == false, audioTrack != nil || gain != nil || loudness != nil {
      let name = audioTrack != nil ? "--audio-track" : gain != nil ? "--volume" : "--normalize"
      throw CommandLineError(
        "\(name) is for the input's own audio, and --audio-in takes its place; add ~mix, or leave out \(name)"
      )
    }
    let isCopied = if case .copy? = audioCodec { true } else { false }
    let given: [(Bool, String)] = [
      (audioTrack != nil, "--audio-track"), (gain != nil, "--volume"),
      (loudness != nil, "--normalize"), (audioCodec != nil, "--audio-codec"),
      (audioBitrate != nil, "--audio-bitrate"), (audioIn != nil, "--audio-in"),
    ]
    for (isGiven, name) in given where isGiven && noAudio && audioIn == nil {
      throw CommandLineError("--no-audio and \(name) contradict each other; give one")
    }
    guard isCopied else { return }
    if inputs.count > 1 {
      throw CommandLineError(
        "--audio-codec copy is for one input, because the audio of several inputs is joined and must be encoded; "
          + "leave out --audio-codec copy, or the other inputs")
    }
    let changing: [(Bool, String)] = [
      (retiming.speed != .one, "--speed"), (reversed, "--reverse"),
      (retiming.turns > 1, "--loop"), (boomerang, "--boomerang"), (audio != nil, "--audio"),
    ]
    for (isGiven, name) in given + changing where isGiven {
      guard !["--audio-codec", "--audio-track"].contains(name) else { continue }
      throw CommandLineError(
        "--audio-codec copy and \(name) contradict each other, because audio that is changed or made must be encoded; give one"
      )
    }
  }

  /// Which audio is read, and how it is changed.
  var sound: SoundRequest {
    var sound = SoundRequest()
    if case .one(let number)? = audioTrack { sound.track = number }
    sound.volume = gain ?? 1
    sound.loudness = loudness
    return sound
  }

  /// How the audio is encoded.
  var audioSettings: AudioSettings {
    var settings = AudioSettings()
    switch audioCodec {
    case .copy?: settings.isCopied = true
    case .encoded(let codec)?: settings.codec = codec
    case nil: break
    }
    settings.bitrate = audioBitrate
    return settings
  }
}
