/*{
  "DESCRIPTION": "Blurs along a straight line, as a moving camera does.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur", "Motion"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "Length of the line, as a part of the frame's shorter side"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Its direction in degrees, clockwise from the right: 0 is level, 90 upright"}
  ],
  "PASSES": [
    {"TARGET": "near", "FLOAT": true, "DESCRIPTION": "A short piece of the line"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "across", "VALUE": "cos(angle * 3.141592653589793 / 180)"},
    {"NAME": "down", "VALUE": "sin(angle * 3.141592653589793 / 180)"},
    {"NAME": "steepest", "VALUE": "max(abs(across), abs(down))"},
    {"NAME": "steps", "VALUE": "sqrt(1 + pow(amount * SIDE * steepest, 2))"},
    {"NAME": "isAlone", "VALUE": "steps < 1.001"},
    {"NAME": "taps", "TYPE": "int", "VALUE": "min(2 * round((sqrt(steps / 2) - 1) / 2) + 1, 7)"},
    {"NAME": "gap", "VALUE": "max(steps / (taps * 11), 1)"},
    {"NAME": "pieces", "VALUE": "max(steps / gap / taps, 1)"}
  ]
}*/
#include "gather.glsl"

// The line's pixels are one of each row or column that it crosses. A short piece of them, blurred in the same way at
// several places in a row, makes the whole: 18 reads do the work of 77. The outer pieces count as much as the line reaches
// into them, so that it may have any length. A line with more pixels than that has gaps, elsewhere for each pixel.
vec4 effect(vec2 uv) {
  vec2 stride = vec2(across, down) * (gap / steepest);
  vec4 sum = vec4(0.0);
#if PASSINDEX == 0
  float shift = gap > 1.0 ? hash(PIXEL) - 0.5 : 0.0;
  for (int i = -3; i <= 3; i++) {
    float part = 2 * abs(i) < taps ? 1.0 : 0.0;
    sum += part * gathered(PIXEL + ivec2(floor((float(i) + shift) * stride + 0.5)), isAlone > 0.5);
  }
  return sum / float(taps);
#else
  for (int i = -5; i <= 5; i++) {
    float part = clamp(0.5 * pieces + 0.5 - abs(float(i)), 0.0, 1.0);
    sum += part * nearPixel(PIXEL + ivec2(floor(float(i * taps) * stride + 0.5)));
  }
  return colorOf(sum / pieces, isAlone > 0.5);
#endif
}
