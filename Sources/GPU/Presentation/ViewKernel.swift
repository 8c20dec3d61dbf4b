import Frames

/// The numbers that the kernel of a window reads, in the order of `ViewKernel.block`.
struct ViewNumbers {
  /// Position and size of the picture in the window, in pixels.
  var place: SIMD4<Float>
  /// The part of the frame that is shown, in its pixels.
  var part: SIMD4<Float>
  /// Position and size of the panel; its width is 0 if there is none.
  var panel: SIMD4<Int32>
  /// Size of the window, and the column from which the finished frame is shown.
  var window: SIMD4<Int32>
  /// Position and size of the line of a player's progress; its width is 0 if there is none.
  var line: SIMD4<Int32>
  /// The columns at which the line ends that was played, and at which the stretch begins and ends that repeats.
  var marks: SIMD4<Int32>

  init(
    format: FrameFormat, window: (width: Int, height: Int), view: WindowView, panel: WindowPanel?
  ) {
    let geometry = FrameGeometry(
      source: format, size: (window.width, window.height), scale: view.scale)
    place = SIMD4(
      Float(geometry.x), Float(geometry.y), Float(geometry.width), Float(geometry.height))
    part = SIMD4(
      Float(geometry.sourceX), Float(geometry.sourceY), Float(geometry.sourceWidth),
      Float(geometry.sourceHeight))
    self.panel =
      panel.map { SIMD4(Int32($0.x), Int32($0.y), Int32($0.width), Int32($0.height)) }
      ?? SIMD4(repeating: 0)
    let split = view.split.map { geometry.x + Int(Double(geometry.width) * $0) } ?? 0
    self.window = SIMD4(Int32(window.width), Int32(window.height), Int32(split), 0)
    let line = WindowProgress.line(in: window)
    func column(_ share: Double) -> Int32 { Int32(line.x + Int(Double(line.width) * share)) }
    self.line =
      view.progress == nil
      ? SIMD4(repeating: 0)
      : SIMD4(Int32(line.x), Int32(line.y), Int32(line.width), Int32(line.height))
    let stretch = view.progress?.stretch
    marks = SIMD4(
      column(view.progress?.place ?? 0), stretch.map { column($0.lowerBound) } ?? 0,
      stretch.map { column($0.upperBound) } ?? 0, 0)
  }
}

/// The kernel that makes a window's pixels: scales the picture, puts bars around it and the panel over it.
enum ViewKernel {
  /// A frame's own pixel stays the same code if the picture is not scaled.
  static func source(
    picture: Texture, before: Texture, numbers: Buffer, panel: Buffer, into target: Texture
  ) -> KernelSource {
    KernelSource(
      reader: picture.reader, writer: target.writer,
      work: [
        before.shape.reading("kf_before", from: .always(before.resource)),
        KernelFragment(
          glsl(picture: picture, before: before), name: "window",
          resources: [
            KernelResource(
              .uniformBuffer, block, qualifier: "std140", bound: .always(.buffer(numbers))),
            KernelResource(
              .storageBuffer, "readonly buffer Panel { uint kf_panelPixels[]; }",
              qualifier: "std430", bound: .always(.buffer(panel))),
          ]),
      ])
  }

  private static let block = """
    uniform View {
      vec4 kf_place;
      vec4 kf_part;
      ivec4 kf_panel;
      ivec4 kf_window;
      ivec4 kf_line;
      ivec4 kf_marks;
    }
    """

  private static func glsl(picture: Texture, before: Texture) -> String {
    """
    vec4 kf_shown(bool isBefore, ivec2 p) {
      vec4 color;
      if (isBefore) {
        color = kf_before(
          0, clamp(p, ivec2(0), ivec2(\(before.width - 1), \(before.height - 1))));
      } else {
        color = kf_read(clamp(p, ivec2(0), ivec2(\(picture.width - 1), \(picture.height - 1))));
      }
      return vec4(clamp(color.rgb, 0.0, 1.0) * clamp(color.a, 0.0, 1.0), 1.0);
    }
    vec4 kf_scaled(bool isBefore, vec2 at) {
      // The frame before the effects may have another size.
      if (isBefore) {
        at *= vec2(\(before.width), \(before.height)) / vec2(\(picture.width), \(picture.height));
      }
      at -= 0.5;
      vec2 first = floor(at);
      vec2 share = at - first;
      ivec2 p = ivec2(first);
      vec4 near = kf_shown(isBefore, p);
      if (share == vec2(0.0)) return near;
      vec4 top = mix(near, kf_shown(isBefore, p + ivec2(1, 0)), share.x);
      vec4 bottom = mix(
        kf_shown(isBefore, p + ivec2(0, 1)), kf_shown(isBefore, p + ivec2(1, 1)), share.x);
      return mix(top, bottom, share.y);
    }
    vec4 kf_color(ivec2 p) {
      vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
      if (any(greaterThanEqual(p, kf_window.xy))) return color;
      vec2 inside = vec2(p) + 0.5 - kf_place.xy;
      if (all(greaterThan(inside, vec2(0.0))) && all(lessThan(inside, kf_place.zw))) {
        color = kf_scaled(p.x < kf_window.z, kf_part.xy + inside * (kf_part.zw / kf_place.zw));
        if (kf_window.z > 0 && p.x == kf_window.z) color = vec4(1.0);
      }
      ivec2 onLine = p - kf_line.xy;
      if (all(greaterThanEqual(onLine, ivec2(0))) && all(lessThan(onLine, kf_line.zw))) {
        color.rgb = mix(color.rgb, vec3(p.x < kf_marks.x ? 1.0 : 0.25), 0.8);
        if (p.x >= kf_marks.y && p.x < kf_marks.z) color.rgb *= vec3(0.5, 0.8, 1.0);
      }
      ivec2 onPanel = p - kf_panel.xy;
      if (all(greaterThanEqual(onPanel, ivec2(0))) && all(lessThan(onPanel, kf_panel.zw))) {
        vec4 mark = unpackUnorm4x8(kf_panelPixels[onPanel.y * kf_panel.z + onPanel.x]);
        color.rgb = color.rgb * (1.0 - mark.a) + mark.rgb;
      }
      return color;
    }
    """
  }
}
