/*{
  "DESCRIPTION": "Builds the image from letters and signs, as on a terminal.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Retro"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.0223, "MIN": 0.01, "MAX": 0.2,
      "DESCRIPTION": "Height of a line of text in frame heights, in whole steps of 8 pixels"},
    {"NAME": "colors", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["picture", "ink"],
      "DESCRIPTION": "picture gives each sign the colour of the pixels that it replaces, ink draws all signs in one colour"},
    {"NAME": "ink", "TYPE": "color", "DEFAULT": [0.45, 1, 0.55, 1],
      "DESCRIPTION": "The colour of all signs with colors=ink; its alpha is not used"},
    {"NAME": "ground", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the colour shows behind a sign"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 1, "MIN": 0.5, "MAX": 3,
      "DESCRIPTION": "Contrast of the choice of signs"}
  ],
  "CONSTANTS": [
    {"NAME": "cellHeight", "TYPE": "int", "VALUE": "max(1, round(size * HEIGHT / 8)) * 8"},
    {"NAME": "cellWidth", "TYPE": "int", "VALUE": "cellHeight * 3 / 4"}
  ]
}*/

#include "light.glsl"
#include "luma.glsl"

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

vec4 effect(vec2 uv) {
  ivec2 cell = ivec2(cellWidth, cellHeight);
  ivec2 corner = PIXEL / cell * cell;
  vec3 light = vec3(0.0);
  for (int y = 0; y < 3; y++) {
    for (int x = 0; x < 3; x++) {
      light += toLight(framePixel(corner + (ivec2(x, y) * 2 + 1) * cell / 6).rgb);
    }
  }
  vec3 mean = toCode(light * (1.0 / 9.0));
  float tone = luma(mean);
  float chosen = clamp((tone - 0.5) * contrast + 0.5, 0.0, 1.0);

  ivec2 dots = (PIXEL - corner) * ivec2(6, 8) / cell;
  bool isInk = false;
  if (dots.x < 5 && dots.y >= 1 && dots.y < 7) {
    uint signBits = SIGNS[int(chosen * 15.99)];
    isInk = (signBits >> uint((6 - dots.y) * 5 + 4 - dots.x) & 1u) != 0u;
  }
  // A sign covers half of its cell at most, so its colour is brighter than the pixels that it replaces.
  vec3 bright = min(mean * (1.0 + 0.6 * chosen) + 0.04, vec3(1.0));
  vec3 color = colors == 0 ? bright : ink.rgb * (0.35 + 0.65 * chosen);
  vec3 behind = (colors == 0 ? mean : ink.rgb * tone) * ground;
  return vec4(isInk ? color : behind, framePixel(PIXEL).a);
}
