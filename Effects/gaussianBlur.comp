/*{
  "DESCRIPTION": "Blurs softly and evenly in all directions, in linear light.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 0.5, "IDENTITY": 0, "ALIASES": ["radius"],
      "DESCRIPTION": "How far it reaches (2.5 standard deviations), as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "light", "HALF": true, "DESCRIPTION": "If narrow: the frame's light",
      "WIDTH": "amount*SIDE < 5 ? WIDTH : 1", "HEIGHT": "amount*SIDE < 5 ? HEIGHT : 1"},
    {"TARGET": "level", "HALF": true, "DESCRIPTION": "If narrow: blurred across",
      "WIDTH": "amount*SIDE < 5 ? WIDTH : 1", "HEIGHT": "amount*SIDE < 5 ? HEIGHT : 1"},
    {"TARGET": "narrow", "HALF": true, "DESCRIPTION": "If narrow: blurred both ways",
      "WIDTH": "amount*SIDE < 5 ? WIDTH : 1", "HEIGHT": "amount*SIDE < 5 ? HEIGHT : 1"},
    {"TARGET": "pairs", "FLOAT": true, "DESCRIPTION": "Means of 2 x 2 pixels, and of the edge at each side",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH/2)", "HEIGHT": "amount*SIDE < 5 ? 1 : 2 + ceil(HEIGHT/2)"},
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "Light of squares of pixels, with one more square at each side",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "amount*SIDE < 5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "Blurred across",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "amount*SIDE < 5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
    {"TARGET": "soft", "FLOAT": true, "DESCRIPTION": "Blurred both ways",
      "WIDTH": "amount*SIDE < 5 ? 1 : 2 + ceil(WIDTH / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))",
      "HEIGHT": "amount*SIDE < 5 ? 1 : 2 + ceil(HEIGHT / (amount*SIDE < 11 ? 2 : 2*floor(amount*SIDE/4.7)))"},
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
    {"NAME": "ratio", "VALUE": "exp(-0.5/(sigma*sigma))"},
    {"NAME": "weight1", "VALUE": "pow(ratio, 1)"},
    {"NAME": "weight2", "VALUE": "pow(ratio, 4)"},
    {"NAME": "weight3", "VALUE": "pow(ratio, 9)"},
    {"NAME": "weight4", "VALUE": "pow(ratio, 16)"},
    {"NAME": "weight5", "VALUE": "pow(ratio, 25)"},
    {"NAME": "total", "VALUE": "1 + 2 * (weight1 + weight2 + weight3 + weight4 + weight5)"}
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
// A narrow blur has five pixels each way, read one by one because software drivers take much longer for loops.
#define BOTH(pixel, way) (pixel(PIXEL - way) + pixel(PIXEL + way))
#define NARROW(pixel, way) (pixel(PIXEL) + weight1 * BOTH(pixel, way) + weight2 * BOTH(pixel, 2 * way) \
  + weight3 * BOTH(pixel, 3 * way) + weight4 * BOTH(pixel, 4 * way) + weight5 * BOTH(pixel, 5 * way)) / total

vec4 pair(ivec2 p) { return pairsPixel(p + 1); }

vec4 source(ivec2 p) {
#if PASSINDEX == 5
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
  return gathered(PIXEL);
#elif PASSINDEX == 1
  return NARROW(lightPixel, ivec2(1, 0));
#elif PASSINDEX == 2
  return NARROW(levelPixel, ivec2(0, 1));
#elif PASSINDEX == 3
  ivec2 p = 2 * PIXEL - 2;
  return 0.25 * (gathered(p) + gathered(p + ivec2(1, 0)) + gathered(p + ivec2(0, 1)) + gathered(p + 1));
#elif PASSINDEX == 4
  bool isUsed = all(lessThan(PIXEL, (frameSize() - 1) / cell + 10));
  vec4 sum = vec4(0.0);
  ADD_CELL(sum, pair, PIXEL - 1, paired, (cell > 1 && isUsed ? overlap : 0))
  return sum;
#elif PASSINDEX == 5
  return gaussian(ivec2(1, 0));
#elif PASSINDEX == 6
  return gaussian(ivec2(0, 1));
#elif PASSINDEX == 7
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
    + weights.z * tallPixel(p + ivec2(1, 0)) + (1.0 - curve) * narrowPixel(PIXEL));
#endif
}
