import Capture
import FFmpegHandles
import Frames

/// What stage one reads: one source, or several consecutive sources.
///
/// One thread at a time has it.
protocol FrameSetSource: AnyObject {
  /// Describes everything that is read, as one source.
  var description: SourceDescription { get }
  /// Format of each clip's first frame, in the order in which clips are shown; at least one.
  var formats: [FrameFormat] { get }
  /// Audio that effects hear; nil if there is none, or none was requested.
  var audioForEffects: AudioForEffects? { get }
  /// Source time of the timeline's start, in seconds: of the first frame, or of frame 0 before a stretch.
  var firstTime: Rational { get }

  /// Returns the next item, with times in seconds from the first frame; nil at the end.
  func next() throws -> TimelineItem?

  /// Interruptions that make a waiting `next`, and every later call of it, return nil soon.
  var interruptions: [Interruption] { get }

  /// Ends reading ahead; `report` is complete afterwards.
  func finish()

  /// Describes each source, in the order in which sources are shown.
  var descriptions: [SourceDescription] { get }
  /// Problems while reading; asked for after `finish`, because other threads write it before.
  var report: SourceReport { get }
  /// Problems of each source, in the order of `descriptions`; asked for after `finish`.
  var reports: [(description: SourceDescription, report: SourceReport)] { get }
}

/// A timeline that changes another one, and passes on its description and its reports.
protocol WrappingSource: FrameSetSource {
  var source: any FrameSetSource { get }
}

extension WrappingSource {
  var description: SourceDescription { source.description }
  var formats: [FrameFormat] { source.formats }
  var audioForEffects: AudioForEffects? { source.audioForEffects }
  var firstTime: Rational { source.firstTime }
  var descriptions: [SourceDescription] { source.descriptions }
  var report: SourceReport { source.report }
  var reports: [(description: SourceDescription, report: SourceReport)] { source.reports }
  var interruptions: [Interruption] { source.interruptions }
  func finish() { source.finish() }
}

/// An open timeline: what is known of it before its first frame is recorded, and its source.
struct Timeline: Sendable {
  let description: SourceDescription
  let descriptions: [SourceDescription]
  let formats: [FrameFormat]
  let audioForEffects: AudioForEffects?
  let firstTime: Rational
  private let interruptions: [Interruption]
  let source: Handover<any FrameSetSource>

  /// Takes over a source; a title takes the place of the source's own, and an empty one leaves it out.
  init(_ source: sending any FrameSetSource, title: String? = nil) {
    var description = source.description
    if let title { description.tags.replace("title", by: title) }
    (self.description, descriptions) = (description, source.descriptions)
    (formats, audioForEffects) = (source.formats, source.audioForEffects)
    (firstTime, interruptions) = (source.firstTime, source.interruptions)
    self.source = Handover(source)
  }

  /// Ends the reading soon; may be called from any thread.
  func interrupt() { for interruption in interruptions { interruption.interrupt() } }

  /// Problems while reading, of all sources and of each; known once the thread that read has ended.
  var report: SourceReport { source.use { $0.report } ?? SourceReport() }
  var reports: [(description: SourceDescription, report: SourceReport)] {
    source.use { $0.reports } ?? []
  }
}

/// What comes from the timeline: sets of frames, and the audio and the subtitles of their times.
typealias TimelineItem = Sample<FrameSet>

extension Sample {
  /// Returns audio or a subtitle some seconds earlier, and a picture as it is.
  func earlier(by seconds: Rational) throws(FFmpegError) -> Sample {
    switch self {
    case .frame: self
    case .codedAudio(let packet): .codedAudio(try packet.moved(to: packet.time - seconds))
    case .audio(let block): .audio(block.moved(to: block.time - seconds))
    case .subtitle(let packet): .subtitle(try packet.moved(to: packet.time - seconds))
    case .audioForEffects(let packet):
      .audioForEffects(try packet.moved(to: packet.time - seconds))
    }
  }
}

/// Audio of a source that effects hear.
enum AudioForEffects: Sendable {
  /// Packets of a stream: `TimelineItem.audioForEffects`.
  case packets(CompressedStream)
  /// Blocks that outputs also receive: `TimelineItem.audio`.
  case blocks(AudioFormat)
}
