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
      ("libavformat", kf_built_avformat, avformat_version()),
      ("libavcodec", kf_built_avcodec, avcodec_version()),
      ("libavutil", kf_built_avutil, avutil_version()),
      ("libavfilter", kf_built_avfilter, avfilter_version()),
      ("libswscale", kf_built_swscale, swscale_version()),
      ("libswresample", kf_built_swresample, swresample_version()),
    ].map { name, built, loaded in
      FFmpegLibrary(name, built: Version(packed: built), loaded: Version(packed: loaded))
    }
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
