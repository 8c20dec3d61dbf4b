import CFFmpeg
import FFmpegHandles
import Frames

/// The position of a seek in a file, and whether this position turns out to be too late.
///
/// Indexes use decoding timestamps, and transport streams have no index, so a seek may end after the
/// keyframe; and a container may store audio before the frame of the same time.
struct SeekTarget {
  private enum KeyFrame {
    case any
    case awaited
    case found(Rational)
  }

  /// The target of the last seek in seconds, until its first frame has shown where the seek went.
  private var target: Rational?
  /// Whether audio of the part may be stored before the place of the last seek; not checked yet.
  private var mayMissAudio = false
  /// Decoding timestamp of the keyframe from which the start can be decoded, in the video's time base.
  ///
  /// Set if the source cannot seek but has an index.
  private var decodingStart: Int64?
  /// After a seek: frames before the first keyframe that was read are not wanted, because they may be damaged.
  private var keyWanted = KeyFrame.any
  /// Whether the file's times jump, so that everything is read from its beginning; nil until it is known.
  var timesJump: Bool?
  /// Whether the last seek went to the file's beginning.
  private(set) var isAtBeginning = false

  /// Seeks to a place from which the frame at `time` can be decoded; false if the source cannot: then frames are dropped.
  ///
  /// A source whose index is not in the order of its times, or whose times jump, is read from its beginning.
  mutating func seek(_ demuxer: borrowing Demuxer, to time: Rational) -> Bool {
    let timeBase = Rational(demuxer.video.pointee.time_base)
    let origin = demuxer.extent.start ?? .zero
    keyWanted = .any
    isAtBeginning = time <= origin || !demuxer.isInOrder || timesJump == true
    if isAtBeginning {
      target = nil
      return demuxer.seekToStart(origin.ticks(timeBase: timeBase))
    }
    let isDone = demuxer.seek(to: time.ticks(timeBase: timeBase))
    target = isDone ? time : nil
    // A transport stream may be entered between two keyframes, where some decoders (HEVC's) give damaged frames.
    if isDone { keyWanted = .awaited }
    return isDone
  }

  /// Seeks to the start of the wanted part of a file that was just opened, as far as it can be sought.
  mutating func seekToStart(_ demuxer: borrowing Demuxer, at start: Rational) {
    guard demuxer.isInOrder, timesJump != true else { return }
    mayMissAudio = seek(demuxer, to: start)
    if !mayMissAudio {
      decodingStart = demuxer.indexedKeyFrame(
        before: start.ticks(timeBase: Rational(demuxer.video.pointee.time_base)))
    }
  }

  /// Starts the reading of another place of the part.
  mutating func begin() { (mayMissAudio, keyWanted) = (false, .any) }

  /// Accepts where the seek ended: frames are wanted from the next keyframe on.
  mutating func awaitKeyFrame() { (target, keyWanted) = (nil, .awaited) }

  /// Returns from where to read again because the first frame after a seek came too late or not at all; else nil.
  mutating func placeBefore(first: Rational?, start: Rational?) -> Rational? {
    guard let start, let sought = target else { return nil }
    target = nil
    if let first, first <= start { return nil }
    return start - (start - sought) * Rational(2)
  }

  /// Returns from where to read again because the last seek skipped audio that is stored before its frame; else nil.
  mutating func placeForAudio(
    frameAt time: Rational, start: Rational?, audio: AudioProgress
  ) -> Rational? {
    guard mayMissAudio, let start, time >= start else { return nil }
    mayMissAudio = false
    return audio.lead(missing: start).map { start - $0 - .one }
  }

  /// Notes that the packet of a keyframe was read; without its time no frame can be told apart.
  mutating func note(keyFrameAt time: Rational?) {
    if awaitsKeyFrame { keyWanted = time.map { .found($0) } ?? .any }
  }

  /// Whether no keyframe was read since the seek, so that nothing can be decoded yet.
  var awaitsKeyFrame: Bool { if case .awaited = keyWanted { true } else { false } }

  /// Returns whether a frame can be wanted: it does not precede the keyframe that is awaited.
  func reaches(_ time: Rational) -> Bool {
    switch keyWanted {
    case .any: true
    case .awaited: false
    case .found(let key): time >= key
    }
  }

  /// Returns whether the start does not need this packet, which is read only because the source cannot seek.
  func precedesDecoding(_ packet: UnsafePointer<AVPacket>) -> Bool {
    guard let decodingStart, packet.pointee.dts != kf_av_nopts_value() else { return false }
    return packet.pointee.dts < decodingStart
  }
}
