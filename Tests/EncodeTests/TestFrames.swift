import CFFmpeg
public import Frames
import Glibc

/// Frames for the tests: deterministic values, different in every frame.
struct TestFrames {
  let format: FrameFormat
  private let pool: PixelBufferPool<HeapMemory>

  init(_ format: FrameFormat) {
    self.format = format
    pool = PixelBufferPool(
      layout: BufferLayout(
        pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    ) { [layout = format] in
      HeapMemory(
        byteCount: BufferLayout(
          pixelFormat: layout.pixelFormat, width: layout.width, height: layout.height
        ).byteCount)
    }
  }

  /// Returns a sample smooth enough for an encoder, and moving: limited-range luma, chroma near the
  /// middle.
  static func value(plane: Int, x: Int, y: Int, index: Int) -> UInt8 {
    UInt8(16 + (x * 2 + y * (plane + 1) + index * 5) % 200)
  }

  /// Returns the bytes of a row of a plane without padding.
  func rowBytes(_ plane: Int) -> Int {
    let plane = format.pixelFormat.layout.planes[plane]
    return plane.width(format.width) * plane.bytesPerTexel
  }

  func rows(_ plane: Int) -> Int { format.pixelFormat.layout.planes[plane].height(format.height) }

  func frame(_ index: Int, at time: Rational, lasting duration: Rational? = nil) throws -> Frame {
    var pixels = try pool.lease()
    for number in pixels.layout.planes.indices {
      let stride = pixels.stride(ofPlane: number)
      pixels.withBytes(ofPlane: number) { bytes in
        // The padding right of the frame must never be visible.
        bytes.initializeMemory(as: UInt8.self, repeating: 0xEE)
        for y in 0..<rows(number) {
          for x in 0..<rowBytes(number) {
            bytes[y * stride + x] = TestFrames.value(plane: number, x: x, y: y, index: index)
          }
        }
      }
    }
    return Frame(format: format, pixels: pixels.freeze(), time: time, duration: duration)
  }

  /// Returns the frame's bytes without padding, plane after plane, like FFmpeg's rawvideo.
  func raw(_ index: Int) -> [UInt8] {
    (0..<format.pixelFormat.layout.planes.count).flatMap { plane in
      (0..<rows(plane)).flatMap { y in
        (0..<rowBytes(plane)).map { x in
          TestFrames.value(plane: plane, x: x, y: y, index: index)
        }
      }
    }
  }
}

extension Rational: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension ColorDescription {
  static let hd = ColorDescription(matrix: .bt709, range: .limited, primaries: 1, transfer: 1)
}

/// A folder that is removed with this object.
final class TestFolder {
  let path: String

  init() {
    // As in the program: a reader that closes the pipe makes the write fail.
    signal(SIGPIPE, SIG_IGN)
    av_log_set_level(AV_LOG_FATAL)
    var template = Array("/tmp/kfrec-encode-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template)!)
  }

  deinit { shell("rm -rf '\(path)'") }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] { shell("ls -A '\(path)'").split(separator: "\n").map(String.init) }
}

/// Runs a command line and returns what it printed on standard output.
@discardableResult
func shell(_ command: String) -> String { String(decoding: shellBytes(command), as: UTF8.self) }

/// Returns a file's bytes in hexadecimal.
func hex(_ file: String) -> String { shell("od -An -tx1 -v '\(file)' | tr -d ' \\n'") }

func shellBytes(_ command: String) -> [UInt8] {
  guard let pipe = popen(command, "re") else { return [] }
  defer { pclose(pipe) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
    bytes += buffer[..<count]
  }
  return bytes
}

/// One packet as ffprobe reports it, with times in seconds as exact fractions in the stream's time base.
struct ProbedPacket: Equatable {
  var pts: Rational
  var duration: Rational
  var md5: String
}

/// ffprobe's report about one stream of a file.
struct ProbedStream {
  let fields: [String: String]
  let packets: [ProbedPacket]

  init(_ file: String, _ stream: String) {
    var fields: [String: String] = [:]
    var packets: [ProbedPacket] = []
    let text = shell(
      "ffprobe -v error -select_streams \(stream) -show_data_hash md5 -of compact -show_packets "
        + "-show_streams '\(file)'")
    // Fields are not split by lines: the stream comes last, and side data splits a packet's line in two.
    var isStream = false
    for field in text.split(whereSeparator: { $0 == "|" || $0 == "\n" }) {
      if field == "packet" {
        packets.append(ProbedPacket(pts: .zero, duration: .zero, md5: ""))
      } else if field == "stream" {
        isStream = true
      }
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      if isStream {
        fields[String(parts[0])] = String(parts[1])
      } else {
        switch parts[0] {
        case "pts": packets[packets.count - 1].pts = Rational(Int64(parts[1]) ?? .min + 1)
        case "duration": packets[packets.count - 1].duration = Rational(Int64(parts[1]) ?? 0)
        case "data_hash": packets[packets.count - 1].md5 = String(parts[1])
        default: break
        }
      }
    }
    let base = (fields["time_base"] ?? "0/1").split(separator: "/").compactMap { Int64($0) }
    let tick = Rational(base[0], base[1])
    self.fields = fields
    self.packets = packets.map {
      ProbedPacket(pts: $0.pts * tick, duration: $0.duration * tick, md5: $0.md5)
    }
  }

  subscript(name: String) -> String { fields[name] ?? "" }
  /// The presentation times in seconds, in display order.
  var times: [Rational] { packets.map(\.pts).sorted() }
}
