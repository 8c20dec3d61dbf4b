/*{
  "DESCRIPTION": "Leads from one input to the next through black, or through another colour.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1], "DESCRIPTION": "The colour between the pictures"},
    {"NAME": "hold", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 0.9,
      "DESCRIPTION": "How long the colour alone is seen, as a part of the whole time"},
    {"NAME": "glow", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much longer bright parts stay than dark ones; with a bright colour dark ones stay longer"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1, 2, 3, 4],
      "LABELS": ["linear", "in", "out", "smooth", "snap"],
      "DESCRIPTION": "How each half advances: evenly, slow at its start, at its end, at both, or very fast between"}
  ],
  "CONSTANTS": [
    {"NAME": "isSecond", "TYPE": "int", "VALUE": "progress >= 0.5"},
    {"NAME": "part", "VALUE": "0.5 * (1 - hold)"},
    {"NAME": "covered", "VALUE": "clamp((isSecond ? 1 - progress : progress) / part, 0, 1)"}
  ],
  "ALPHA": "color"
}*/
#include "transition.glsl"
#include "luma.glsl"

vec4 effect(vec2 uv) {
  vec4 picture = framePixel();
  if (isSecond == 1) picture = endPixel(PIXEL);
  float share = easedAt(covered, ease);
  // What differs from the colour the most is the last to go and the first to come.
  float far = abs(luma(picture.rgb) - luma(color.rgb)) * picture.a;
  share = clamp(share * (1.0 + glow) - glow * far, 0.0, 1.0);
  return mixed(picture, color, share);
}
