// Smaller pictures of a picture, for blurs: each of their pixels is the mean of a cell, a square of the frame's pixels.
#ifndef CELLS_GLSL
#define CELLS_GLSL
#include "gather.glsl"
#include "cellMean.glsl"
#include "curve.glsl"

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
