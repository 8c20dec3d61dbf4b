public import CFFmpeg
public import Frames

/// What a file says of one of its streams: its title, its language and what it is for.
public struct StreamTags: Sendable, Equatable {
  public var title: String?
  public var language: String?
  /// FFmpeg's flags (`AV_DISPOSITION_...`).
  public var disposition: Int32 = 0

  public init() {}

  public init(_ stream: UnsafePointer<AVStream>) {
    title = tag("title", in: stream.pointee.metadata)
    language = tag("language", in: stream.pointee.metadata)
    disposition = stream.pointee.disposition
  }
}

/// What a file holds beside its video, its audio and its tags, and what does not change with the frames.
public struct FileContents: Sendable {
  /// A stretch with a name.
  public struct Chapter: Sendable, Equatable {
    /// Times in seconds, in the file's own time.
    public var start: Rational
    public var end: Rational
    public var title: String?
  }

  /// A cover image, or another file inside the file.
  public struct Attachment: Sendable, Equatable {
    public var codec: AVCodecID
    public var bytes: [UInt8]
    public var name: String
    public var mimeType: String
    public var isCover = false
    /// The size of a cover in pixels.
    public var size: (width: Int32, height: Int32) = (0, 0)

    public static func == (one: Attachment, other: Attachment) -> Bool {
      one.codec == other.codec && one.bytes == other.bytes && one.name == other.name
    }
  }

  /// Data about the video, such as how a spherical one is projected.
  public struct SideData: Sendable {
    public var type: AVPacketSideDataType
    public var bytes: [UInt8]

    /// What it is, for messages.
    public var words: String {
      type == AV_PKT_DATA_SPHERICAL ? "spherical video data" : "stereo 3D data"
    }
  }

  public var video = StreamTags()
  public var chapters: [Chapter] = []
  public var attachments: [Attachment] = []
  public var sideData: [SideData] = []

  /// Collects what a container holds.
  public init(
    of context: UnsafePointer<AVFormatContext>, video stream: UnsafeMutablePointer<AVStream>
  ) {
    video = StreamTags(stream)
    for type in [AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D] {
      var size = 0
      guard let bytes = kf_stream_side_data(stream, type, &size),
        type != AV_PKT_DATA_STEREO3D || !FileContents.isFlat(bytes)
      else { continue }
      sideData.append(
        SideData(type: type, bytes: Array(UnsafeBufferPointer(start: bytes, count: size))))
    }
    chapters = (0..<Int(context.pointee.nb_chapters)).compactMap { number in
      guard let chapter = context.pointee.chapters[number]?.pointee else { return nil }
      let unit = Rational(chapter.time_base)
      return Chapter(
        start: Rational(chapter.start) * unit, end: Rational(chapter.end) * unit,
        title: tag("title", in: chapter.metadata))
    }
    attachments = context.pointee.streamList.compactMap(Attachment.init)
  }

  /// Whether stereo 3D data says that there is one picture for both eyes, which is what every other file has.
  public static func isFlat(_ data: UnsafePointer<UInt8>?) -> Bool {
    UnsafeRawPointer(data)?.loadUnaligned(as: AVStereo3D.self).type == AV_STEREO3D_2D
  }

  /// Moves what has times, so that `start` becomes 0, and cuts it to the length in seconds.
  public mutating func cut(from start: Rational, length: Rational?) {
    chapters = chapters.compactMap { chapter in
      var moved = chapter
      moved.start = max(chapter.start - start, .zero)
      moved.end = chapter.end - start
      if let length { moved.end = min(moved.end, length) }
      return moved.end > moved.start ? moved : nil
    }
  }
}

extension FileContents.Attachment {
  /// Copies a cover or an attached file; nil for other streams.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    let parameters = stream.pointee.codecpar.pointee
    codec = parameters.codec_id
    let kinds: [(AVCodecID, String, String)] = [
      (AV_CODEC_ID_MJPEG, "image/jpeg", "cover.jpg"), (AV_CODEC_ID_PNG, "image/png", "cover.png"),
      (AV_CODEC_ID_BMP, "image/bmp", "cover.bmp"), (AV_CODEC_ID_GIF, "image/gif", "cover.gif"),
      (AV_CODEC_ID_WEBP, "image/webp", "cover.webp"),
    ]
    let kind = kinds.first { [codec] in $0.0 == codec }
    name = tag("filename", in: stream.pointee.metadata) ?? kind?.2 ?? "attachment"
    mimeType =
      tag("mimetype", in: stream.pointee.metadata) ?? kind?.1 ?? "application/octet-stream"
    if parameters.codec_type == AVMEDIA_TYPE_ATTACHMENT, let data = parameters.extradata {
      bytes = Array(UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size)))
    } else if parameters.codec_type == AVMEDIA_TYPE_VIDEO,
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
      stream.pointee.disposition & AV_DISPOSITION_TIMED_THUMBNAILS == 0,
      let data = stream.pointee.attached_pic.data
    {
      bytes = Array(
        UnsafeBufferPointer(start: data, count: Int(stream.pointee.attached_pic.size)))
      isCover = true
      size = (parameters.width, parameters.height)
    } else {
      return nil
    }
  }
}

/// The text of a tag of a file or a stream; nil if there is none of that name.
public func tag(_ name: String, in metadata: OpaquePointer?) -> String? {
  av_dict_get(metadata, name, nil, 0)?.pointee.value.map { String(cString: $0) }
}

extension AVFormatContext {
  /// The demuxer's short name ("mov,mp4,m4a,3gp,3g2,mj2"); empty if there is none yet.
  public var formatName: String { iformat.map { String(cString: $0.pointee.name) } ?? "" }

  /// The streams that are known so far, in FFmpeg's order.
  public var streamList: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(nb_streams)).compactMap { streams[$0] }
  }
}
