import Frames

/// The GLSL that keeps one field of a frame and computes the lines of the other.
///
/// It works on the codes as they are stored, plane by plane: in 4:2:0 too, each chroma line belongs to one field. A
/// missing line is the sum of two parts (the three-field filter of Martin Weston, BBC R&D): the low vertical frequencies
/// of the field itself, and the high ones of the fields just before and after, which have these lines. The sum may
/// differ from the mean of those two fields by the motion at that point at most, which is the largest change from the
/// frames before and after, or between lines; FFmpeg's yadif and bwdif set this bound too. So a still picture comes
/// back whole.
///
/// Where lines of the filters would lie beyond the edge, a missing line is the mean of its neighbours, within the same
/// bound. At the ends of a file, where the field just before or after is missing, the high frequencies are those of the other
/// field of its frame, and are left out where the lines around it change more than they differ. There a line may not leave
/// the codes of the lines that it is made of, nor that field by more than twice the largest change in the seven lines
/// around it.
///
/// Numbers are whole: every driver gives the same codes.
struct FieldKernel: Sendable {
  let format: FrameFormat
  /// Whether the field just before or after is missing.
  ///
  /// That is a kernel of its own, because a software driver takes both ways of a branch: the other one needs 25 % less time.
  let isAtEnd: Bool
  /// The most texels of one texel buffer.
  let maxTexels: Int

  /// Whether frames are in images, for a device whose texel buffers are too small: one texel after the other, in rows
  /// of `imageWidth`.
  var readsImages: Bool { layout.byteCount / Self.texel > maxTexels }

  /// Every device has images of this width and height.
  static let imageWidth = 4096
  /// Bytes that an invocation makes of a row: one texel with four words.
  private static let texel = 16
  /// Pairs of lines that an invocation makes, one below the other: it reads five lines for each, and thirteen more.
  private static let pairs = 8
  /// Lines 8 texels wide suit the software driver, which runs eight invocations at a time.
  private static let group = (width: 8, height: 8)

  /// The kinds of its bindings: this frame, those before and after, the two with the missing field just before and
  /// after, the result, and `Choice`.
  var bindings: [BindingKind] {
    Array(repeating: readsImages ? .sampledImage : .texelBuffer, count: 5)
      + [.storageBuffer, .uniformBuffer]
  }

  var layout: BufferLayout {
    BufferLayout(pixelFormat: format.pixelFormat, width: format.width, height: format.height)
  }

  /// Invocations for one frame: the texels of the longest row, and the strips of all planes.
  var invocations: (width: Int, height: Int) {
    let planes = format.pixelFormat.layout.planes.indices
    return (planes.map(texels).max() ?? 0, planes.map(strips).reduce(0, +))
  }

  private func texels(_ plane: Int) -> Int {
    let shape = format.pixelFormat.layout.planes[plane]
    return (shape.width(format.width) * shape.bytesPerTexel + Self.texel - 1) / Self.texel
  }

  private func strips(_ plane: Int) -> Int {
    (layout.planes[plane].rows + 2 * Self.pairs - 1) / (2 * Self.pairs)
  }

  var glsl: String {
    """
    #version 450
    #extension GL_EXT_samplerless_texture_functions : require
    #line 1 "kfrec"
    layout(local_size_x = \(Self.group.width), local_size_y = \(Self.group.height)) in;
    #define KF_FRAME \(readsImages ? "usampler2D" : "utextureBuffer")
    layout(set = 0, binding = 0) uniform KF_FRAME kf_this;
    layout(set = 0, binding = 1) uniform KF_FRAME kf_previous;
    layout(set = 0, binding = 2) uniform KF_FRAME kf_next;
    layout(set = 0, binding = 3) uniform KF_FRAME kf_before;
    layout(set = 0, binding = 4) uniform KF_FRAME kf_after;
    layout(set = 0, binding = 5, std430) writeonly buffer kf_Result { uint kf_words[]; };
    layout(set = 0, binding = 6, std140) uniform kf_Choice {
      // The first line of the field that stays; whether no other frame is beside it.
      int kf_kept;
      int kf_isAlone;
    };
    \(codes)
    \(line)
    \(main)
    """
  }

  /// GLSL for the codes in a word, and for the codes of a missing line.
  private var codes: String {
    let layout = format.pixelFormat.layout
    let isWide = layout.depth > 8
    let (type, parts) =
      isWide
      ? ("ivec2", "w & 0xFFFFu, w >> 16")
      : ("ivec4", "w & 0xFFu, w >> 8 & 0xFFu, w >> 16 & 0xFFu, w >> 24")
    let joined =
      isWide
      ? "uint(c.x | c.y << 16)" : "uint(c.x | c.y << 8 | c.z << 16 | c.w << 24)"
    // The weights' sum is 8192. Within the codes around it, a line does not overshoot beside sharp edges.
    let value =
      isAtEnd
      ? """
      mix(mixed, field, lessThanEqual(2 * steps, change));
        v = clamp(v, min(2 * min(min(up, down), min(up3, down3)), sum) << 12, \
      max(2 * max(max(up, down), max(up3, down3)), sum) << 12);
        // With a single frame, no motion can be detected.
        if (kf_isAlone != 0) v = field
      """ : "mix(mixed, field, lessThanEqual(steps, gap))"
    // The filter's weights in parts of 8192, as FFmpeg's vf_bwdif.c has them.
    return """
      #define KF_CODES \(type)
      KF_CODES kf_codes(uint w) { return KF_CODES(\(parts)); }
      uint kf_word(KF_CODES c) { return \(joined); }
      // The lines one and three above and below; of the fields before and after the sums and the difference; how many
      // lines of the missing field there are up to the nearer edge.
      KF_CODES kf_missing(
        KF_CODES up3, KF_CODES up, KF_CODES down, KF_CODES down3, KF_CODES change,
        KF_CODES sumUp4, KF_CODES sumUp2, KF_CODES sum, KF_CODES sumDown2, KF_CODES sumDown4, KF_CODES gap,
        int room
      ) {
        KF_CODES near = up + down, far = up3 + down3;
        KF_CODES field = 5077 * near - 981 * far;
        KF_CODES mixed = 4309 * near - 213 * far
          + ((5570 * sum - 3801 * (sumUp2 + sumDown2) + 1016 * (sumUp4 + sumDown4)) >> 2);
        KF_CODES steps = abs(up - down);
        KF_CODES v = \(value);
        if (room < 2) v = 4096 * near;
        if (kf_isAlone == 0) {
          // Twice the codes, as sums are.
          KF_CODES fromUp = sum - 2 * up, fromDown = sum - 2 * down;
          KF_CODES above = sumUp2 - 2 * up, below = sumDown2 - 2 * down;
          KF_CODES high = max(max(fromUp, fromDown), min(above, below));
          KF_CODES low = min(min(fromUp, fromDown), max(above, below));
          KF_CODES moved = max(gap, change), reach = moved;
          \(isAtEnd ? "reach = 2 * moved;" : "if (room > 0) reach = max(reach, max(low, -high));")
          // Nothing moves here: less than a code.
          reach = mix(reach, KF_CODES(0), lessThan(moved, KF_CODES(\(2 << layout.shift))));
          v = clamp(v, (sum - reach) << 12, (sum + reach) << 12);
        }
        v = ((v + \(4096 << layout.shift)) >> \(13 + layout.shift)) << \(layout.shift);
        return clamp(v, KF_CODES(0), KF_CODES(\(layout.maximumCode << layout.shift)));
      }
      """
  }

  /// GLSL for the line that stands for one beyond the edge: the mirrored one of the same field.
  private var line: String {
    """
    int kf_line(int y, int rows) {
      int mirrored = y < 0 ? -y : y < rows ? y : 2 * (rows - 1) - y;
      return mirrored < 0 ? min(y & 1, rows - 1) : mirrored;
    }
    """
  }

  private var main: String {
    var first = 0
    let choices = layout.planes.indices.map { plane in
      let place = layout.planes[plane]
      defer { first += strips(plane) }
      return """
        if (at.y >= \(first)) {
            base = \(place.offset / Self.texel); stride = \(place.stride / Self.texel);
            texels = \(texels(plane)); rows = \(place.rows); strip = at.y - \(first);
          }
        """
    }
    let lanes = ["x", "y", "z", "w"]
    let words = lanes.enumerated().map { index, lane in
      let change =
        isAtEnd
        ? "2 * moved[\(index)]"
        : "max(abs(kf_codes(p0.\(lane)) - up) + abs(kf_codes(p1.\(lane)) - down), abs(kf_codes(n0.\(lane)) - up) + abs(kf_codes(n1.\(lane)) - down))"
      return """
        {
              KF_CODES up = kf_codes(t1.\(lane)), down = kf_codes(t2.\(lane));
              KF_CODES b = kf_codes(b2.\(lane)), a = kf_codes(a2.\(lane));
              made.\(lane) = kf_word(kf_missing(
                kf_codes(t0.\(lane)), up, down, kf_codes(t3.\(lane)), \(change),
                kf_codes(b0.\(lane)) + kf_codes(a0.\(lane)), kf_codes(b1.\(lane)) + kf_codes(a1.\(lane)), b + a,
                kf_codes(b3.\(lane)) + kf_codes(a3.\(lane)), kf_codes(b4.\(lane)) + kf_codes(a4.\(lane)), abs(b - a), room));
            }
        """
    }
    let changes = lanes.enumerated().map { index, lane in
      """
      moved[\(index)] = max(moved[\(index)], max(abs(kf_codes(p.\(lane)) - kf_codes(t.\(lane))), \
      abs(kf_codes(n.\(lane)) - kf_codes(t.\(lane)))));
      """
    }
    let motion =
      isAtEnd
      ? """
      KF_CODES moved[4] = KF_CODES[](KF_CODES(0), KF_CODES(0), KF_CODES(0), KF_CODES(0));
            for (int row = m - 3; row <= m + 3; row++) {
              uvec4 t = KF_READ(kf_this, row), p = KF_READ(kf_previous, row), n = KF_READ(kf_next, row);
              \(changes.joined(separator: "\n        "))
            }
      """ : ""
    func store(_ value: String, _ row: String) -> String {
      let index = "4 * (base + (\(row)) * stride + at.x)"
      let stores = lanes.enumerated().map { "kf_words[i + \($0)] = \(value).\($1);" }
      return "{ int i = \(index); \(stores.joined(separator: " ")) }"
    }
    let place =
      readsImages ? "ivec2((i) % \(Self.imageWidth), (i) / \(Self.imageWidth)), 0" : "i"
    return """
      #define KF_FETCH(s, i) texelFetch(s, \(place))
      #define KF_READ(s, row) KF_FETCH(s, base + kf_line(row, rows) * stride + at.x)
      void main() {
        ivec2 at = ivec2(gl_GlobalInvocationID.xy);
        int base = 0, stride = 0, texels = 0, rows = 0, strip = 0;
        \(choices.joined(separator: "\n  "))
        if (at.x >= texels || 2 * \(Self.pairs) * strip >= rows) return;
        int m = 2 * \(Self.pairs) * strip + 1 - kf_kept;
        uvec4 t0 = KF_READ(kf_this, m - 3), t1 = KF_READ(kf_this, m - 1), t2 = KF_READ(kf_this, m + 1);
        uvec4 b0 = KF_READ(kf_before, m - 4), b1 = KF_READ(kf_before, m - 2);
        uvec4 b2 = KF_READ(kf_before, m), b3 = KF_READ(kf_before, m + 2);
        uvec4 a0 = KF_READ(kf_after, m - 4), a1 = KF_READ(kf_after, m - 2);
        uvec4 a2 = KF_READ(kf_after, m), a3 = KF_READ(kf_after, m + 2);
        uvec4 p0 = KF_READ(kf_previous, m - 1), n0 = KF_READ(kf_next, m - 1);
        for (int pair = 0; pair < \(Self.pairs); pair++) {
          int kept = kf_kept == 0 ? m - 1 : m + 1;
          if (min(kept, m) >= rows) return;
          uvec4 t3 = KF_READ(kf_this, m + 3), b4 = KF_READ(kf_before, m + 4), a4 = KF_READ(kf_after, m + 4);
          uvec4 p1 = KF_READ(kf_previous, m + 1), n1 = KF_READ(kf_next, m + 1);
          if (kept < rows) \(store("(kf_kept == 0 ? t1 : t2)", "kept"))
          if (m < rows) {
            int room = min(m / 2, (rows - 1 - m) / 2);
            \(motion)
            uvec4 made;
            \(words.joined(separator: "\n      "))
            \(store("made", "m"))
          }
          t0 = t1; t1 = t2; t2 = t3;
          b0 = b1; b1 = b2; b2 = b3; b3 = b4;
          a0 = a1; a1 = a2; a2 = a3; a3 = a4;
          p0 = p1; n0 = n1;
          m += 2;
        }
      }

      """
  }
}
