import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// The names of the files of an HLS recording, which lie in one folder.
struct PlaylistNames: Sendable {
  /// The path of the playlist that players open.
  let playlist: String
  /// That path without its extension.
  private let stem: String

  init(_ playlist: String) {
    self.playlist = playlist
    stem = String(playlist.dropLast(".m3u8".count))
  }

  /// The names of a recording of which an input is a playlist; nil for another input.
  init?(reading input: String) {
    guard input.hasSuffix(".m3u8"), !input.contains("://") else { return nil }
    let isList = input.hasSuffix("-media.m3u8")
    self.init(isList ? String(input.dropLast("-media.m3u8".count)) + ".m3u8" : input)
  }

  /// The playlist of the segments.
  var segmentList: String { stem + "-media.m3u8" }
  /// The head that all segments share.
  var head: String { stem + "-init.mp4" }
  var segments: SequencePattern { SequencePattern(prefix: stem + "-", suffix: ".m4s", width: 5) }

  /// The paths of all files but the segments.
  var paths: [String] { [playlist, segmentList, head] }

  /// The folder with its last slash, or nothing.
  var folder: String { playlist.lastIndex(of: "/").map { String(playlist[...$0]) } ?? "" }
  var playlistName: String { String(playlist.dropFirst(folder.count)) }
  var headName: String { String(head.dropFirst(folder.count)) }

  /// Whether a playlist can name the files.
  ///
  /// A name is a URL there, or a comment, and ends with the line (RFC 8216, 4.1); the head's name has quotes around it. The
  /// muxer takes a % for the place of a number.
  var canBeListed: Bool {
    !playlistName.hasPrefix("#")
      && !playlistName.unicodeScalars.contains {
        "%:?\\\"".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
      }
  }
}

/// The files of a playlist, which libavformat's muxer writes: each gets its name when it is whole.
///
/// The first segment, its head and the list of segments wait for each other under their partial names, and get
/// their names together. Until then nothing that lies there is touched, so that an earlier recording, which they
/// replace, is whole; and if there is no whole segment, nothing is left. After a file that could not be
/// written no other one is opened, so that the list has whole segments only.
///
/// Used by one thread at a time.
final class PlaylistFiles: StreamTransport {
  let context: UnsafeMutablePointer<AVIOContext>? = nil
  /// The frames in the segments that are listed.
  private(set) var keptFrames: Int? = 0
  private let names: PlaylistNames
  private let name: String
  private let replacesExisting: Bool
  private var opened: [UnsafeMutablePointer<AVIOContext>: PlaylistFile] = [:]
  /// Whole files that have no name yet, in the order in which they get it.
  private var waiting: [PlaylistFile] = []
  /// Paths that have files of this recording.
  private var made: Set<String> = []
  /// Frames of all segments that are whole.
  private var frames = 0
  private var error: (any Error)?

  init(_ names: PlaylistNames, name: String, replacesExisting: Bool) {
    (self.names, self.name, self.replacesExisting) = (names, name, replacesExisting)
  }

  /// What the muxer gets before the name of a file.
  ///
  /// It is no protocol of libavformat: the muxer neither renames files nor looks for a number in the name of a
  /// folder.
  private static let scheme = "kfrec:/"

  /// The list of segments, as the muxer calls it.
  var listAddress: String { Self.scheme + names.segmentList.dropFirst(names.folder.count) }
  /// The names of the segments, as the muxer calls them.
  var segmentPattern: String {
    Self.scheme + names.segments.prefix.dropFirst(names.folder.count) + "%05d.m4s"
  }

  /// Whether there is a list of whole segments.
  private var isListed: Bool { made.contains(names.segmentList) }

  func attach(to muxer: UnsafeMutablePointer<AVFormatContext>) {
    muxer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    muxer.pointee.io_open = { muxer, file, url, _, _ in
      guard let object = muxer?.pointee.opaque, let file, let url else { return kf_averror(EINVAL) }
      file.pointee = Unmanaged<PlaylistFiles>.fromOpaque(object).takeUnretainedValue()
        .open(String(cString: url))
      return file.pointee == nil ? kf_averror(EIO) : 0
    }
    muxer.pointee.io_close2 = { muxer, file in
      guard let object = muxer?.pointee.opaque, let file else { return kf_averror(EINVAL) }
      Unmanaged<PlaylistFiles>.fromOpaque(object).takeUnretainedValue().close(file)
      // With a code the muxer would open the file again.
      return 0
    }
  }

  private func open(_ address: String) -> UnsafeMutablePointer<AVIOContext>? {
    guard error == nil else { return nil }
    do {
      let file = try PlaylistFile(
        names.folder + address.dropFirst(Self.scheme.count), output: name)
      opened[file.context] = file
      return file.context
    } catch {
      self.error = error
      return nil
    }
  }

  private func close(_ context: UnsafeMutablePointer<AVIOContext>) {
    guard let file = opened.removeValue(forKey: context) else { return }
    do {
      try file.complete()
      if names.segments.makes(file.path) { frames += file.frames }
      waiting.append(file)
      let isList = file.path == names.segmentList
      if isListed || isList, frames > 0 { try nameFiles() }
      if isList, isListed { keptFrames = frames }
    } catch {
      self.error = self.error ?? error
    }
  }

  private func nameFiles() throws {
    let isFirst = !isListed
    if isFirst, replacesExisting {
      // The earlier recording stays until all of these can have their names.
      if let blocked = waiting.first(where: { FileIdentity(at: $0.path)?.isFolder == true }) {
        throw EncodeError(
          "cannot write \(name): \(blocked.path) is a folder; remove it, or choose another output")
      }
      // A file system may first write a file that replaces another, which would keep the old and the new ones
      // mixed for that long.
      for file in waiting { file.synchronize() }
      // If the process dies now, no playlist lists segments of two recordings.
      for path in [names.playlist, names.segmentList] { unlink(path) }
    }
    do {
      while !waiting.isEmpty {
        let file = waiting.removeFirst()
        try file.commit(replacing: replacesExisting || made.contains(file.path))
        made.insert(file.path)
      }
    } catch {
      // Without a list its segments are of no use.
      if isFirst { for path in made { unlink(path) } }
      throw error
    }
  }

  func beginCall() {}

  func failure(_ code: Int32) -> (any Error)? {
    error ?? (code < 0 ? EncodeError.cannotWrite(name, -code) : nil)
  }

  func close(isComplete: Bool) {
    (opened, waiting) = ([:], [])
    guard !isComplete, isListed else { return }
    // Players need not wait for more.
    let file = Glibc.open(names.segmentList, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { return }
    let line = Array("#EXT-X-ENDLIST\n".utf8)
    _ = ByteWriter.write(line, line.count, to: file)
    Glibc.close(file)
  }
}

/// One file, under its partial name until it is committed; it is removed if it never is.
private final class PlaylistFile {
  let path: String
  /// For the muxer; lives as long as this object.
  var context: UnsafeMutablePointer<AVIOContext> { writer.context }
  private let output: String
  private let writer: ByteWriter
  private var file: PartialFile?

  init(_ path: String, output: String) throws {
    (self.path, self.output) = (path, output)
    let made = try PartialFile(place: path, name: output)
    writer = try ByteWriter(file: made.descriptor, isSeekable: true)
    file = consume made
  }

  var frames: Int { WrittenSamples.movie(writer.file, writer.end).first ?? 0 }

  func complete() throws(EncodeError) {
    writer.flush()
    if writer.failure != 0 { throw EncodeError.cannotWrite(output, writer.failure) }
  }

  /// Waits until the bytes are on the disk; if that fails, the process goes on without it.
  func synchronize() { fsync(writer.file) }

  /// Gives the file its name; if it cannot have it, the file stays under its partial name.
  func commit(replacing: Bool) throws(EncodeError) {
    guard var file = file.take() else { return }
    try file.commit(replacing: replacing, synchronously: false)
  }
}
