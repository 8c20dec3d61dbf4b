// Smaller pictures of a picture, for blurs: each of their pixels is the mean of a cell, a square of the frame's pixels.
#ifndef CELLS_GLSL
#define CELLS_GLSL
#include "gather.glsl"

// Adds to `sum` the mean of a cell of `cell` pixels a side, read with the function `pixel`. Cells overlap their
// neighbours by `overlap` - 1 pixels, an even number, with slopes at both ends, so that every pixel counts once in all:
// cells that only touch make a small light jump from cell to cell as it moves. The variance of the weights is
// (cell^2 + overlap^2 - 2) / 12, each way. An overlap of 0 adds nothing, and costs nothing.
#define ADD_CELL(sum, pixel, p, cell, overlap) \
  { \
    ivec2 corner = (p) * (cell) - (overlap) / 2; \
    int side = (overlap) > 0 ? (cell) + (overlap) - 1 : 0; \
    float most = float(min(cell, overlap)); \
    float share = 1.0 / max(float((cell) * (overlap)), 1.0); \
    for (int y = 0; y < side; y++) { \
      vec4 row = vec4(0.0); \
      for (int x = 0; x < side; x++) row += min(float(min(x + 1, side - x)), most) * pixel(corner + ivec2(x, y)); \
      sum += share * share * min(float(min(y + 1, side - y)), most) * row; \
    } \
  }

// The weights of three pixels in one direction on the smooth curve (a quadratic B-spline) through their neighbourhood,
// `away` from the middle one. It blurs with a variance of a quarter of a pixel, everywhere the same.
vec3 curveWeights(float away) {
  return vec3(0.5 * (0.5 - away) * (0.5 - away), 0.75 - away * away, 0.5 * (0.5 + away) * (0.5 + away));
}

// A picture, given by the function that reads its pixels, at a place in its pixels from its corner.
// `part` = 0 gives the nearest pixel instead.
#define CURVED(pixel, place, part) \
  curved(vec4[9](pixel(ivec2(floor(place)) + ivec2(-1, -1)), pixel(ivec2(floor(place)) + ivec2(0, -1)), \
    pixel(ivec2(floor(place)) + ivec2(1, -1)), pixel(ivec2(floor(place)) + ivec2(-1, 0)), \
    pixel(ivec2(floor(place))), pixel(ivec2(floor(place)) + ivec2(1, 0)), \
    pixel(ivec2(floor(place)) + ivec2(-1, 1)), pixel(ivec2(floor(place)) + ivec2(0, 1)), \
    pixel(ivec2(floor(place)) + ivec2(1, 1))), fract(place) - 0.5, part)

vec4 curved(vec4 near[9], vec2 away, float part) {
  vec3 x = mix(vec3(0.0, 1.0, 0.0), curveWeights(away.x), part);
  vec3 y = mix(vec3(0.0, 1.0, 0.0), curveWeights(away.y), part);
  return y.x * (x.x * near[0] + x.y * near[1] + x.z * near[2])
    + y.y * (x.x * near[3] + x.y * near[4] + x.z * near[5])
    + y.z * (x.x * near[6] + x.y * near[7] + x.z * near[8]);
}

#endif
