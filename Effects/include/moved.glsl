// Shows the frame as it was before it moved, and larger. The last two passes are these: {"TARGET": "along", "HALF": true},
// which returns movedAlong(), and the output, which returns movedDown().
//
// Each of them moves pixels in one direction only, along rows and then along columns, which together is any shift, turn
// and zoom: a pass reads 4 pixels, where one pass for both directions would read 16. A cubic curve between pixels keeps
// the picture as sharp between them as on them. off is how far the frame is from its place: the shift in pixels, the
// zoom, and the turn in radians.
#ifndef MOVED_GLSL
#define MOVED_GLSL
#include "reflect.glsl"

vec4 cubicWeights(float f) {
  return vec4(f * (-0.5 + f * (1.0 - 0.5 * f)), 1.0 + f * f * (1.5 * f - 2.5), f * (0.5 + f * (2.0 - 1.5 * f)),
    f * f * (0.5 * f - 0.5));
}

// A place from the middle, as a pixel's place from the first one, mirrored at the edges.
float onFrame(float place, float size) { return reflected(vec2(place / size + 0.5)).x * size - 0.5; }

vec4 framePart(ivec2 p) {
  vec4 color = framePixel(p);
  return vec4(color.rgb * color.a, color.a);
}

// What will be in this column, in the row that it has now.
vec4 movedAlong(vec4 off, float larger) {
  vec2 here = vec2(PIXEL) + 0.5 - 0.5 * RENDERSIZE;
  float column = here.x / (1.0 + larger);
  float size = 1.0 + off.z;
  float place = onFrame(size * column + off.x - off.w * (here.y - off.y - off.w * column) / size, RENDERSIZE.x);
  ivec2 p = ivec2(int(floor(place)), PIXEL.y);
  vec4 weights = cubicWeights(place - floor(place));
  return weights.x * framePart(p - ivec2(1, 0)) + weights.y * framePart(p) + weights.z * framePart(p + ivec2(1, 0))
    + weights.w * framePart(p + ivec2(2, 0));
}

vec4 movedDown(vec4 off, float larger) {
  vec2 here = (vec2(PIXEL) + 0.5 - 0.5 * RENDERSIZE) / (1.0 + larger);
  float place = onFrame((1.0 + off.z) * here.y + off.w * here.x + off.y, RENDERSIZE.y);
  ivec2 p = ivec2(PIXEL.x, int(floor(place)));
  vec4 weights = cubicWeights(place - floor(place));
  vec4 sum = weights.x * alongPixel(p - ivec2(0, 1)) + weights.y * alongPixel(p) + weights.z * alongPixel(p + ivec2(0, 1))
    + weights.w * alongPixel(p + ivec2(0, 2));
  return vec4(sum.rgb / max(sum.a, 1e-6), sum.a);
}

#endif
