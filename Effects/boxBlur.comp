/*{
  "DESCRIPTION": "Blurs with the mean of a square around each pixel.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 0.5, "ALIASES": ["radius"],
      "DESCRIPTION": "Half the side of the square, as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "level", "HALF": true, "DESCRIPTION": "If narrow: blurred across",
      "WIDTH": "amount*SIDE < 6.5 ? WIDTH : 1", "HEIGHT": "amount*SIDE < 6.5 ? HEIGHT : 1"},
    {"TARGET": "narrow", "HALF": true, "DESCRIPTION": "If narrow: blurred both ways",
      "WIDTH": "amount*SIDE < 6.5 ? WIDTH : 1", "HEIGHT": "amount*SIDE < 6.5 ? HEIGHT : 1"},
    {"TARGET": "pairs", "FLOAT": true, "DESCRIPTION": "Means of 2 x 2 pixels, and of the edge at each side",
      "WIDTH": "amount*SIDE < 6.5 ? 1 : 2 + ceil(WIDTH/2)", "HEIGHT": "amount*SIDE < 6.5 ? 1 : 2 + ceil(HEIGHT/2)"},
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "Means of squares of pixels, with one more square at each side",
      "WIDTH": "amount*SIDE < 6.5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "amount*SIDE < 6.5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "Blurred across",
      "WIDTH": "amount*SIDE < 6.5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "amount*SIDE < 6.5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"TARGET": "soft", "FLOAT": true, "DESCRIPTION": "Blurred both ways",
      "WIDTH": "amount*SIDE < 6.5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))",
      "HEIGHT": "amount*SIDE < 6.5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)))"},
    {"DESCRIPTION": "The way back to full size"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "TYPE": "int", "VALUE": "amount*SIDE < 6.5 ? 1 : amount*SIDE < 13 ? 2 : 2*floor(amount*SIDE/6.5)"},
    {"NAME": "paired", "TYPE": "int", "VALUE": "max(1, cell/2)"},
    {"NAME": "overlap", "TYPE": "int", "VALUE": "cell <= 2 ? 1 : 2*floor(paired/2) + 1"},
    {"NAME": "known", "VALUE": "cell == 1 ? 0 : 4*(overlap*overlap - 1) + 2*cell*cell"},
    {"NAME": "width", "VALUE": "max(sqrt(max(4*pow(amount*SIDE, 2) - known, 0))/cell, 1)"},
    {"NAME": "part1", "VALUE": "clamp(0.5 * width + 0.5 - 1, 0, 1)"},
    {"NAME": "part2", "VALUE": "clamp(0.5 * width + 0.5 - 2, 0, 1)"},
    {"NAME": "part3", "VALUE": "clamp(0.5 * width + 0.5 - 3, 0, 1)"},
    {"NAME": "part4", "VALUE": "clamp(0.5 * width + 0.5 - 4, 0, 1)"},
    {"NAME": "part5", "VALUE": "clamp(0.5 * width + 0.5 - 5, 0, 1)"},
    {"NAME": "part6", "VALUE": "clamp(0.5 * width + 0.5 - 6, 0, 1)"}
  ]
}*/
#include "cells.glsl"

// Squares of up to 13 pixels are exact, also of parts of pixels. Larger ones are made of 13 cells at most each way, so
// that the work is the same for any size; what overlapping cells and the lines between them blur, `known` as 12 times a
// variance, is taken off the square's.
// The targets' sizes follow the amount; if it has keyframes, they have the largest size that it needs, and only a part
// is used now.
// A narrow blur reads its pixels one by one because software drivers take much longer for loops.
#define BOTH(pixel, way) (pixel(PIXEL - way) + pixel(PIXEL + way))
#define NARROW(pixel, way) (pixel(PIXEL) + part1 * BOTH(pixel, way) + part2 * BOTH(pixel, 2 * way) \
  + part3 * BOTH(pixel, 3 * way) + part4 * BOTH(pixel, 4 * way) + part5 * BOTH(pixel, 5 * way) \
  + part6 * BOTH(pixel, 6 * way)) / width

vec4 pair(ivec2 p) { return pairsPixel(p + 1); }

vec4 source(ivec2 p) {
#if PASSINDEX == 4
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
  return NARROW(framePixel, ivec2(1, 0));
#elif PASSINDEX == 1
  return NARROW(levelPixel, ivec2(0, 1));
#elif PASSINDEX == 2
  ivec2 p = 2 * PIXEL - 2;
  return 0.25 * (framePixel(p) + framePixel(p + ivec2(1, 0)) + framePixel(p + ivec2(0, 1)) + framePixel(p + 1));
#elif PASSINDEX == 3
  bool isUsed = all(lessThan(PIXEL, (frameSize() - 1) / cell + 10));
  vec4 sum = vec4(0.0);
  ADD_CELL(sum, pair, PIXEL - 1, paired, (cell > 1 && isUsed ? overlap : 0))
  return sum;
#elif PASSINDEX == 4
  return mean(ivec2(1, 0));
#elif PASSINDEX == 5
  return mean(ivec2(0, 1));
#else
  vec4 wide = soft(((vec2(PIXEL) + 0.5) / float(cell) + 1.0) / vec2(softSize()));
  return cell > 1 ? wide : narrowPixel(PIXEL);
#endif
}
