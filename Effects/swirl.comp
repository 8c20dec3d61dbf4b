/*{
  "DESCRIPTION": "Twists the image round a point, most in the middle.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Distortion"],
  "INPUTS": [
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 120, "MIN": -1080, "MAX": 1080, "IDENTITY": 0,
      "DESCRIPTION": "How far the middle is turned, in degrees, clockwise"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.45, "MIN": 0.01, "MAX": 2,
      "DESCRIPTION": "Where the twist ends, as a part of the frame's shorter side"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle; 0/0 is the top left, 1/1 the bottom right"}
  ],
  "CONSTANTS": [
    {"NAME": "mostTurn", "VALUE": "angle * 3.141592653589793 / 180"},
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "down", "VALUE": "HEIGHT / SIDE"}
  ]
}*/
#include "reflect.glsl"

vec4 effect(vec2 uv) {
  vec2 fromCenter = (uv - center) * vec2(across, down);
  float part = dot(fromCenter, fromCenter) / (radius * radius);
  if (part >= 1.0) return framePixel(PIXEL);
  float turn = -mostTurn * (1.0 - part) * (1.0 - part);
  float c = cos(turn);
  float s = sin(turn);
  vec2 p = vec2(c * fromCenter.x - s * fromCenter.y, s * fromCenter.x + c * fromCenter.y);
  return frame(reflected(center + p / vec2(across, down)));
}
