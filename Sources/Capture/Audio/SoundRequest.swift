package import FFmpegHandles

/// Which audio of a source is read, in which form it comes, and how it is changed.
package struct SoundRequest: Sendable {
  /// Number of the only wanted audio track, from 1, as a player counts them; nil for all of them.
  package var track: Int?
  /// The factor by which all samples are multiplied.
  package var volume = 1.0
  /// The loudness to which the source is brought, in LUFS; nil to leave it.
  package var loudness: Double?
  /// Says in which form the audio of some streams is wanted, where nothing changes it.
  package var form: @Sendable ([CompressedStream]) -> AudioForm = { _ in .coded }

  /// Whether the audio is decoded: then packets from shortly before the start come too, which decoders need.
  package var isDecoded = false

  package init() {}

  /// Whether the samples are changed.
  package var isChanged: Bool { volume != 1 || loudness != nil }

  /// The form in which the audio of some streams comes.
  func form(of streams: [CompressedStream]) -> AudioForm {
    streams.isEmpty ? .coded : isChanged ? .samples : form(streams)
  }
}

/// How the audio of a source comes.
package enum AudioForm: Sendable, Equatable {
  /// As packets (`MediaSample.codedAudio`), to be carried unchanged.
  case coded
  /// As samples (`MediaSample.audio`).
  case samples
  /// Both, for several outputs.
  case both
}
