import CFFmpeg
import Frames
import TestSupport
import Testing

@testable import Capture

/// A transport stream as a receiver records it: it begins between two key frames, and its H.264 does not say how many
/// frames are reordered.
@Suite("A transport stream that begins anywhere")
struct CutStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("enough frames are looked at to know how many are reordered", arguments: [20, 140])
  func reordering(leftOut: Int) throws {
    let path = folder.file("whole.ts")
    try ffmpeg(
      "-f", "lavfi", "-i", "testsrc=s=160x120:r=25", "-t", "6", "-c:v", "libx264", "-bf", "3",
      "-refs", "5", "-b_strategy", "0", "-x264-params",
      "b-pyramid=normal:keyint=50:min-keyint=50:scenecut=0:open-gop=1", path)
    var bytes = try readFile(path)
    #expect(withoutReordering(&bytes) == 3)
    let cut = try folder.write(bytes[(188 * leftOut)...], to: "cut.ts")
    let request = SourceRequest(input: cut)
    let demuxer = try Demuxer(request, input: .file(request))
    #expect(demuxer.video.pointee.codecpar.pointee.video_delay == 2)
    let read = try ReadSource(cut)
    #expect(read.report.predictedTimes == 0)
    #expect(zip(read.times, read.times.dropFirst()).allSatisfy { $1 - $0 == Rational(1, 25) })
  }

  /// Takes the number of reordered frames out of each sequence parameter set of x264; returns how many there are.
  private func withoutReordering(_ bytes: inout [UInt8]) -> Int {
    var count = 0
    for start in bytes.indices.dropLast(64) where bytes[start...].starts(with: [0, 0, 1, 0x67]) {
      // Bytes without those that keep start codes away, and where they are.
      var places: [Int] = []
      var place = start + 3
      while !bytes[place...].starts(with: [0, 0, 1]) {
        let isStuffed = bytes[place] == 3 && bytes[(place - 2)..<place].allSatisfy { $0 == 0 }
        if !isStuffed { places.append(place) }
        place += 1
      }
      var bits = places.flatMap { place in (0..<8).map { bytes[place] >> (7 - $0) & 1 } }
      // One tick, fifty ticks in a second, and four flags; then `bitstream_restriction_flag`.
      let timing = [1, 50].flatMap { number in (0..<32).map { UInt8(number >> (31 - $0) & 1) } }
      guard let found = bits.firstRange(of: timing) else { continue }
      let flag = found.upperBound + 4
      let rest = [UInt8](repeating: 0, count: bits.count - flag - 2)
      bits.replaceSubrange(flag..., with: [0, 1] + rest)
      for (index, place) in places.enumerated() {
        bytes[place] = bits[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 1 | $1 }
      }
      count += 1
    }
    return count
  }
}
