/*{
  "DESCRIPTION": "Turns the hues of all colours; light and dark stay as they look.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 90, "MIN": -360, "MAX": 360, "IDENTITY": 0,
      "DESCRIPTION": "How far hues are turned, in degrees, from red over yellow and green to blue"},
    {"NAME": "speed", "TYPE": "float", "DEFAULT": 0, "MIN": -10, "MAX": 10, "IDENTITY": 0,
      "DESCRIPTION": "Full turns per second"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "-1 is grey, 1 twice as colourful"}
  ],
  "CONSTANTS": [
    {"NAME": "turn", "VALUE": "(angle / 360 + fract(TIME * speed)) * 6.283185307179586"},
    {"NAME": "turnX", "VALUE": "cos(turn) * (1 + saturation)"},
    {"NAME": "turnY", "VALUE": "sin(turn) * (1 + saturation)"}
  ]
}*/
#include "oklab.glsl"

// In Oklab a turn of the colour round grey changes no lightness, which a turn in YCbCr does: there yellow, which is
// bright, becomes a blue that looks dark.
vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec3 lab = toOklab(color.rgb);
  lab.yz = mat2(turnX, turnY, -turnY, turnX) * lab.yz;
  return vec4(fromOklab(lab), color.a);
}
