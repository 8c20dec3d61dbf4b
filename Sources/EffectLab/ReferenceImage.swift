extension RGBAImage {
  /// Returns an image that a flip, a shift, a change of range or a swap of channels would change.
  ///
  /// It has colour patches that all differ, one of them translucent, ramps, and single bright pixels at
  /// all edges and corners.
  package static func reference(width: Int, height: Int) -> RGBAImage {
    RGBAImage(width: width, height: height) { x, y in
      let isCorner = (x == 0 || x == width - 1) && (y == 0 || y == height - 1)
      if isCorner {
        return x == 0
          ? (y == 0 ? (255, 255, 255, 255) : (255, 0, 0, 255))
          : (y == 0 ? (0, 255, 0, 255) : (0, 0, 255, 255))
      }
      if y == 0 || y == height - 1 { return x % 5 == 2 ? (255, 200, 0, 255) : (10, 20, 30, 255) }
      if x == 0 || x == width - 1 { return y % 7 == 3 ? (0, 200, 255, 255) : (30, 20, 10, 255) }
      if y < height / 3 {
        let patch = x * 6 / width
        return [
          (191, 30, 20, 255), (20, 180, 40, 255), (25, 50, 200, 255), (230, 220, 30, 255),
          (235, 235, 235, 255), (16, 16, 16, 100),
        ][patch]
      }
      let ramp = UInt8(x * 255 / max(width - 1, 1))
      let rise = UInt8(y * 255 / max(height - 1, 1))
      return y < height * 2 / 3 ? (ramp, rise, 255 - ramp, 255) : (rise, ramp / 2, ramp, 255)
    }
  }

  /// Returns the reference image with a bright square that moves right and a dark square that moves up,
  /// two pixels per step.
  package static func moving(width: Int, height: Int, step: Int) -> RGBAImage {
    let reference = reference(width: width, height: height)
    return RGBAImage(width: width, height: height) { x, y in
      let (across, down) = (x - width * 2 / 3 - 2 * step, y - height / 3 + 2 * step)
      if (0..<9).contains(across) && (0..<9).contains(y - height / 2) { return (255, 240, 90, 255) }
      if (0..<7).contains(x - width / 5) && (0..<7).contains(down) { return (5, 10, 20, 255) }
      let parts = reference.parts(x: x, y: y)
      return (parts[0], parts[1], parts[2], parts[3])
    }
  }
}
