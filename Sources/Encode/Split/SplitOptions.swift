import Frames
package import Settings

extension EncodeSettings {
  /// How a movie is laid out in files.
  package static let splitOptions: [OptionRow<EncodeSettings>] = [
    .value(
      "split", taking: .splitLimit, into: \.split, in: .output, of: [.record],
      help: "Write a movie as several files of this length or size",
      details: """
        A length is in seconds or HH:MM:SS, or a number with s, m or h; a size is a number with K, M or G (powers of \
        ten): --split 10m, --split 00:10:00, --split 2G. out.mov becomes out-001.mov, out-002.mov and so on; a number \
        in the name, as in out-%02d.mov, takes the place of that. Each file begins with a key frame and at time 0, \
        can be played alone, and gets its name as soon as it is complete; no frame is lost between two files. A file \
        begins with the first frame at or after a multiple of the length. A size is kept with what the frames before \
        needed, so that files are mostly a little smaller. The first file, and one in which a plain picture becomes busy, may \
        be larger by 64 frames and a few more, because the encoder holds them (half a second of a live source). Only for .mov, .mp4, .m4v, .mkv and .webm files. With -y, files of \
        an earlier recording with higher numbers stay.
        """)
  ]
}

extension ValueGrammar where Value == SplitLimit {
  /// A length of time, or a size in bytes.
  package static let splitLimit = ValueGrammar(
    name: "LIMIT",
    expected:
      "a length of 1 second or more such as 10m, 600 or 00:10:00, or a size of 100K or more "
      + "such as 500M or 2G (m is minutes, M is megabytes)"
  ) { word in
    let sizes: [Character: Int64] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let spans: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    guard let last = word.last else { return nil }
    let number = String(word.dropLast())
    if let unit = sizes[last] {
      guard let count = decimal(number), count <= Rational(1_000_000) else { return nil }
      let bytes = (count * Rational(unit)).floor
      return bytes >= 100_000 ? .size(bytes) : nil
    }
    let time = ValueGrammar<Rational>.time(positive: true)
    let length: Rational? =
      if let unit = spans[last], !word.contains(":") {
        try time.parse(number).map { $0 * Rational(unit) }
      } else {
        try time.parse(word)
      }
    return length.flatMap { $0 >= .one ? .duration($0) : nil }
  }
}
