import CFFmpeg

/// One of FFmpeg's libraries: the version that kfrec was built with, and the one that is loaded.
public struct FFmpegLibrary: Sendable, Equatable {
  /// A version as FFmpeg packs it (AV_VERSION_INT): 16, 8 and 8 bits.
  public struct Version: Sendable, Equatable, CustomStringConvertible {
    public let major, minor, micro: Int

    public init(_ major: Int, _ minor: Int, _ micro: Int) {
      (self.major, self.minor, self.micro) = (major, minor, micro)
    }

    fileprivate init(packed: UInt32) {
      self.init(Int(packed >> 16), Int(packed >> 8 & 0xff), Int(packed & 0xff))
    }

    fileprivate init(_ major: Int32, _ minor: Int32, _ micro: Int32) {
      self.init(Int(major), Int(minor), Int(micro))
    }

    public var description: String { "\(major).\(minor).\(micro)" }
  }

  public let name: String
  public let built: Version
  public let loaded: Version

  public init(_ name: String, built: Version, loaded: Version) {
    (self.name, self.built, self.loaded) = (name, built, loaded)
  }

  /// The release of FFmpeg that kfrec was built with, and the one that is loaded.
  public static var releases: (built: String, loaded: String) {
    (FFMPEG_VERSION, String(cString: av_version_info()))
  }

  /// Those that kfrec calls.
  public static var all: [FFmpegLibrary] {
    [
      FFmpegLibrary(
        "libavformat",
        built: Version(
          LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR, LIBAVFORMAT_VERSION_MICRO),
        loaded: Version(packed: avformat_version())),
      FFmpegLibrary(
        "libavcodec",
        built: Version(
          LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR, LIBAVCODEC_VERSION_MICRO),
        loaded: Version(packed: avcodec_version())),
      FFmpegLibrary(
        "libavutil",
        built: Version(LIBAVUTIL_VERSION_MAJOR, LIBAVUTIL_VERSION_MINOR, LIBAVUTIL_VERSION_MICRO),
        loaded: Version(packed: avutil_version())),
      FFmpegLibrary(
        "libavfilter",
        built: Version(
          LIBAVFILTER_VERSION_MAJOR, LIBAVFILTER_VERSION_MINOR, LIBAVFILTER_VERSION_MICRO),
        loaded: Version(packed: avfilter_version())),
      FFmpegLibrary(
        "libswscale",
        built: Version(
          LIBSWSCALE_VERSION_MAJOR, LIBSWSCALE_VERSION_MINOR, LIBSWSCALE_VERSION_MICRO),
        loaded: Version(packed: swscale_version())),
      FFmpegLibrary(
        "libswresample",
        built: Version(
          LIBSWRESAMPLE_VERSION_MAJOR, LIBSWRESAMPLE_VERSION_MINOR, LIBSWRESAMPLE_VERSION_MICRO),
        loaded: Version(packed: swresample_version())),
    ]
  }

  /// Says why kfrec cannot run with libraries, as a sentence; nil if it can.
  ///
  /// A library with the same major number and a later minor one has all of an earlier one and the same structs (FFmpeg,
  /// doc/APIchanges): what the linker found by a library's name may still be older, or another one behind a wrong link.
  public static func mismatch(_ libraries: [FFmpegLibrary]) -> String? {
    libraries.first { $0.loaded.major != $0.built.major || $0.loaded.minor < $0.built.minor }.map {
      """
      \($0.name) \($0.loaded) is \($0.loaded.major == $0.built.major ? "too old" : "another one"): kfrec was built with \
      \($0.built), of FFmpeg \(releases.built); install that FFmpeg, look at LD_LIBRARY_PATH, or build kfrec again with \
      this one
      """
    }
  }
}
