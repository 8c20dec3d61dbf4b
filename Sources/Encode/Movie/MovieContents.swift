import CFFmpeg
import FFmpegHandles
import Frames

/// Which contents of a source, beside its video and its audio, a container stores so that players find them.
extension Container {
  /// The codecs of images that `covr` of an MP4 may be.
  private static let coverCodecs = [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP]

  /// What it leaves out, in words as `LeftOut` has them, one for each kind; in a file the muxer can go back.
  func leftOut(
    of contents: FileContents?, audio: [StreamTags], subtitles: [CompressedStream], isFile: Bool
  ) -> [String] {
    func counted(_ count: Int, _ one: String, _ many: String) -> [String] {
      count == 0 ? [] : [count == 1 ? one : "\(count) \(many)"]
    }
    let lostText = subtitles.map(\.parameters.pointee.codec_id).filter {
      !copies(subtitles: $0) && textEncoder(for: $0) == nil
    }
    var words = counted(lostText.count, "a subtitle track", "subtitle tracks")
    guard let contents else { return words }
    if !holdsChapters(isFile: isFile) {
      words += counted(contents.chapters.count, "a chapter", "chapters")
    }
    words += counted(
      contents.attachments.count { $0.isCover && !holds($0) }, "a cover image", "cover images")
    words += counted(
      contents.attachments.count { !$0.isCover && !holds($0) }, "an attached file",
      "attached files")
    if !has(.sideData) { words += contents.sideData.map(\.words) }
    let lost = TrackPurpose.names(
      of: audio.reduce(0) { $0 | $1.disposition } & ~keptDispositions)
    if !lost.isEmpty { words.append("flags of audio tracks (\(lost.joined(separator: ", ")))") }
    return words
  }

  func holdsChapters(isFile: Bool) -> Bool { has(.chaptersAtEnd) ? isFile : holdsAudio }

  func holds(_ attachment: FileContents.Attachment) -> Bool {
    has(.attachments)
      || attachment.isCover && has(.covers) && Container.coverCodecs.contains(attachment.codec)
  }

  /// Returns the code of a language as the muxer knows it.
  ///
  /// Of two codes that ISO 639-2 has, MOV's list has one (isom.c, `mov_mdhd_language_map`); its muxer drops the other.
  func code(of language: String) -> String {
    guard has(.listedLanguages) else { return language }
    let listed = [
      "fre": "fra", "deu": "ger", "nld": "dut", "ell": "gre", "isl": "ice", "zho": "chi",
      "sqi": "alb", "rum": "ron", "cze": "ces", "slo": "slk", "mkd": "mac", "hye": "arm",
      "kat": "geo", "bod": "tib", "mya": "bur", "msa": "may", "cym": "wel", "eus": "baq",
    ]
    return listed[language] ?? language
  }
}

/// Adds the contents of a source to a muxer, before its header.
struct MovieContents {
  let contents: FileContents
  let container: Container

  /// Describes a stream: its title and its purposes.
  static func describe(
    _ tags: StreamTags, to stream: UnsafeMutablePointer<AVStream>, _ container: Container
  ) {
    if let title = tags.title {
      av_dict_set(
        &stream.pointee.metadata, container.has(.handlerNames) ? "handler_name" : "title", title, 0)
    }
    stream.pointee.disposition = tags.disposition & ~AV_DISPOSITION_ATTACHED_PIC
  }

  /// Adds all that the container holds; returns the streams of covers that come as packets, with their images.
  func add(
    to pointer: UnsafeMutablePointer<AVFormatContext>, video: UnsafeMutablePointer<AVStream>
  ) throws(FFmpegError) -> [(stream: Int32, bytes: [UInt8])] {
    MovieContents.describe(contents.video, to: video, container)
    if container.has(.sideData) {
      for data in contents.sideData {
        let target = try check(
          kf_new_stream_side_data(video, data.type, data.bytes.count), "av_packet_side_data_new",
          "a stream")
        for (index, byte) in data.bytes.enumerated() { target[index] = byte }
        // The muxer of MP4 writes these boxes only if it may write what is no standard yet.
        pointer.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
      }
    }
    try addChapters(to: pointer)
    var covers: [(Int32, [UInt8])] = []
    for attachment in contents.attachments where container.holds(attachment) {
      let stream = try check(avformat_new_stream(pointer, nil), "avformat_new_stream", "a cover")
      let parameters = try check(stream.pointee.codecpar, "avformat_new_stream", "a cover")
      parameters.pointee.codec_id = attachment.codec
      if container.has(.coverStreams) {
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        (parameters.pointee.width, parameters.pointee.height) = attachment.size
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        stream.pointee.time_base = AVRational(num: 1, den: 1000)
        covers.append((stream.pointee.index, attachment.bytes))
        continue
      }
      parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
      let size = attachment.bytes.count
      guard let bytes = av_mallocz(size + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        throw FFmpegError(call: "av_mallocz", subject: "a cover", code: kf_averror(12))
      }
      bytes.copyMemory(from: attachment.bytes, byteCount: size)
      parameters.pointee.extradata = bytes.assumingMemoryBound(to: UInt8.self)
      parameters.pointee.extradata_size = Int32(size)
      av_dict_set(&stream.pointee.metadata, "filename", attachment.name, 0)
      av_dict_set(&stream.pointee.metadata, "mimetype", attachment.mimeType, 0)
    }
    return covers
  }

  /// The muxer frees the chapters with its context.
  private func addChapters(
    to pointer: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) {
    guard !contents.chapters.isEmpty else { return }
    let unit = Rational(1, 1_000_000)
    let list = av_calloc(
      contents.chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.size)
    guard let list else {
      throw FFmpegError(call: "av_calloc", subject: "chapters", code: kf_averror(12))
    }
    pointer.pointee.chapters = list.assumingMemoryBound(
      to: UnsafeMutablePointer<AVChapter>?.self)
    for (number, chapter) in contents.chapters.enumerated() {
      guard let made = av_mallocz(MemoryLayout<AVChapter>.size) else {
        throw FFmpegError(call: "av_mallocz", subject: "chapters", code: kf_averror(12))
      }
      let target = made.assumingMemoryBound(to: AVChapter.self)
      target.pointee.id = Int64(number + 1)
      target.pointee.time_base = AVRational(unit)
      target.pointee.start = chapter.start.ticks(timeBase: unit)
      target.pointee.end = chapter.end.ticks(timeBase: unit)
      if let title = chapter.title {
        av_dict_set(&target.pointee.metadata, "title", title, 0)
      }
      pointer.pointee.chapters[number] = target
      pointer.pointee.nb_chapters += 1
    }
  }
}
