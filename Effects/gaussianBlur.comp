/*{
  "DESCRIPTION": "Blurs softly and evenly in all directions, in linear light.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 0.5, "IDENTITY": 0, "ALIASES": ["radius"],
      "DESCRIPTION": "How far it reaches (2.5 standard deviations), as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "pairs", "FLOAT": true, "DESCRIPTION": "Means of 2 x 2 pixels, and of the edge at each side",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH/2)", "HEIGHT": "amount*SIDE < 5 ? 1 : 2 + ceil(HEIGHT/2)"},
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "Light of squares of pixels, with one more square at each side",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "Blurred across",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
    {"TARGET": "soft", "FLOAT": true, "DESCRIPTION": "Blurred both ways",
      "WIDTH": "2 + ceil(WIDTH / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "2 + ceil(HEIGHT / (amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
    {"TARGET": "tall", "FLOAT": true, "DESCRIPTION": "The same with all rows of the frame",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "amount*SIDE < 5 ? 1 : HEIGHT"},
    {"DESCRIPTION": "The way back to full size"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "TYPE": "int", "VALUE": "amount*SIDE < 5 ? 1 : amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)"},
    {"NAME": "paired", "TYPE": "int", "VALUE": "max(1, cell/2)"},
    {"NAME": "overlap", "TYPE": "int", "VALUE": "cell <= 2 ? 1 : 2*floor(paired/2) + 1"},
    {"NAME": "curve", "VALUE": "cell == 1 ? 0 : 1"},
    {"NAME": "known", "VALUE": "cell == 1 ? 0 : 0.25 + (paired*paired + overlap*overlap - 2)/3 + cell*cell/4"},
    {"NAME": "sigma", "VALUE": "max(sqrt(max(pow(amount*SIDE/2.5, 2) - known, 0))/cell, 0.05)"},
    {"NAME": "ratio", "VALUE": "exp(-0.5/(sigma*sigma))"}
  ]
}*/
#include "gather.glsl"
#include "cellMean.glsl"
#include "curve.glsl"

// A wide blur has no fine detail. So it is made of cells of several pixels a side, and smooth curves (quadratic
// B-splines) lead from one cell of the result to the next. What the cells and the curves blur, `known` as a variance, is
// taken off the Gaussian's. So a Gaussian of 7 cells each way does for any radius, and the work is the same.
// The targets' sizes follow the radius; if it has keyframes, they have the largest size that it needs, and only a part
// is used now.
vec4 pair(ivec2 p) { return pairsPixel(p + 1); }

vec4 source(ivec2 p) {
#if PASSINDEX == 2
  return cellsPixel(p);
#else
  return acrossPixel(p);
#endif
}

// The weights are a product: the ratio of two neighbours shrinks by the same factor each time.
vec4 gaussian(ivec2 step) {
  vec4 sum = source(PIXEL);
  float total = 1.0;
  float weight = 1.0;
  float next = ratio;
  for (int i = 1; i <= 7; i++) {
    weight *= next;
    next *= ratio * ratio;
    sum += weight * (source(PIXEL + i * step) + source(PIXEL - i * step));
    total += 2.0 * weight;
  }
  return sum / total;
}

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  ivec2 p = 2 * PIXEL - 2;
  return 0.25 * (gathered(p) + gathered(p + ivec2(1, 0)) + gathered(p + ivec2(0, 1)) + gathered(p + 1));
#elif PASSINDEX == 1
  bool isUsed = all(lessThan(PIXEL, (frameSize() - 1) / cell + 10));
  vec4 sum = vec4(0.0);
  ADD_CELL(sum, gathered, PIXEL - 1, 1, (cell == 1 ? 1 : 0))
  ADD_CELL(sum, pair, PIXEL - 1, paired, (cell > 1 && isUsed ? overlap : 0))
  return sum;
#elif PASSINDEX == 2
  return gaussian(ivec2(1, 0));
#elif PASSINDEX == 3
  return gaussian(ivec2(0, 1));
#elif PASSINDEX == 4
  float place = (float(PIXEL.y) + 0.5) / float(cell) + 1.0;
  ivec2 p = ivec2(PIXEL.x, place);
  vec3 weights = curveWeights(fract(place) - 0.5);
  return weights.x * softPixel(p - ivec2(0, 1)) + weights.y * softPixel(p) + weights.z * softPixel(p + ivec2(0, 1));
#else
  // One direction after the other takes six reads fewer than both at once.
  float place = (float(PIXEL.x) + 0.5) / float(cell) + 1.0;
  ivec2 p = ivec2(place, PIXEL.y);
  vec3 weights = curve * curveWeights(fract(place) - 0.5);
  return colorOf(weights.x * tallPixel(p - ivec2(1, 0)) + weights.y * tallPixel(p)
    + weights.z * tallPixel(p + ivec2(1, 0)) + (1.0 - curve) * softPixel(PIXEL + 1));
#endif
}
