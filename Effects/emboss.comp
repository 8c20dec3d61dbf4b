/*{
  "DESCRIPTION": "A relief: edges towards the light are bright, those away from it dark.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 2.5, "MIN": 0, "MAX": 10, "ALIASES": ["strength"],
      "DESCRIPTION": "How high the relief is"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 225, "MIN": 0, "MAX": 360,
      "DESCRIPTION": "Where the light comes from, in degrees clockwise from the right: 180 left, 270 above"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 0.004, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "Width of an edge, as a part of the frame's shorter side; below a pixel it becomes fainter"},
    {"NAME": "color", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "0 is grey stone, 1 the image itself in relief"}
  ],
  "CONSTANTS": [
    {"NAME": "wanted", "VALUE": "width * SIDE"},
    {"NAME": "apart", "VALUE": "max(1, wanted)"},
    {"NAME": "lightX", "VALUE": "cos(angle * 0.017453292519943295) * apart * 0.5"},
    {"NAME": "lightY", "VALUE": "sin(angle * 0.017453292519943295) * apart * 0.5"},
    {"NAME": "height", "VALUE": "amount * wanted / apart"}
  ]
}*/

#include "luma.glsl"

vec4 effect(vec2 uv) {
  vec4 picture = framePixel();
  vec2 light = vec2(lightX, lightY) / RENDERSIZE;
  float rise = luma(frame(uv - light).rgb - frame(uv + light).rgb);
  // Slopes that are too steep for black and white bend towards them, so that detail is left there.
  float slope = rise * amount;
  slope *= height / (amount + 1e-6) / (1.0 + abs(slope));
  float stone = 0.5 + slope;
  vec3 colored = picture.rgb * (1.0 + slope * 1.2) + slope * 0.25;
  return vec4(clamp(mix(vec3(stone), colored, color), 0.0, 1.0), picture.a);
}
