/*{
  "DESCRIPTION": "Bends the image in running waves, as if seen through water.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Distortion"],
  "INPUTS": [
    {"NAME": "shape", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["rings", "waves"], "DEFAULT": 0,
      "DESCRIPTION": "Rings round a point, or waves across the image"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.015, "MIN": 0, "MAX": 0.1, "IDENTITY": 0, "ALIASES": ["amplitude"],
      "DESCRIPTION": "How far the image is pushed, as a part of the frame's shorter side"},
    {"NAME": "wavelength", "TYPE": "float", "DEFAULT": 0.14, "MIN": 0.01, "MAX": 2,
      "DESCRIPTION": "From crest to crest, as a part of the frame's shorter side"},
    {"NAME": "speed", "TYPE": "float", "DEFAULT": 0.8, "MIN": -10, "MAX": 10,
      "DESCRIPTION": "Waves per second; below 0 they run backwards"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of the rings; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 90, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Where waves run to, in degrees clockwise from the right: 90 down"},
    {"NAME": "glint", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much the slopes towards the light are brightened and the others darkened"}
  ],
  "CONSTANTS": [
    {"NAME": "phase", "VALUE": "fract(TIME * speed)"},
    {"NAME": "alongX", "VALUE": "cos(angle * 3.141592653589793 / 180)"},
    {"NAME": "alongY", "VALUE": "sin(angle * 3.141592653589793 / 180)"},
    {"NAME": "shine", "VALUE": "min(1, amount * 10 / wavelength) * glint"},
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "down", "VALUE": "HEIGHT / SIDE"}
  ]
}*/
#include "reflect.glsl"

vec4 effect(vec2 uv) {
  vec2 fromCenter = (uv - center) * vec2(across, down);
  vec2 along = vec2(alongX, alongY);
  float way = dot(fromCenter, along);
  float height = 1.0;
  if (shape == 0) {
    way = length(fromCenter);
    along = fromCenter / max(way, 1e-6);
    // Rings rise from nothing at their middle, where they have no direction, and die away.
    height = min(way / wavelength, 1.0) / (1.0 + way);
  }
  // The whole waves are taken off first: sine is exact to the last bits near 0 only.
  float turn = fract(way / wavelength - phase) * 6.283185307179586;
  float slope = sin(turn) * height;
  vec4 color = frame(reflected(uv + along * (slope * amount) / vec2(across, down)));
  // The light stands at the upper left.
  float lit = slope * shine * (along.x * -0.6 + along.y * -0.8);
  return vec4(color.rgb * (1.0 + lit), color.a);
}
