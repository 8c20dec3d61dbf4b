import CFFmpeg
import FFmpegHandles
import Frames
import Synchronization

/// One file of a split movie while it is written; used by one thread at a time.
final class SplitPart {
  let sink: MovieSink
  /// Time of its first frame in the recording, in seconds.
  let start: Rational
  /// Time of the next file's first frame; nil while this is the last file.
  private(set) var end: Rational?
  private(set) var frames = 0
  private(set) var audioBytes = 0
  private let isFirst: Bool
  private let hasEditList: Bool

  init(_ sink: MovieSink, start: Rational, isFirst: Bool, hasEditList: Bool) {
    (self.sink, self.start, self.isFirst) = (sink, start, isFirst)
    self.hasEditList = hasEditList
  }

  func write(_ frame: Frame) throws {
    var frame = frame
    frame.time = frame.time - start
    frames += 1
    try sink.write(frame)
  }

  /// Frames that are not in the file yet or any more, with their times in the recording.
  var unwritten: [Frame] {
    (sink.unwritten?.frames ?? []).map { frame in
      var frame = frame
      frame.time = frame.time + start
      return frame
    }
  }

  /// The time of the first of them; nil if there is none.
  var firstUnwritten: Rational? { sink.unwritten?.first.map { $0 + start } }

  func end(at time: Rational) {
    end = time
    sink.extendLastFrame(to: time - start)
  }

  /// Takes the part of a packet's audio that belongs to this file.
  ///
  /// A packet that ends in the next file has a shorter duration here, and is in both, because its samples
  /// cannot be taken apart; those of PCM can.
  func take(_ packet: CompressedPacket, of stream: CompressedStream) throws {
    let until = packet.time + packet.duration
    let lead = hasEditList ? stream.leadIn(before: packet) : .zero
    if let end, packet.time >= end { return }
    if !isFirst, packet.time < start, until <= start - lead { return }
    var (time, duration) = (packet.time, packet.duration)
    var bytes: Range<Int>?
    if let sampleBytes = stream.sampleBytes {
      let sampleDuration = Rational(1, Int64(stream.parameters.pointee.sample_rate))
      let count = packet.size / sampleBytes
      // The first sample at or after a time.
      func place(_ border: Rational) -> Int {
        min(max(Int(-((time - border) / sampleDuration).floor), 0), count)
      }
      let first = isFirst ? 0 : place(start)
      let last = end.map(place) ?? count
      guard first < last else { return }
      bytes = first * sampleBytes..<last * sampleBytes
      time = time + Rational(Int64(first)) * sampleDuration
      duration = Rational(Int64(last - first)) * sampleDuration
    } else if let end, until > end {
      duration = end - time
    }
    audioBytes += bytes?.count ?? packet.size
    try sink.write(packet.moved(to: time - start, lasting: duration, bytes: bytes))
  }
}

/// A file of a split movie that is completed on a thread of its own, so that the next one need not wait.
final class ClosingPart {
  private let result: BoundedQueue<Result<SinkReport, any Error>>
  private let thread: WorkerThread?
  private let fault: Fault

  /// What its thread notes, which holds no reference to the file itself.
  private final class Fault: Sendable {
    private let state = Mutex<(any Error)?>(nil)
    var error: (any Error)? { state.withLock { $0 } }
    func note(_ error: any Error) { state.withLock { $0 = $0 ?? error } }
  }

  /// Why the file is not complete, or ends too early; nil while nothing is known.
  var failure: (any Error)? { fault.error }

  /// Takes over a sink that nobody else uses any more.
  init(_ given: MovieSink) {
    // Unsafe to the compiler alone: the part that had the sink has left the list of its owner.
    nonisolated(unsafe) let sink = given
    let result = BoundedQueue<Result<SinkReport, any Error>>(capacity: 1)
    self.result = result
    let fault = Fault()
    self.fault = fault
    let close: @Sendable () -> Void = {
      do { try sink.drain() } catch { fault.note(error) }
      let report = Result { try sink.finish() }
      if case .failure(let error) = report { fault.note(error) }
      result.send(report)
    }
    do throws(ThreadError) {
      thread = try WorkerThread(.encode, body: close)
    } catch {
      thread = nil
      close()
    }
  }

  /// Waits until the file is complete; throws why it could not be completed.
  func report() throws -> SinkReport? { try result.receive()?.get() }
}

extension CompressedStream {
  /// Bytes of one sample of all channels, if the samples of a packet can be taken apart.
  var sampleBytes: Int? {
    let id = parameters.pointee.codec_id
    guard id.rawValue >= AV_CODEC_ID_FIRST_AUDIO.rawValue,
      id.rawValue < AV_CODEC_ID_ADPCM_IMA_QT.rawValue, !codecName.hasSuffix("_planar")
    else { return nil }
    let bits = Int(av_get_exact_bits_per_sample(id))
    let channels = Int(parameters.pointee.ch_layout.nb_channels)
    let isKnown = channels > 0 && parameters.pointee.sample_rate > 0
    return bits > 0 && bits % 8 == 0 && isKnown ? bits / 8 * channels : nil
  }

  /// Seconds of audio before the first frame that a decoder needs, and a reader does not hear.
  ///
  /// Opus needs 80 ms until its decoder is as if it had decoded everything (RFC 7845), MP3 keeps data of a
  /// packet in those before it, and in other codecs a packet overlaps with the one before it.
  fileprivate func leadIn(before packet: CompressedPacket) -> Rational {
    guard sampleBytes == nil else { return .zero }
    return switch parameters.pointee.codec_id {
    case AV_CODEC_ID_OPUS: Rational(2, 25)
    case AV_CODEC_ID_MP3: packet.duration * Rational(3)
    default: packet.duration
    }
  }
}
