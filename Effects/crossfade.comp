/*{
  "DESCRIPTION": "Leads from one input to the next: the one fades out while the other fades in.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4],
      "LABELS": ["linear", "in", "out", "smooth", "snap"],
      "DESCRIPTION": "How it advances: evenly, slow at its start, at its end, at both, or slow at both and very fast between"},
    {"NAME": "light", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Mixes light instead of codes, as a double exposure of film does: bright parts stay longer"}
  ]
}*/
#include "transition.glsl"

vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endPixel(PIXEL);
  float share = eased(ease);
  return light ? codeOf(mix(lightOf(start), lightOf(end), share)) : mixed(start, end, share);
}
