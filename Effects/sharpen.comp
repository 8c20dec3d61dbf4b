/*{
  "DESCRIPTION": "Brings out fine detail without bright seams along strong edges.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Sharpen"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How much detail is added"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.0035, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "How coarse the detail is, as a part of the frame's shorter side"},
    {"NAME": "seam", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far a pixel may go beyond its neighbours: 0 not at all, 1 freely"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.01, "MIN": 0, "MAX": 0.2,
      "DESCRIPTION": "Differences below it are taken for noise and left as they are"}
  ],
  "PASSES": [
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "Brightness in 360 rows: as light, the least, the most",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "The same of neighbours",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {"TARGET": "around", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(1, SIDE/360)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "ceil(cell)"},
    {"NAME": "known", "VALUE": "(cell*cell - 1)/12 + (cell > 1 ? cell*cell/6 : 0)"},
    {"NAME": "sigma", "VALUE": "max(sqrt(max(pow(radius*SIDE, 2) - known, 0))/cell, 0.2)"},
    {"NAME": "reach", "TYPE": "int", "VALUE": "ceil(2.5*sigma)"},
    {"NAME": "ratio", "VALUE": "exp(-0.5/(sigma*sigma))"},
    {"NAME": "pow7", "VALUE": "pow(ratio, 7)"},
    {"NAME": "weight2", "VALUE": "reach < 2 ? 0 : pow(ratio, 4)"},
    {"NAME": "weight3", "VALUE": "reach < 3 ? 0 : pow(ratio, 9)"},
    {"NAME": "least", "VALUE": "1 + 2 * (ratio + weight2 + weight3)"}
  ]
}*/
#include "light.glsl"
#include "luma.glsl"

#if PASSINDEX == 1 || PASSINDEX == 2
vec4 source(ivec2 p) {
#if PASSINDEX == 1
  return cellsPixel(p);
#else
  return acrossPixel(p);
#endif
}

// A Gaussian of the light, and the least and the most of a pixel and its neighbours.
vec4 surroundings(ivec2 step) {
  vec4 here = source(PIXEL);
  vec4 before = source(PIXEL - step);
  vec4 after = source(PIXEL + step);
  float light = here.x + ratio * (before.x + after.x)
    + weight2 * (source(PIXEL - 2 * step).x + source(PIXEL + 2 * step).x)
    + weight3 * (source(PIXEL - 3 * step).x + source(PIXEL + 3 * step).x);
  // Software drivers take much longer for loops. With the defaults there is no more to do.
  float total = least;
  float weight = weight3;
  float next = pow7;
  for (int i = 4; i <= reach; i++) {
    weight *= next;
    next *= ratio * ratio;
    light += weight * (source(PIXEL + i * step).x + source(PIXEL - i * step).x);
    total += 2.0 * weight;
  }
  return vec4(light / total, min(here.y, min(before.y, after.y)), max(here.z, max(before.z, after.z)), 1.0);
}
#endif

#if PASSINDEX == 0
ivec2 at(vec2 place) { return ivec2((vec2(PIXEL) + place) * cell); }
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  if (reads <= 2) {
    ivec2 p = at(vec2(0.25));
    ivec2 q = at(vec2(0.75));
    vec4 lumas = vec4(luma(framePixel(p).rgb), luma(framePixel(ivec2(q.x, p.y)).rgb),
      luma(framePixel(ivec2(p.x, q.y)).rgb), luma(framePixel(q).rgb));
    return vec4(0.25 * dot(lumas, lumas), min(min(lumas.x, lumas.y), min(lumas.z, lumas.w)),
      max(max(lumas.x, lumas.y), max(lumas.z, lumas.w)), 1.0);
  }
  vec3 sum = vec3(0.0, 1.0, 0.0);
  for (int y = 0; y < reads; y++) {
    for (int x = 0; x < reads; x++) {
      float bright = luma(framePixel(at((vec2(x, y) + 0.5) / float(reads))).rgb);
      sum = vec3(sum.x + bright * bright, min(sum.y, bright), max(sum.z, bright));
    }
  }
  return vec4(sum.x / float(reads * reads), sum.yz, 1.0);
#elif PASSINDEX == 1
  return surroundings(ivec2(1, 0));
#elif PASSINDEX == 2
  return surroundings(ivec2(0, 1));
#else
  vec4 color = framePixel();
  float here = luma(color.rgb);
  vec3 near = around((vec2(PIXEL) + 0.5) / cell / vec2(aroundSize())).xyz;
  float detail = here - sqrt(max(near.x, 0.0));
  // Small differences fade out, so that noise stays as it is.
  detail *= amount * detail * detail / (detail * detail + threshold * threshold + 1.0e-9);
  float beyond = seam * seam + (near.z - near.y) * seam;
  float sharp = clamp(here + detail, min(near.y, here) - beyond, max(near.z, here) + beyond);
  // All colours change by the same amount, so that hues stay.
  return vec4(clamp(color.rgb + (sharp - here), 0.0, 1.0), color.a);
#endif
}
