import CFFmpeg

/// Returns FFmpeg's release name, and the versions of the loaded libraries.
public func ffmpegVersions() -> (release: String, libraries: [(name: String, version: String)]) {
  (
    String(cString: av_version_info()),
    [
      ("libavformat", dotted(avformat_version())), ("libavcodec", dotted(avcodec_version())),
      ("libavutil", dotted(avutil_version())), ("libswscale", dotted(swscale_version())),
    ]
  )
}

/// FFmpeg packs a version as 16, 8 and 8 bits (AV_VERSION_INT).
private func dotted(_ version: UInt32) -> String {
  "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
}
