import CFFmpeg
import FFmpegHandles

/// Samples that wait in order, and long silences between them, which take no memory.
struct AudioQueue: ~Copyable {
  private let stored: SampleQueueHandle
  /// The silences: how many stored samples come after the one before it, and its length in samples.
  private var silences: [(after: Int, count: Int64)] = []
  /// Stored samples before the last silence.
  private var storedBefore = 0

  init(channels: Int) throws(FFmpegError) {
    stored = try SampleQueueHandle(channels: channels, capacity: 1 << 14)
  }

  /// Number of samples, those of silences too.
  var count: Int64 { silences.reduce(Int64(stored.count)) { $0 + $1.count } }

  /// Number of samples of the silence that comes next; 0 if a stored sample does.
  var silence: Int64 { silences.first.map { $0.after == 0 ? $0.count : 0 } ?? 0 }

  /// Number of stored samples that come before the next silence; nil if there is none.
  var countBeforeSilence: Int? { silences.first?.after }

  /// Appends samples.
  func add(
    _ planes: UnsafeMutablePointer<UnsafeMutableRawPointer?>, count: Int32
  ) throws(FFmpegError) {
    try check(av_audio_fifo_write(stored.pointer, planes, count), "av_audio_fifo_write", "audio")
  }

  /// Appends a silence.
  mutating func add(silence count: Int64) {
    silences.append((stored.count - storedBefore, count))
    storedBefore = stored.count
  }

  /// Takes the next `count` samples, which must be there, into the target from `place` on.
  mutating func read(_ count: Int, into target: SamplePlanes, at place: Int) throws(FFmpegError) {
    var done = 0
    while done < count {
      let silent = Int(min(silence, Int64(count - done)))
      if silent > 0 {
        for channel in 0..<target.channels {
          for number in place + done..<place + done + silent { target[channel][number] = 0 }
        }
        skip(Int64(silent))
        done += silent
        continue
      }
      let part = min(count - done, silences.first?.after ?? count)
      let taken = target.withPlanes(from: place + done) { [stored = stored.pointer] in
        av_audio_fifo_read(stored, $0, Int32(part))
      }
      try check(taken, "av_audio_fifo_read", "audio")
      if !silences.isEmpty {
        silences[0].after -= part
        storedBefore -= part
      }
      done += part
    }
  }

  /// Leaves out samples of the silence that comes next.
  mutating func skip(_ count: Int64) {
    silences[0].count -= count
    if silences[0].count == 0 { silences.removeFirst() }
  }
}
