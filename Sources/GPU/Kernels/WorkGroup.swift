/// The invocations of a work group.
struct WorkGroup: Sendable, Equatable {
  let width: Int
  let height: Int

  /// The most invocations that every device takes (Vulkan's table "Required Limits").
  static let most = 128

  /// For GPUs, whose caches suit squares.
  static let square = WorkGroup(width: 16, height: 8)

  /// A part of a row, for the software driver: long rows suit the prefetching of a CPU.
  ///
  /// It runs eight invocations at a time, or sixteen, also those beyond the end of a row: the width divides
  /// the row with the fewest of these. Measured at 1280x720 with pixels that are not in the cache: a kernel that writes
  /// planes takes 2.7 core-milliseconds with the whole row and 4.9 with 16x16. Kernels that write textures gain nothing.
  static func row(of invocations: Int) -> WorkGroup {
    let lanes = 16
    func covered(_ width: Int) -> Int { (invocations + width - 1) / width * width }
    let widths = stride(from: most, through: 64, by: -lanes)
    let best = widths.min { covered($0) < covered($1) }
    return WorkGroup(width: min(best ?? lanes, covered(lanes)), height: 1)
  }
}
