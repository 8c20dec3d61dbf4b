// For means of pixels: light that adds up, weighted with alpha so that what cannot be seen gives no
// colour to what can.
#ifndef GATHER_GLSL
#define GATHER_GLSL
#include "light.glsl"

vec4 gathered(ivec2 p) {
  vec4 color = framePixel(p);
  return vec4(toLight(color.rgb) * color.a, color.a);
}

// The colour of a mean of what `gathered` gives.
vec4 colorOf(vec4 mean) { return vec4(toCode(mean.rgb / max(mean.a, 1e-6)), mean.a); }

// The same without the weight if only one pixel is read, so that it stays as it is, also where it cannot be seen.
vec4 gathered(ivec2 p, bool isAlone) {
  vec4 color = framePixel(p);
  return vec4(toLight(color.rgb) * (isAlone ? 1.0 : color.a), color.a);
}

vec4 colorOf(vec4 mean, bool isAlone) {
  return vec4(toCode(mean.rgb / (isAlone ? 1.0 : max(mean.a, 1e-6))), mean.a);
}

#endif
