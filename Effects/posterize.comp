/*{
  "DESCRIPTION": "Reduces brightness to a few levels, as on a screen print.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color", "Stylize"],
  "INPUTS": [
    {"NAME": "levels", "TYPE": "long", "DEFAULT": 5, "MIN": 2, "MAX": 32,
      "DESCRIPTION": "How many levels are left"},
    {"NAME": "what", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1], "LABELS": ["brightness", "colors"],
      "DESCRIPTION": "brightness keeps the hues, colors reduces red, green and blue separately"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How soft the edge between two levels is; it keeps edges from flickering"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.2, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"}
  ],
  "CONSTANTS": [
    {"NAME": "top", "VALUE": "levels - 1"},
    {"NAME": "halfEdge", "VALUE": "max(softness * 0.5, 0.004)"}
  ]
}*/

#include "luma.glsl"

vec3 steps(vec3 value) {
  vec3 scaled = value * top;
  vec3 whole = floor(scaled);
  return (whole + smoothstep(0.5 - halfEdge, 0.5 + halfEdge, scaled - whole)) / top;
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float tone = luma(color.rgb);
  vec3 rgb = max(mix(vec3(tone), color.rgb, saturation), vec3(0.0));
  if (what == 0) {
    rgb *= steps(vec3(tone)).x / max(tone, 1.0 / 255.0);
  } else {
    rgb = steps(min(rgb, vec3(1.0)));
  }
  return vec4(min(rgb, vec3(1.0)), color.a);
}
