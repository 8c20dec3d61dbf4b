import CFFmpeg
import Glibc

extension FFmpegError {
  /// Explains an error code of FFmpeg to users as a part of a sentence, for use in parentheses or after a colon.
  ///
  /// FFmpeg's own texts are for its developers ("patches welcome"). A code of -1, which parts of
  /// FFmpeg return for any failure, has the text "Operation not permitted" because of its number. So
  /// codes that describe FFmpeg, and not the system, have other texts here.
  public static func reason(_ code: Int32) -> String {
    if let known = system[-code] ?? own[code] { return known }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      text.initialize(repeating: 0)
      guard av_strerror(code, text.baseAddress, text.count) >= 0, let start = text.baseAddress
      else { return "FFmpeg's error \(code)" }
      return String(cString: start)
    }
  }

  private static let silent = "FFmpeg gives no reason"
  private static let unable = "this FFmpeg cannot do that"
  private static let inner = "FFmpeg has an internal error"
  private static let lacking = "this FFmpeg was built without the part that it needs"

  /// Texts by errno.
  private static let system: [Int32: String] = [
    EPERM: silent, ENOSYS: unable, ENOMEM: "out of memory",
    EINVAL: "something about it is not valid", ERANGE: "a number is too large",
    EDOM: "a number is out of range",
  ]

  /// Texts by FFmpeg's codes (libavutil/error.h), which are four characters.
  private static let own: [Int32: String] = [
    code("INDA"): "it is damaged, or is not what it seems", code("EOF "): "it ends too early",
    code("PAWE"): unable, code("UNKN"): silent, code("EXIT"): "it was interrupted",
    code("EXT "): "the library behind it failed", code("BUG!"): inner, code("BUG "): inner,
    code("BUFS"): inner, code("DEC", 0xf8): lacking, code("ENC", 0xf8): lacking,
    code("DEM", 0xf8): lacking, code("MUX", 0xf8): lacking, code("BSF", 0xf8): lacking,
    code("FIL", 0xf8): lacking, code("OPT", 0xf8): "it has no such option",
    code("PRO", 0xf8): "this FFmpeg cannot read from such an address",
    code("STR", 0xf8): "it has no such stream",
    code("400", 0xf8): "the server does not understand the address (400)",
    code("401", 0xf8): "the server needs a name and a password (401)",
    code("403", 0xf8): "the server does not allow access to it (403)",
    code("404", 0xf8): "the server does not have it (404)",
    code("4XX", 0xf8): "the server refuses it (4xx)",
    code("5XX", 0xf8): "the server failed (5xx)",
    // These codes are plain numbers.
    -0x2bb2_afa8: "it is only experimental in this FFmpeg", -0x636e_6701: silent,
    -0x636e_6702: silent,
  ]

  /// FFERRTAG: the negative of the characters as a number, the first in the lowest byte.
  private static func code(_ text: String, _ first: UInt8? = nil) -> Int32 {
    let bytes = (first.map { [$0] } ?? []) + Array(text.utf8)
    let value = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return -Int32(bitPattern: value)
  }
}
