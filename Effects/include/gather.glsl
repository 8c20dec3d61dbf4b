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

#endif
