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
    var entry = av_dict_get(context.pointee.metadata, "", nil, AV_DICT_IGNORE_SUFFIX)
    while let found = entry {
      if let name = found.pointee.key, let text = found.pointee.value {
        add(String(cString: name), String(cString: text))
      }
      entry = av_dict_get(context.pointee.metadata, "", found, AV_DICT_IGNORE_SUFFIX)
    }
  }

  private mutating func add(_ name: String, _ text: String) {
    let plain = name.lowercased()
    guard !MediaTags.ownNames.contains(plain),
      !MediaTags.ownPrefixes.contains(where: plain.hasPrefix)
    else { return }
    entries.append(Entry(name: name, text: text))
  }

  /// The text of a tag, or nil if there is no such tag.
  public subscript(name: String) -> String? {
    get { entries.first { $0.name == name }?.text }
    set {
      entries.removeAll { $0.name == name }
      if let newValue { entries.append(Entry(name: name, text: newValue)) }
    }
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
