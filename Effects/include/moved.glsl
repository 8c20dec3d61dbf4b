// Shows the frame as it was before it moved, and larger.
#ifndef MOVED_GLSL
#define MOVED_GLSL
#include "reflect.glsl"

// off is how far the frame is from its place: the shift in pixels, the zoom, and the turn in radians.
vec4 movedBack(vec4 off, float larger) {
  vec2 place = (vec2(PIXEL) + 0.5 - 0.5 * RENDERSIZE) / (1.0 + larger);
  float size = 1.0 + off.z;
  place = mat2(size, off.w, -off.w, size) * place + off.xy;
  place = reflected(place / RENDERSIZE + 0.5) * RENDERSIZE - 0.5;
  // A cubic curve between pixels keeps the picture as sharp between them as on them.
  ivec2 corner = ivec2(floor(place));
  vec2 f = place - floor(place);
  vec2 weights[4] = vec2[4](f * (-0.5 + f * (1.0 - 0.5 * f)), 1.0 + f * f * (1.5 * f - 2.5),
    f * (0.5 + f * (2.0 - 1.5 * f)), f * f * (0.5 * f - 0.5));
  vec4 sum = vec4(0.0);
  for (int y = 0; y < 4; y++) {
    vec4 line = vec4(0.0);
    for (int x = 0; x < 4; x++) {
      vec4 color = framePixel(corner + ivec2(x, y) - 1);
      line += weights[x].x * vec4(color.rgb * color.a, color.a);
    }
    sum += weights[y].y * line;
  }
  return clamp(vec4(sum.rgb / max(sum.a, 1e-6), sum.a), 0.0, 1.0);
}

#endif
