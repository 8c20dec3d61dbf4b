import CFFmpeg
import FFmpegHandles
import Glibc

/// Lets FFmpeg open one file, and no file that it names: FFmpeg detects a playlist by its content, under any name, and
/// its entries may lie anywhere.
enum OnlyFile {
  /// Options of the demuxer: one that opens a container of its own gives it this list, which holds no protocol, and not the
  /// callback.
  static let options = [("protocol_whitelist", "none")]

  /// Refuses other files to a context that is not open yet, and whose `opaque` points to a `LoggedErrors`.
  static func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    context.pointee.io_open = { context, file, url, flags, options in
      // A demuxer may give the callback to a context of its own, and not what belongs to it: such a one opens nothing, as
      // libavformat opens the file itself before it knows the demuxer.
      guard let context, let url, let own = context.pointee.url, context.pointee.opaque != nil,
        strcmp(own, url) == 0
      else {
        LoggedErrors.noteRefusedFile(context?.pointee.opaque)
        return kf_averror(EACCES)
      }
      return avio_open2(file, url, flags, &context.pointee.interrupt_callback, options)
    }
  }

  /// Throws a sentence if the file named another one.
  static func check(_ log: LoggedErrors, _ name: String) throws(CaptureError) {
    guard log.hasRefusedFile || isKnownByContent(name) else { return }
    guard !MediaPlaylist.isName(name) else {
      throw CaptureError(
        "\(name) names other files, as playlists do, and only one file is read here; use the picture or the video itself"
      )
    }
    throw CaptureError(
      "\(name) is a playlist by its content and names other files, which are not opened, because its name is not that of "
        + "a playlist; use the picture or the video itself, or, if a playlist is meant, give it the ending .m3u8"
    )
  }

  /// Whether a file is FFmpeg's list, DASH or HLS by its beginning: the demuxers of the first two open files without the
  /// callback, and that of HLS is none for a name of another ending since FFmpeg 7.1.
  private static func isKnownByContent(_ path: String) -> Bool {
    guard let head = CutFile.start(of: path)?.head else { return false }
    return head.starts(with: "ffconcat version 1.0".utf8) || head.starts(with: "#EXTM3U".utf8)
      || head.first == UInt8(ascii: "<") && head.firstRange(of: Array("<MPD".utf8)) != nil
  }
}
