/*{
  "DESCRIPTION": "Fills all but the middle with a blurred, larger copy of the middle, or with bars of a colour.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Geometry", "Blur"],
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "aspect", "TYPE": "float", "DEFAULT": 0.5625, "MIN": 0.2, "MAX": 5,
      "DESCRIPTION": "Width of the middle in parts of its height: 0.5625 for a phone's upright clip, 2.39 for cinema"},
    {"NAME": "fill", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["Picture", "Color"],
      "DESCRIPTION": "What lies beside the middle"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.08, "MIN": 0.02, "MAX": 0.4, "ALIASES": ["blur"],
      "DESCRIPTION": "How far the blur of the copy reaches, as a part of the frame's shorter side"},
    {"NAME": "brightness", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright the copy is, in parts of the picture's brightness"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour of the bars"}
  ],
  "PASSES": [
    {"TARGET": "cells", "FLOAT": true, "DESCRIPTION": "The larger copy in few pixels",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/90))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/90))"},
    {"TARGET": "across", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/90))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/90))"},
    {"TARGET": "soft", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/90))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/90))"},
    {"TARGET": "tall", "HALF": true, "DESCRIPTION": "The same with all rows",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/90))", "HEIGHT": "HEIGHT"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "wide", "VALUE": "min(WIDTH, HEIGHT*aspect)"},
    {"NAME": "high", "VALUE": "min(HEIGHT, WIDTH/aspect)"},
    {"NAME": "larger", "VALUE": "max(WIDTH/wide, HEIGHT/high)"},
    {"NAME": "cell", "VALUE": "max(1, SIDE/90)"},
    {"NAME": "readWidth", "VALUE": "cell/larger"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "min(ceil(readWidth), 32)"},
    {"NAME": "sigma", "VALUE": "max(sqrt(max(pow(amount*SIDE/2.5/cell, 2) - 1/3, 0)), 0.1)"},
    {"NAME": "reach", "TYPE": "int", "VALUE": "ceil(3*sigma)"},
    {"NAME": "ratio", "VALUE": "exp(-0.5/(sigma*sigma))"}
  ]
}*/
#include "gather.glsl"
#include "curve.glsl"

// A wide blur has no fine detail, so 90 rows hold it, and smooth curves lead from one of their pixels to the next.
#if PASSINDEX == 1 || PASSINDEX == 2
vec4 source(ivec2 p) {
#if PASSINDEX == 1
  return cellsPixel(p);
#else
  return acrossPixel(p);
#endif
}

// A Gaussian. The weights are a product: the ratio of two neighbours shrinks by the same factor each time.
vec4 gaussian(ivec2 step) {
  vec4 sum = source(PIXEL);
  float total = 1.0;
  float weight = 1.0;
  float next = ratio;
  for (int i = 1; i <= reach; i++) {
    weight *= next;
    next *= ratio * ratio;
    sum += weight * (source(PIXEL + i * step) + source(PIXEL - i * step));
    total += 2.0 * weight;
  }
  return sum / total;
}
#endif

vec4 effect(vec2 uv) {
  vec2 middle = vec2(wide, high);
#if PASSINDEX == 0
  // The pixels of the middle that this pixel of the copy shows; none from beside the middle.
  vec2 first = 0.5 * vec2(frameSize()) + (vec2(PIXEL) * cell - 0.5 * vec2(frameSize())) / larger;
  vec2 corner = 0.5 * (vec2(frameSize()) - middle);
  vec4 sum = vec4(0.0);
  for (int y = 0; y < reads; y++) {
    for (int x = 0; x < reads; x++) {
      vec2 place = first + (vec2(x, y) + 0.5) * (readWidth / float(reads));
      sum += gathered(ivec2(floor(clamp(place, corner + 0.5, corner + middle - 0.5))));
    }
  }
  return sum / float(reads * reads);
#elif PASSINDEX == 1
  return gaussian(ivec2(1, 0));
#elif PASSINDEX == 2
  return gaussian(ivec2(0, 1));
#elif PASSINDEX == 3
  float place = (float(PIXEL.y) + 0.5) / cell;
  ivec2 p = ivec2(PIXEL.x, int(place));
  vec3 part = curveWeights(fract(place) - 0.5);
  return softPixel(p - ivec2(0, 1)) * part.x + softPixel(p) * part.y + softPixel(p + ivec2(0, 1)) * part.z;
#else
  vec2 away = abs(vec2(PIXEL) + 0.5 - 0.5 * RENDERSIZE);
  vec2 inside = clamp(0.5 * middle - away + 0.5, vec2(0.0), vec2(1.0));
  float place = (float(PIXEL.x) + 0.5) / cell;
  ivec2 p = ivec2(int(place), PIXEL.y);
  vec3 part = curveWeights(fract(place) - 0.5);
  vec4 copied = tallPixel(p - ivec2(1, 0)) * part.x + tallPixel(p) * part.y + tallPixel(p + ivec2(1, 0)) * part.z;
  copied.rgb *= brightness * brightness;
  vec4 beside = fill == 0 ? copied : vec4(toLight(color.rgb) * color.a, color.a);
  return colorOf(mix(beside, gathered(PIXEL), inside.x * inside.y));
#endif
}
