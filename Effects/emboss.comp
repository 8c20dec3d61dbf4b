/*{
  "DESCRIPTION": "A relief: edges towards the light are bright, those away from it dark.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "strength", "TYPE": "float", "DEFAULT": 1.2, "MIN": 0, "MAX": 8,
      "DESCRIPTION": "How high the relief is"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 135, "MIN": 0, "MAX": 360,
      "DESCRIPTION": "Where the light comes from, in degrees: 0 right, 90 above, 180 left"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 0.0022, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "Width of an edge in frame heights, at least a pixel"},
    {"NAME": "color", "TYPE": "float", "DEFAULT": 0.35, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "0 is grey stone, 1 the image itself in relief"}
  ],
  "CONSTANTS": [
    {"NAME": "apart", "VALUE": "max(1, width * HEIGHT)"},
    {"NAME": "lightX", "TYPE": "int", "VALUE": "round(cos(angle * 0.017453292519943295) * apart)"},
    {"NAME": "lightY", "TYPE": "int", "VALUE": "round(-sin(angle * 0.017453292519943295) * apart)"}
  ]
}*/

#include "luma.glsl"

vec4 effect(vec2 uv) {
  vec4 picture = framePixel(PIXEL);
  ivec2 light = ivec2(lightX, lightY);
  vec3 rise = framePixel(PIXEL - light).rgb - framePixel(PIXEL + light).rgb;
  vec3 ground = mix(vec3(0.5), picture.rgb, color);
  return vec4(clamp(ground + luma(rise) * strength, 0.0, 1.0), picture.a);
}
