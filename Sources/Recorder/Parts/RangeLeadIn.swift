import Capture
import Frames

extension Recording {
  /// Lets a stretch of frames begin with the earlier ones that its effects read, so that it has the pixels of the whole.
  ///
  /// They are rendered and left out of the outputs. An effect that keeps its results would need all frames before; it
  /// begins anew instead.
  mutating func addLeadIn() throws {
    guard let range = source.range, range.first > 0, range.leadIn == 0, !range.keepsTimes,
      !effects.isEmpty, !source.kind.isLive, source.canBeOpenedAgain
    else { return }
    var whole = source
    (whole.range, whole.frames, whole.outputFrames) = (nil, nil, nil)
    let format = try FrameSearch(whole).format
    let memory = try EffectMemory(self, width: format.width, height: format.height)
    source.range?.leadIn = min(memory.frames, range.first)
  }
}
