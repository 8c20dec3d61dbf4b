public import CFFmpeg

/// The descriptive tags of a file: title, author, date, place.
public struct MediaTags: Sendable, Equatable {
  /// The tags in the file's order, with FFmpeg's names ("title", "creation_time").
  public private(set) var entries: [Entry] = []

  public struct Entry: Sendable, Equatable {
    public var name: String
    public var text: String
  }

  /// Tags that describe the file's own bytes or whole length, and so are wrong for another file.
  private static let ownNames: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "encoder", "duration", "timecode",
  ]
  private static let ownPrefixes = ["itun"]

  public init() {}

  /// Copies a file's tags, except those that are true only of its own bytes.
  public init(of context: UnsafePointer<AVFormatContext>) {
    entries = dictionaryEntries(context.pointee.metadata).filter { entry in
      let plain = entry.name.lowercased()
      return !MediaTags.ownNames.contains(plain)
        && !MediaTags.ownPrefixes.contains(where: plain.hasPrefix)
    }
  }

  /// The text of a tag, or nil if there is no such tag.
  public subscript(name: String) -> String? {
    get { entries.first { $0.name == name }?.text }
    set {
      entries.removeAll { $0.name == name }
      if let newValue { entries.append(Entry(name: name, text: newValue)) }
    }
  }

  /// Replaces a tag in every spelling and language (`TITLE`, `title-ita`), or removes it if the text is empty.
  public mutating func replace(_ name: String, by text: String) {
    entries.removeAll {
      let own = $0.name.lowercased()
      return own == name || own.hasPrefix(name + "-")
    }
    if !text.isEmpty { entries.append(Entry(name: name, text: text)) }
  }

  /// Gives the tags to a muxer, before its header; the muxer leaves out tags that its container
  /// cannot store.
  public func write(to context: UnsafeMutablePointer<AVFormatContext>) throws(FFmpegError) {
    for entry in entries {
      try check(
        av_dict_set(&context.pointee.metadata, entry.name, entry.text, 0), "av_dict_set",
        "the tag \(entry.name)")
    }
  }
}

/// The entries of a dictionary of FFmpeg, in its order.
func dictionaryEntries(_ dictionary: OpaquePointer?) -> [MediaTags.Entry] {
  var entries: [MediaTags.Entry] = []
  var latest: UnsafeMutablePointer<AVDictionaryEntry>?
  while let found = av_dict_get(dictionary, "", latest, AV_DICT_IGNORE_SUFFIX) {
    latest = found
    guard let name = found.pointee.key, let text = found.pointee.value else { continue }
    entries.append(MediaTags.Entry(name: String(cString: name), text: String(cString: text)))
  }
  return entries
}
