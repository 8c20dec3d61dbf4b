import CFFmpeg
import FFmpegHandles
import Frames

extension SourceDescription {
  /// Describes an open file, as far as its container knows it; `zero` is the time that players show as zero.
  init(
    of demuxer: borrowing Demuxer, _ request: SourceRequest, input: FileInput, rate: Rational,
    zero: Rational, isTurnedOddly: Bool
  ) {
    self.init(
      name: input.name, frameRate: rate, timeBase: Rational(demuxer.video.pointee.time_base))
    self.zero = zero
    openingCalls = [demuxer.openingCall]
    // A single image, also an AVIF.
    isStill =
      input.numbered == nil
      && (demuxer.isImage
        || demuxer.formatName.hasPrefix("mov,") && input.pipe == nil
          && ISOFile(request.input)?.isImage == true)
    if request.includesAudio {
      codedAudio = demuxer.codedAudio
      bestAudio = demuxer.bestAudio
    }
    if request.feedsEffects {
      audioForEffects = demuxer.bestAudio.map { demuxer.codedAudio[$0] }
    }
    subtitles = demuxer.subtitles
    creationTime = CreationTime.of(demuxer.context)
    timecode = Timecode(of: demuxer.context, frameRate: rate)
    if request.includesTags { tags = MediaTags(of: demuxer.context) }
    if !isStill {
      if request.includesContents {
        contents = FileContents(of: demuxer.context, video: demuxer.video)
      }
      let extent = demuxer.extent
      end = extent.duration.map { (extent.start ?? .zero) + $0 }
    }
    if isTurnedOddly {
      notices.append(
        Notice(
          .sourceRotation, name,
          "\(name) has a display matrix that is not a quarter turn; the frames are left as stored"))
    }
    if let choice = demuxer.choice { notices.append(Notice(.sourceStreams, name, choice)) }
  }

  /// Says who decodes, which only a frame shows.
  mutating func describe(_ decoder: ReplaceableDecoder) {
    self.decoder = decoder.codecName + (decoder.hardware.map { " by \($0.title)" } ?? "")
    if decoder.hardware != nil, let sharing = decoder.sharing {
      self.decoder? +=
        sharing.reason.map { " (its frames are copied, because \($0))" }
        ?? " (its frames stay in its memory)"
    }
    guard !decoder.refusals.isEmpty, decoder.hardware == nil else { return }
    let reason =
      decoder.refusals.count == 1
      ? "(\(decoder.refusals[0]))"
      : "because no hardware for it works here; kfrec devices --verbose says why"
    notices.append(
      Notice(.sourceHardware, name, "\(name) is decoded by the processor \(reason)"))
  }
}
