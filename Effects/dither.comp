/*{
  "DESCRIPTION": "Large pixels in a few colours, mixed with a pattern of dots as on old computers and consoles.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro", "Stylize"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strongly the pattern mixes colours; 0 takes the nearest colour everywhere"},
    {"NAME": "palette", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["ink", "handheld", "cga", "sixteen", "levels", "grey"],
      "DESCRIPTION": "dark and light, four greens, black, cyan, magenta and white, 16 colours, or levels of each colour or grey"},
    {"NAME": "pattern", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["bayer", "noise"],
      "DESCRIPTION": "A regular pattern, or one without order whose dots keep apart"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.00556, "MIN": 0.001, "MAX": 0.1,
      "DESCRIPTION": "Size of a pixel, as a part of the frame's shorter side"},
    {"NAME": "levels", "TYPE": "long", "DEFAULT": 3, "MIN": 2, "MAX": 16,
      "DESCRIPTION": "How many levels there are with palette=levels and palette=grey"},
    {"NAME": "dark", "TYPE": "color", "DEFAULT": [0.05, 0.05, 0.08, 1],
      "DESCRIPTION": "The dark colour of palette=ink; its alpha is not used"},
    {"NAME": "light", "TYPE": "color", "DEFAULT": [0.98, 0.97, 0.92, 1],
      "DESCRIPTION": "The light colour of palette=ink; its alpha is not used"}
  ],
  "PASSES": [
    {"TARGET": "cells", "WIDTH": "clamp(ceil(WIDTH / max(0.5, size * SIDE)), 1, 8192)",
      "HEIGHT": "clamp(ceil(HEIGHT / max(0.5, size * SIDE)), 1, 8192)", "DESCRIPTION": "One pixel for each large one"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "exact", "VALUE": "max(0.5, size * SIDE)"},
    {"NAME": "cell", "VALUE": "abs(exact - round(exact)) < 0.03 * exact ? round(exact) : exact"},
    {"NAME": "top", "VALUE": "levels - 1"}
  ]
}*/

#include "luma.glsl"

const vec3 GREENS[4] = vec3[4](
  vec3(0.06, 0.2, 0.09), vec3(0.19, 0.38, 0.2), vec3(0.52, 0.66, 0.13), vec3(0.8, 0.86, 0.44));
const vec3 CGA[4] = vec3[4](vec3(0.0), vec3(0.33, 1.0, 1.0), vec3(1.0, 0.33, 1.0), vec3(1.0));
const vec3 SIXTEEN[16] = vec3[16](
  vec3(0.04, 0.04, 0.07), vec3(0.13, 0.19, 0.4), vec3(0.42, 0.14, 0.34), vec3(0.08, 0.42, 0.28),
  vec3(0.56, 0.33, 0.2), vec3(0.35, 0.34, 0.37), vec3(0.71, 0.71, 0.73), vec3(1.0, 0.97, 0.92),
  vec3(0.86, 0.14, 0.2), vec3(1.0, 0.52, 0.12), vec3(1.0, 0.87, 0.28), vec3(0.36, 0.75, 0.22),
  vec3(0.26, 0.6, 0.93), vec3(0.5, 0.47, 0.66), vec3(0.94, 0.55, 0.66), vec3(0.96, 0.77, 0.62));

// 64 different values in each square of 8, neighbours far apart: the bits of the place, the finest first.
float bayer(ivec2 p) {
  int value = 0;
  for (int i = 0; i < 3; i++) value = value * 4 + 2 * ((p.x ^ p.y) >> i & 1) + (p.y >> i & 1);
  return (float(value) + 0.5) / 64.0;
}

// Steps of the plastic number in both directions: neighbours are far apart. A little chance breaks their lines.
float apart(ivec2 p) {
  float value = float((uint(p.x) * 3242174889u + uint(p.y) * 2447445414u) >> 8) / 16777216.0;
  value = fract(value + 0.3 * hash(p));
  return 1.0 - abs(2.0 * value - 1.0);
}

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 16; i++) {
    vec4 color = framePixel(ivec2((vec2(PIXEL) + (vec2(i & 3, i >> 2) + 0.5) * 0.25) * cell));
    sum += vec4(color.rgb * color.a, color.a);
  }
  vec3 code = sum.rgb / max(sum.a, 1e-6);
  float threshold = 0.5 + amount * ((pattern == 0 ? bayer(PIXEL & 7) : apart(PIXEL)) - 0.5);
  float tone = luma(code);
  if (palette == 0) return vec4(tone + threshold > 1.0 ? light.rgb : dark.rgb, 1.0);
  if (palette == 1) return vec4(GREENS[int(clamp(tone * 3.0 + threshold, 0.0, 3.0))], 1.0);
  if (palette >= 4) {
    code = palette == 4 ? code : vec3(tone);
    return vec4(min(floor(code * top + threshold), vec3(top)) / top, 1.0);
  }
  // The nearest colour, where the pattern has moved the picture's colour about as far as colours lie apart.
  code += (threshold - 0.5) * (palette == 2 ? 0.75 : 0.33);
  vec3 nearest = vec3(0.0);
  float least = 1e9;
  for (int i = 0; i < (palette == 2 ? 4 : 16); i++) {
    vec3 color = palette == 2 ? CGA[i & 3] : SIXTEEN[i];
    vec3 away = color - code;
    float distance = dot(away * away, vec3(0.3, 0.5, 0.2));
    if (distance < least) nearest = color;
    least = min(distance, least);
  }
  return vec4(nearest, 1.0);
#else
  // Large pixels have an edge of a pixel, wherever it lies.
  vec2 place = (vec2(PIXEL) + 0.5) / cell - 0.5;
  ivec2 corner = ivec2(floor(place));
  vec2 w = clamp((place - vec2(corner) - 0.5) * cell + 0.5, 0.0, 1.0);
  ivec2 last = ivec2(ceil(RENDERSIZE / cell)) - 1;
  vec3 code = vec3(0.0);
  for (int i = 0; i < 4; i++) {
    ivec2 offset = ivec2(i & 1, i >> 1);
    vec2 near = mix(1.0 - w, w, vec2(offset));
    code += cellsPixel(clamp(corner + offset, ivec2(0), last)).rgb * near.x * near.y;
  }
  return vec4(code, framePixel().a);
#endif
}
