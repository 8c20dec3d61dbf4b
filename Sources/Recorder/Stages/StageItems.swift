import FFmpegHandles
import Frames

/// Item of a queue between stages: frames, or audio, which is far smaller.
protocol StageItem: Sendable {
  var isFrame: Bool { get }
}

/// Item that stage one sends.
enum TimelineItem: Sendable {
  case frames(FrameSet)
  /// Encoded audio, which is copied unchanged.
  case codedAudio(CompressedPacket)
  /// A subtitle of the source, by its stream's index.
  case subtitle(CompressedPacket)
  /// Encoded audio for effects; the audio for a frame's time comes before the frame.
  case audioForEffects(CompressedPacket)
  /// Audio that is created or changed on the way, and that each output encodes.
  case audio(AudioBlock)
}

extension TimelineItem: StageItem {
  var isFrame: Bool { if case .frames = self { true } else { false } }
}

/// Item that the GPU stages send to the outputs.
enum FinishedItem: Sendable {
  case frame(Frame)
  /// Encoded audio, which is copied unchanged.
  case codedAudio(CompressedPacket)
  /// A subtitle of the source, by its stream's index.
  case subtitle(CompressedPacket)
  /// Audio that each output encodes.
  case audio(AudioBlock)
}

extension FinishedItem: StageItem {
  var isFrame: Bool { if case .frame = self { true } else { false } }
}
