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
    {"NAME": "perTop", "VALUE": "1 / top"},
    {"NAME": "halfEdge", "VALUE": "max(softness * 0.5, 0.004)"},
    {"NAME": "perEdge", "VALUE": "0.5 / halfEdge"},
    {"NAME": "before", "VALUE": "0.5 - 0.5 * perEdge"}
  ]
}*/

#include "luma.glsl"

// Few divisions and no branch: software drivers compute both sides.
vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float tone = luma(color.rgb);
  vec3 rgb = max(mix(vec3(tone), color.rgb, saturation), vec3(0.0));
  vec3 scaled = (what == 0 ? vec3(tone) : min(rgb, vec3(1.0))) * top;
  vec3 whole = floor(scaled);
  vec3 rise = clamp((scaled - whole) * perEdge + before, 0.0, 1.0);
  vec3 steps = (whole + rise * rise * (3.0 - 2.0 * rise)) * perTop;
  rgb = what == 0 ? rgb * (steps.x / max(tone, 1.0 / 255.0)) : steps;
  return vec4(min(rgb, vec3(1.0)), color.a);
}
