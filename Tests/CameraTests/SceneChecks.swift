import Frames
import TestSupport
import Testing

extension Scene {
  /// Expects the driver's colour bars in the image, each colour within 3/255.
  func expectBars(
    isGray: Bool = false, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(status == 0, "\(self)", sourceLocation: location)
    let (width, height, bytes) = try picture()
    for (number, bar) in Machine.bars.map({ $0.map(Int.init) }).enumerated() {
      // All columns of a bar except its edges, where chroma is shared.
      let columns = (width * number / 8 + 4)..<(width * (number + 1) / 8 - 4)
      // The driver makes gray by BT.709, whatever its colour tags are.
      let luma = (2126 * bar[0] + 7152 * bar[1] + 722 * bar[2]) / 10000
      var worst = 0
      for y in 0..<height {
        for x in columns {
          for part in 0..<3 {
            let value = Int(bytes[(y * width + x) * 3 + part])
            worst = max(worst, abs(value - (isGray ? luma : bar[part])))
          }
        }
      }
      #expect(worst <= 3, "\(name), bar \(number)", sourceLocation: location)
    }
  }

  /// Returns the timestamps of the driver's buffers in strace's output, in seconds.
  func driverStamps() throws -> [Rational] {
    // "... VIDIOC_DQBUF, {... timestamp={tv_sec=12, tv_usec=345678} ...}) = 0"
    try Machine.text(name + ".trace").split(separator: "\n")
      .filter { $0.contains("VIDIOC_DQBUF, {") && $0.hasSuffix(" = 0") }
      .map { line in
        func number(after mark: String) throws -> Int64 {
          let parts = line.split(separator: mark, maxSplits: 1)
          try #require(parts.count == 2, "\(line)")
          return try #require(Int64(parts[1].prefix { $0.isNumber }))
        }
        return Rational(
          try number(after: "tv_sec=") * 1_000_000 + number(after: "tv_usec="), 1_000_000)
      }
  }

  /// Expects that every frame of the video file has a timestamp of the driver, to 1/90000 of a second.
  ///
  /// - Returns: The timestamps of the frames that were recorded or dropped, in seconds.
  @discardableResult
  func expectTimesOfDriver(_ location: SourceLocation = #_sourceLocation) throws -> [Rational] {
    let end = try end
    // Earlier timestamps belong to frames from before the recording began.
    let recorded = try driverStamps().suffix(try #require(end.framesIn))
    let first = try #require(recorded.first)
    let times = try times()
    #expect(times.count == end.framesOut && times.count > 1, sourceLocation: location)
    let offsets = recorded.map { $0 - first }
    for time in times {
      #expect(
        offsets.contains { max($0 - time, time - $0) <= Rational(1, 90_000) },
        "\(time) is no stamp of the driver", sourceLocation: location)
    }
    #expect(times.first == .zero, sourceLocation: location)
    if end.dropped == 0 { #expect(times.count == offsets.count, sourceLocation: location) }
    return Array(recorded)
  }

  /// Returns the longest time between two successive frames of the video file, in seconds.
  func longestGap() throws -> Rational {
    let times = try times()
    return try #require(zip(times, times.dropFirst()).map { $1 - $0 }.max(), "\(self)")
  }
}
