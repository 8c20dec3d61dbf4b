public import FFmpegHandles

/// Which audio of a source is read, in which form it comes, and how it is changed.
public struct AudioRequest: Sendable {
  /// Number of the only wanted audio track, from 1, as a player counts them; nil for all of them.
  public var track: Int?
  /// The factor by which all samples are multiplied.
  public var volume = 1.0
  /// A volume that changes; nil for one that does not.
  public var volumeCurve: VolumeCurve?
  /// The loudness to which the source is brought, in LUFS; nil to leave it.
  public var loudness: Double?
  /// Says in which form the audio of some streams is wanted, where nothing changes it.
  public var form: @Sendable ([CompressedStream]) -> AudioForm = { _ in .coded }

  /// Whether the audio is decoded: then packets from shortly before the start come too, which decoders need.
  public var isDecoded = false

  public init() {}

  /// Whether the samples are changed.
  public var isChanged: Bool { volume != 1 || volumeCurve != nil || loudness != nil }

  /// The form in which the audio of some streams comes.
  func form(of streams: [CompressedStream]) -> AudioForm {
    streams.isEmpty ? .coded : isChanged ? .samples : form(streams)
  }
}

/// How the audio of a source comes.
public enum AudioForm: Sendable, Equatable {
  /// As packets (`MediaSample.codedAudio`), to be carried unchanged.
  case coded
  /// As samples (`MediaSample.audio`).
  case samples
  /// Both, for several outputs.
  case both
}
