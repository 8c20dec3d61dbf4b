/*{
  "DESCRIPTION": "Builds the image from letters and signs, as on a terminal.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Text", "Stylize", "Retro"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.0222, "MIN": 0.01, "MAX": 0.2,
      "DESCRIPTION": "Height of a line of text, as a part of the frame's shorter side"},
    {"NAME": "colors", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["picture", "ink"],
      "DESCRIPTION": "picture gives each sign the colour of the pixels that it replaces, ink draws all signs in one colour"},
    {"NAME": "ink", "TYPE": "color", "DEFAULT": [0.45, 1, 0.55, 1],
      "DESCRIPTION": "The colour of all signs with colors=ink; its alpha is not used"},
    {"NAME": "ground", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the colour shows behind a sign, at least"},
    {"NAME": "keep", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the ground becomes brighter where signs alone would be darker than the image"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 1, "MIN": 0.5, "MAX": 3,
      "DESCRIPTION": "Contrast of the choice of signs"}
  ],
  "PASSES": [
    {"TARGET": "cells", "WIDTH": "clamp(ceil(WIDTH / (0.7 * size * SIDE)) + 1, 1, 8192)",
      "HEIGHT": "clamp(ceil(HEIGHT / (0.93 * size * SIDE)) + 1, 1, 8192)", "DESCRIPTION": "The mean colour of each cell"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "exact", "VALUE": "max(1, size * SIDE)"},
    {"NAME": "even", "VALUE": "round(exact / 8) * 8"},
    {"NAME": "cellHeight", "VALUE": "abs(exact - even) < 0.05 * exact ? even : exact"},
    {"NAME": "cellWidth", "VALUE": "cellHeight * 0.75"},
    {"NAME": "dotPixels", "VALUE": "cellHeight / 8"},
    {"NAME": "clear", "VALUE": "smoothstep(0.15, 0.5, dotPixels)"}
  ]
}*/

#include "light.glsl"
#include "luma.glsl"

#if PASSINDEX == 1
// A sign is 5 x 6 dots, its rows from the top as numbers of 5 bits, in a cell of 6 x 8.
#define SIGN(a, b, c, d, e, f) \
  (uint(a) << 25 | uint(b) << 20 | uint(c) << 15 | uint(d) << 10 | uint(e) << 5 | uint(f))

// From none to the most dots.
const uint SIGNS[16] = uint[16](
  SIGN(0, 0, 0, 0, 0, 0),
  SIGN(0, 0, 0, 0, 0, 4),        // .
  SIGN(0, 4, 0, 0, 4, 0),        // :
  SIGN(0, 0, 14, 0, 0, 0),       // -
  SIGN(4, 4, 4, 4, 0, 4),        // !
  SIGN(0, 0, 17, 10, 10, 4),     // v
  SIGN(0, 17, 10, 4, 10, 17),    // x
  SIGN(0, 31, 0, 31, 0, 0),      // =
  SIGN(0, 14, 17, 17, 17, 14),   // o
  SIGN(15, 16, 14, 1, 1, 30),    // S
  SIGN(17, 17, 31, 17, 17, 17),  // H
  SIGN(14, 17, 17, 31, 17, 17),  // A
  SIGN(17, 17, 21, 21, 31, 10),  // W
  SIGN(10, 31, 10, 10, 31, 10),  // #
  SIGN(17, 27, 31, 21, 21, 17),  // M
  SIGN(14, 27, 23, 23, 24, 15)   // @
);

// 1 where a sign has a dot; rows and columns from the top left of the cell.
float dotAt(uint sign, ivec2 place) {
  ivec2 p = place - ivec2(0, 1);
  bool isInside = p.x >= 0 && p.x < 5 && p.y >= 0 && p.y < 6;
  return isInside ? float(sign >> uint((5 - p.y) * 5 + 4 - p.x) & 1u) : 0.0;
}
#endif

vec4 effect(vec2 uv) {
  vec2 cell = vec2(cellWidth, cellHeight);
#if PASSINDEX == 0
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 36; i++) {
    vec4 color = framePixel(ivec2((vec2(PIXEL) + (vec2(i % 6, i / 6) + 0.5) / 6.0) * cell));
    sum += vec4(toLight(color.rgb) * color.a, color.a);
  }
  return vec4(toCode(sum.rgb / max(sum.a, 1e-6)), 1.0);
#else
  vec2 place = (vec2(PIXEL) + 0.5) / cell;
  ivec2 which = ivec2(place);
  vec3 mean = cellsPixel(which).rgb;
  float tone = luma(mean);
  float chosen = clamp((tone - 0.5) * contrast + 0.5, 0.0, 1.0);
  uint sign = SIGNS[int(chosen * 15.99)];
  float share = float(bitCount(sign)) / 48.0;

  // Dots have edges of a pixel.
  vec2 dots = (place - vec2(which)) * vec2(6.0, 8.0) - 0.5;
  ivec2 corner = ivec2(floor(dots));
  vec2 w = clamp((dots - vec2(corner) - 0.5) * dotPixels + 0.5, 0.0, 1.0);
  float isInk = mix(mix(dotAt(sign, corner), dotAt(sign, corner + ivec2(1, 0)), w.x),
    mix(dotAt(sign, corner + ivec2(0, 1)), dotAt(sign, corner + 1), w.x), w.y);
  isInk = mix(share, isInk, clear);

  // A sign is as bright as makes the mean of its cell right; where that is too bright for it, the ground is brighter.
  vec3 brightest = mix(vec3(1.0), mean / max(max(mean.r, max(mean.g, mean.b)), 0.01), 0.8);
  if (colors == 1) {
    mean = ink.rgb * tone;
    brightest = ink.rgb;
  }
  vec3 behind = mean * ground;
  vec3 needed = (mean - share * brightest) / (1.0 - share);
  behind = max(behind, min(needed, mean * 0.93) * keep);
  vec3 color = min((mean - (1.0 - share) * behind) / max(share, 0.02), brightest);
  return vec4(mix(behind, max(color, behind), isInk), framePixel().a);
#endif
}
