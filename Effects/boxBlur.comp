/*{
  "DESCRIPTION": "Blurs with the mean of a square around each pixel.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 0.5, "ALIASES": ["radius"],
      "DESCRIPTION": "Half the side of the square, as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "pairs", "FLOAT": true, "DESCRIPTION": "Means of 2 x 2 pixels, and of the edge at each side",
      "WIDTH": "amount*SIDE < 6.5 ? 1 : 2 + ceil(WIDTH/2)", "HEIGHT": "amount*SIDE < 6.5 ? 1 : 2 + ceil(HEIGHT/2)"},
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "Means of squares of pixels, with one more square at each side",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "Blurred across",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"TARGET": "soft", "FLOAT": true, "DESCRIPTION": "Blurred both ways",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"DESCRIPTION": "The way back to full size"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "TYPE": "int", "VALUE": "amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)"},
    {"NAME": "paired", "TYPE": "int", "VALUE": "max(1, cell/2)"},
    {"NAME": "overlap", "TYPE": "int", "VALUE": "cell <= 2 ? 1 : 2*floor(paired/2) + 1"},
    {"NAME": "known", "VALUE": "cell == 1 ? 0 : 4*(overlap*overlap - 1) + 2*cell*cell"},
    {"NAME": "width", "VALUE": "max(sqrt(max(4*pow(amount*SIDE, 2) - known, 0))/cell, 1)"}
  ]
}*/
#include "cells.glsl"

// Squares of up to 13 pixels are exact, also of parts of pixels. Larger ones are made of 13 cells at most each way, so
// that the work is the same for any size; what overlapping cells and the lines between them blur, `known` as 12 times a
// variance, is taken off the square's.
// The targets' sizes follow the amount; if it has keyframes, they have the largest size that it needs, and only a part
// is used now.
vec4 pair(ivec2 p) { return pairsPixel(p + 1); }

vec4 source(ivec2 p) {
#if PASSINDEX == 2
  return cellsPixel(p);
#else
  return acrossPixel(p);
#endif
}

vec4 mean(ivec2 step) {
  vec4 sum = source(PIXEL);
  for (int i = 1; i <= 6; i++) {
    float part = clamp(0.5 * width + 0.5 - float(i), 0.0, 1.0);
    sum += part * (source(PIXEL + i * step) + source(PIXEL - i * step));
  }
  return sum / width;
}

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  ivec2 p = 2 * PIXEL - 2;
  return 0.25 * (framePixel(p) + framePixel(p + ivec2(1, 0)) + framePixel(p + ivec2(0, 1)) + framePixel(p + 1));
#elif PASSINDEX == 1
  bool isUsed = all(lessThan(PIXEL, (frameSize() - 1) / cell + 10));
  vec4 sum = vec4(0.0);
  ADD_CELL(sum, framePixel, PIXEL - 1, 1, (cell == 1 ? 1 : 0))
  ADD_CELL(sum, pair, PIXEL - 1, paired, (cell > 1 && isUsed ? overlap : 0))
  return sum;
#elif PASSINDEX == 2
  return mean(ivec2(1, 0));
#elif PASSINDEX == 3
  return mean(ivec2(0, 1));
#else
  return soft(((vec2(PIXEL) + 0.5) / float(cell) + 1.0) / vec2(softSize()));
#endif
}
