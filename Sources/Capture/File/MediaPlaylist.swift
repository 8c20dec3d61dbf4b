/// Playlists: files that name others with the media (HLS, DASH, FFmpeg's list).
public enum MediaPlaylist {
  private static let endings = [".m3u8", ".m3u", ".mpd", ".ffconcat"]

  /// Whether a file's name is that of a playlist.
  ///
  /// Anybody may have made a file that is called a video or a picture, so only one with such a name may name other files.
  public static func isName(_ path: String) -> Bool {
    let name = path.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }
}
