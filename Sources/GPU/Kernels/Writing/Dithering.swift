/// Rounds colours to codes so that areas between two codes show a fine pattern of both, instead of a band.
///
/// Any value between two codes becomes a mix of both whose mean is that value, and a value within a 128th of a code becomes that
/// code. The pattern is the same in every frame: a table of 8x8 thresholds (Bayer 1973), each a 64th apart. It needs no
/// memory, gives the same codes on every device, and what stands still costs an encoder nothing.
enum Dithering {
  /// GLSL for `float kf_spread(int x, int y)`, what is added to a value before it is rounded.
  ///
  /// The bits of x XOR y and of y, interleaved from the lowest one on, are the place of the threshold.
  static let glsl = """
    float kf_spread(int x, int y) {
      int a = x ^ y;
      int place = (a & 1) << 5 | (y & 1) << 4 | (a & 2) << 2 | (y & 2) << 1 | (a & 4) >> 1 | (y & 4) >> 2;
      return (float(place) - 31.5) / 64.0;
    }
    """
}
