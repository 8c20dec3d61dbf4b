/*{
  "DESCRIPTION": "Smooths skin and keeps its edges: eyes, lips and hair stay sharp.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair", "Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the smoothed image is blended over"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.012, "MIN": 0.001, "MAX": 0.04,
      "DESCRIPTION": "How far around a pixel the effect looks, as a part of the frame's shorter side"},
    {"NAME": "edges", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0.01, "MAX": 1,
      "DESCRIPTION": "Colours that differ by more are across an edge and not mixed"},
    {"NAME": "skinOnly", "LABEL": "Skin only", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "Acts on colours like that of skin; otherwise on the whole image"},
    {"NAME": "skin", "TYPE": "color", "DEFAULT": [0.8, 0.6, 0.5, 1],
      "DESCRIPTION": "The colour of skin; how light it is does not matter"},
    {"NAME": "range", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far colours may be from it"}
  ],
  "PASSES": [
    {"TARGET": "cells", "DESCRIPTION": "The frame in 360 rows",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {"TARGET": "even", "HALF": true, "DESCRIPTION": "Each of its pixels mixed with what is like it",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/360))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/360))"},
    {"DESCRIPTION": "The frame's pixels mixed with what is like them there"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(1, SIDE/360)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "ceil(cell)"},
    {"NAME": "reach", "VALUE": "radius * SIDE / cell"},
    {"NAME": "sharpness", "VALUE": "1 / (edges * edges)"},
    {"NAME": "skinLuma", "VALUE": "0.2126 * skin.r + 0.7152 * skin.g + 0.0722 * skin.b"},
    {"NAME": "skinBlue", "VALUE": "(skin.b - skinLuma) / (skinLuma + 0.1)"},
    {"NAME": "skinRed", "VALUE": "(skin.r - skinLuma) / (skinLuma + 0.1)"},
    {"NAME": "slope", "VALUE": "1 / (0.6 * range + 0.01)"}
  ]
}*/
#include "gather.glsl"
#include "luma.glsl"

// The neighbours are looked at in a small picture, where a quarter of the work does as much. A pixel of the frame then
// takes what is like itself of the four pixels around it, so that edges are as sharp as in the frame.

vec4 alike(vec4 squares) {
  vec4 near = max(1.0 - squares * sharpness, 0.0);
  return near * near;
}

float square(vec3 off) { return dot(off, off); }

#if PASSINDEX == 0
ivec2 at(vec2 place) { return ivec2((vec2(PIXEL) + place) * cell); }
#elif PASSINDEX == 1
// Four points of a spiral that turns by the golden angle, 137.5 degrees, and so fills a disc evenly.
void look(vec2 a, vec2 b, vec2 c, vec2 d, vec3 here, inout vec4 sum) {
  vec4 one = cellsPixel(PIXEL + ivec2(floor(a * reach + 0.5)));
  vec4 two = cellsPixel(PIXEL + ivec2(floor(b * reach + 0.5)));
  vec4 three = cellsPixel(PIXEL + ivec2(floor(c * reach + 0.5)));
  vec4 four = cellsPixel(PIXEL + ivec2(floor(d * reach + 0.5)));
  vec4 weights = alike(vec4(square(one.rgb - here), square(two.rgb - here), square(three.rgb - here), square(four.rgb - here)))
    * vec4(one.a, two.a, three.a, four.a);
  sum += vec4(toLight(one.rgb), 1.0) * weights.x + vec4(toLight(two.rgb), 1.0) * weights.y
    + vec4(toLight(three.rgb), 1.0) * weights.z + vec4(toLight(four.rgb), 1.0) * weights.w;
}
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec4 sum = vec4(0.0);
  float count = 4.0;
  if (reads <= 2) {
    ivec2 p = at(vec2(0.25));
    ivec2 q = at(vec2(0.75));
    sum = gathered(p) + gathered(ivec2(q.x, p.y)) + gathered(ivec2(p.x, q.y)) + gathered(q);
  } else {
    count = float(reads * reads);
    for (int y = 0; y < reads; y++) {
      for (int x = 0; x < reads; x++) sum += gathered(at((vec2(x, y) + 0.5) / float(reads)));
    }
  }
  return vec4(toCode(sum.rgb / max(sum.a, 1e-6)), sum.a / count);
#elif PASSINDEX == 1
  vec4 color = cellsPixel(PIXEL);
  vec4 sum = vec4(toLight(color.rgb), 1.0);
  look(vec2(-0.117, 0.107), vec2(0.024, -0.273), vec2(0.215, 0.281), vec2(-0.412, -0.073), color.rgb, sum);
  look(vec2(0.400, -0.255), vec2(-0.136, 0.506), vec2(-0.263, -0.506), vec2(0.575, 0.210), color.rgb, sum);
  look(vec2(-0.603, 0.249), vec2(0.292, -0.624), vec2(0.217, 0.691), vec2(-0.656, -0.380), color.rgb, sum);
  look(vec2(0.772, -0.170), vec2(-0.473, 0.672), vec2(-0.109, -0.844), vec2(0.673, 0.567), color.rgb, sum);
  look(vec2(-0.908, 0.038), vec2(0.663, -0.660), vec2(-0.044, 0.961), vec2(-0.633, -0.758), color.rgb, sum);
  return vec4(toCode(sum.rgb / sum.a), color.a);
#else
  vec4 color = framePixel();
  float weight = amount;
  if (skinOnly) {
    // Colourfulness for its lightness: the same for skin in light and in shade, and of any darkness.
    float luma = luma(color.rgb);
    vec2 off = (color.br - luma) / (luma + 0.1) - vec2(skinBlue, skinRed);
    weight *= 1.0 - smoothstep(0.0, 1.0, (length(off) - range) * slope);
  }
  vec2 place = (vec2(PIXEL) + 0.5) / cell - 0.5;
  ivec2 p = ivec2(floor(place));
  vec2 part = place - vec2(p);
  vec4 one = evenPixel(p);
  vec4 two = evenPixel(p + ivec2(1, 0));
  vec4 three = evenPixel(p + ivec2(0, 1));
  vec4 four = evenPixel(p + 1);
  vec4 weights = alike(vec4(square(one.rgb - color.rgb), square(two.rgb - color.rgb), square(three.rgb - color.rgb),
    square(four.rgb - color.rgb))) * vec4(one.a, two.a, three.a, four.a);
  weights *= vec4(1.0 - part.x, part.x, 1.0 - part.x, part.x) * vec4(vec2(1.0 - part.y), vec2(part.y));
  vec4 sum = vec4(color.rgb, 1.0) * 0.2 + vec4(one.rgb, 1.0) * weights.x + vec4(two.rgb, 1.0) * weights.y
    + vec4(three.rgb, 1.0) * weights.z + vec4(four.rgb, 1.0) * weights.w;
  return vec4(mix(color.rgb, sum.rgb / sum.a, weight), color.a);
#endif
}
