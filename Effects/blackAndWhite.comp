/*{
  "DESCRIPTION": "A black and white photograph: which colours become bright, as with a filter before the lens.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color", "Film"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the colour is taken away"},
    {"NAME": "glass", "TYPE": "long", "DEFAULT": 1, "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["none", "yellow", "orange", "red", "green", "blue"],

      "DESCRIPTION": "The filter before the lens: its own colour becomes brighter, the opposite darker; red makes skies dark"},
    {"NAME": "red", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Brightens red, or darkens it below 0"},
    {"NAME": "green", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2, "DESCRIPTION": "The same for green"},
    {"NAME": "blue", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2, "DESCRIPTION": "The same for blue"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 0.2, "MIN": -1, "MAX": 1,
      "DESCRIPTION": "Steepens the middle tones or flattens them; black and white stay"},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [1, 1, 1, 1],
      "DESCRIPTION": "The tone of the middle greys, such as c8a878 for sepia; white and greys give none"}
  ],
  "CONSTANTS": [
    {"NAME": "redPart",
      "VALUE": "red + (glass == 0 ? 0.2126 : glass == 1 ? 0.34 : glass == 2 ? 0.5 : glass == 3 ? 0.82 : glass == 4 ? 0.14 : 0.06)"},
    {"NAME": "greenPart",
      "VALUE": "green + (glass == 0 ? 0.7152 : glass == 1 ? 0.62 : glass == 2 ? 0.48 : glass == 3 ? 0.16 : glass == 4 ? 0.8 : 0.2)"},
    {"NAME": "bluePart",
      "VALUE": "blue + (glass == 0 ? 0.0722 : glass == 1 ? 0.04 : glass == 2 ? 0.02 : glass == 3 ? 0.02 : glass == 4 ? 0.06 : 0.74)"},
    {"NAME": "sum", "VALUE": "redPart + greenPart + bluePart"},
    {"NAME": "scale", "VALUE": "1 / max(sum, 0.1)"},
    {"NAME": "tintLuma", "VALUE": "max(0.2126*tint.r + 0.7152*tint.g + 0.0722*tint.b, 0.02)"}
  ]
}*/
#include "light.glsl"

// The film adds the light that the filter lets through; white stays white, because one exposes longer behind a filter.
vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float light = dot(toLight(color.rgb), vec3(redPart, greenPart, bluePart)) * scale;
  float grey = sqrt(clamp(light, 0.0, 1.0));
  grey += contrast * grey * (grey * (3.0 - 2.0 * grey) - 1.0);
  // The tone is strongest in the middle: black is ink and white is paper.
  vec3 tone = grey + (tint.rgb / tintLuma - 1.0) * (tint.a * grey * (1.0 - grey));
  return vec4(mix(color.rgb, clamp(tone, 0.0, 1.0), amount), color.a);
}
