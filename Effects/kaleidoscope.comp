/*{
  "DESCRIPTION": "Repeats a wedge of the image round a point, every other one mirrored.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Geometry", "Stylize"],
  "INPUTS": [
    {"NAME": "segments", "TYPE": "long", "DEFAULT": 5, "MIN": 1, "MAX": 32,
      "DESCRIPTION": "Pairs of wedges in a full turn"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 15, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Turns the pattern, in degrees, clockwise"},
    {"NAME": "spin", "TYPE": "float", "DEFAULT": 0.03, "MIN": -1, "MAX": 1,
      "DESCRIPTION": "Turns per second of the image behind the pattern"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 1, "MIN": 0.25, "MAX": 4,
      "DESCRIPTION": "Size of what is repeated"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of the pattern; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "source", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point of the image in the middle of the wedge, round which it spins"}
  ],
  "CONSTANTS": [
    {"NAME": "wedge", "VALUE": "3.141592653589793 / segments"},
    {"NAME": "patternTurn", "VALUE": "angle * 3.141592653589793 / 180"},
    {"NAME": "pictureX", "VALUE": "cos(fract(TIME * spin) * 6.283185307179586)"},
    {"NAME": "pictureY", "VALUE": "sin(fract(TIME * spin) * 6.283185307179586)"},
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "down", "VALUE": "HEIGHT / SIDE"}
  ]
}*/
#include "reflect.glsl"

vec4 effect(vec2 uv) {
  vec2 fromCenter = (uv - center) * vec2(across, down);
  float radius = length(fromCenter) / zoom;
  float turn = radius > 0.0 ? atan(fromCenter.y, fromCenter.x) : 0.0;
  // A fan folded together: the angle runs up one wedge and down the next.
  turn = wedge - abs(wedge - mod(turn - patternTurn, 2.0 * wedge));
  turn -= 0.5 * wedge;
  vec2 fromSource = radius * vec2(cos(turn), sin(turn)) - vec2(0.45, 0.0);
  vec2 p = mat2(pictureX, pictureY, -pictureY, pictureX) * fromSource;
  return frame(reflected(source + p / vec2(across, down)));
}
