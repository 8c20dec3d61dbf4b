import CFFmpeg
import FFmpegHandles

/// Contents of a file that no output takes: everything except its video, its audio and its tags.
struct LeftOut {
  private var parts: [Part: Int] = [:]
  private var flags: [String] = []

  /// In the order of the report.
  private enum Part: CaseIterable {
    case subtitles, captions, chapters, cover, attachments, timecode, data, titles
    case spherical, stereo, mastering, lightLevels, dynamicHDR, dolbyVision

    /// Describes a number of these parts in words.
    func words(_ count: Int) -> String {
      func counted(_ one: String, _ many: String) -> String {
        count == 1 ? one : "\(count) \(many)"
      }
      return switch self {
      case .subtitles: counted("a subtitle track", "subtitle tracks")
      case .captions: "closed captions"
      case .chapters: counted("a chapter", "chapters")
      case .cover: counted("a cover image", "cover images")
      case .attachments: counted("an attached file", "attached files")
      case .timecode: "the timecode"
      case .data: counted("a data track", "data tracks")
      case .titles: counted("the title of a track", "titles of tracks")
      case .spherical: "spherical video data"
      case .stereo: "stereo 3D data"
      case .mastering: "HDR10 mastering data"
      case .lightLevels: "HDR10 content light levels"
      case .dynamicHDR: "HDR10+ data"
      case .dolbyVision: "Dolby Vision data"
      }
    }
  }

  /// Collects what the streams of a container say; `video` and `audio` are the indexes of the kept streams.
  init(
    of context: UnsafePointer<AVFormatContext>, video: Int32, audio: [Int32]
  ) {
    parts[.chapters] = Int(context.pointee.nb_chapters)
    for stream in context.pointee.streamList {
      let number = stream.pointee.index
      if number == video || audio.contains(number) {
        if tag("title", in: stream.pointee.metadata) != nil { parts[.titles, default: 0] += 1 }
      } else {
        add(other: stream)
      }
      if number == video { add(sideDataOf: stream) }
    }
    flags = LeftOut.flags(audio.compactMap { context.pointee.streams[Int($0)] })
  }

  private mutating func add(other stream: UnsafePointer<AVStream>) {
    let parameters = stream.pointee.codecpar.pointee
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0:
      // The images of chapters are reported with the chapters.
      if stream.pointee.disposition & AV_DISPOSITION_TIMED_THUMBNAILS == 0 {
        parts[.cover, default: 0] += 1
      }
    case AVMEDIA_TYPE_SUBTITLE: parts[.subtitles, default: 0] += 1
    case AVMEDIA_TYPE_ATTACHMENT: parts[.attachments, default: 0] += 1
    case AVMEDIA_TYPE_DATA:
      let tag = withUnsafeBytes(of: parameters.codec_tag.littleEndian) {
        String(decoding: $0, as: UTF8.self)
      }
      // QuickTime stores chapters as a text track.
      if tag == "tmcd" {
        parts[.timecode] = 1
      } else if tag != "text" {
        parts[.data, default: 0] += 1
      }
    default: break
    }
  }

  private mutating func add(sideDataOf stream: UnsafePointer<AVStream>) {
    for (type, part) in LeftOut.ofStreams {
      guard let data = kf_stream_side_data(stream, type, nil) else { continue }
      if part == .stereo, FileContents.isFlat(data) { continue }
      parts[part] = 1
    }
  }

  private static let ofStreams: [(AVPacketSideDataType, Part)] = [
    (AV_PKT_DATA_SPHERICAL, .spherical), (AV_PKT_DATA_STEREO3D, .stereo),
    (AV_PKT_DATA_MASTERING_DISPLAY_METADATA, .mastering),
    (AV_PKT_DATA_CONTENT_LIGHT_LEVEL, .lightLevels), (AV_PKT_DATA_DOVI_CONF, .dolbyVision),
  ]

  private static let ofFrames: [(AVFrameSideDataType, Part)] = [
    (AV_FRAME_DATA_SPHERICAL, .spherical), (AV_FRAME_DATA_STEREO3D, .stereo),
    (AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, .mastering),
    (AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, .lightLevels),
    (AV_FRAME_DATA_DYNAMIC_HDR_PLUS, .dynamicHDR), (AV_FRAME_DATA_DOVI_METADATA, .dolbyVision),
    (AV_FRAME_DATA_DOVI_RPU_BUFFER, .dolbyVision), (AV_FRAME_DATA_A53_CC, .captions),
  ]

  /// Adds the side data of a decoded frame.
  mutating func note(_ frame: UnsafePointer<AVFrame>) {
    let format = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format))
    let isVideo = format.map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0 } ?? true
    for (type, part) in LeftOut.ofFrames where av_frame_get_side_data(frame, type) != nil {
      // FFmpeg keeps the primaries of a PNG (its chunk cHRM) in the same place.
      if part == .mastering, !isVideo { continue }
      if part == .stereo, FileContents.isFlat(av_frame_get_side_data(frame, type).pointee.data) {
        continue
      }
      parts[part] = 1
    }
  }

  /// Returns the purposes of audio tracks, and "default" if the default track is not the first one.
  private static func flags(_ audio: [UnsafeMutablePointer<AVStream>]) -> [String] {
    let isOtherDefault =
      audio.first.map { $0.pointee.disposition & AV_DISPOSITION_DEFAULT == 0 } ?? false
      && audio.contains { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
    return (isOtherDefault ? ["default"] : [])
      + TrackPurpose.names(of: audio.reduce(0) { $0 | $1.pointee.disposition })
  }

  /// The parts in words, one text per part, without what is carried to the outputs.
  func words(except contents: FileContents?, hasSubtitles: Bool, hasHDR: Bool = false) -> [String] {
    var carried: [Part] = hasSubtitles ? [.subtitles] : []
    if hasHDR { carried += [.mastering, .lightLevels] }
    if let contents {
      carried += [.chapters, .cover, .attachments, .titles]
      for data in contents.sideData {
        carried.append(data.type == AV_PKT_DATA_SPHERICAL ? .spherical : .stereo)
      }
    }
    let counted = Part.allCases.compactMap { part in
      carried.contains(part) ? nil : parts[part].flatMap { $0 > 0 ? part.words($0) : nil }
    }
    return counted
      + (flags.isEmpty || contents != nil
        ? [] : ["flags of audio tracks (\(flags.joined(separator: ", ")))"])
  }
}
