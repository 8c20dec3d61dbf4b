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
    {"NAME": "mostTurns", "VALUE": "-angle / 360"},
    {"NAME": "perSquare", "VALUE": "1 / (radius * radius)"},
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "down", "VALUE": "HEIGHT / SIDE"}
  ]
}*/
#include "reflect.glsl"
#include "direction.glsl"

vec4 effect(vec2 uv) {
  vec2 fromCenter = (uv - center) * vec2(across, down);
  float part = max(1.0 - dot(fromCenter, fromCenter) * perSquare, 0.0);
  float turns = mostTurns * part * part;
  vec2 way = direction(turns);
  vec2 p = vec2(way.x * fromCenter.x - way.y * fromCenter.y, way.y * fromCenter.x + way.x * fromCenter.y);
  return frame(reflected(center + p / vec2(across, down)));
}
