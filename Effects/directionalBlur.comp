/*{
  "DESCRIPTION": "Blurs along a straight line, as a moving camera does.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 0.3, "IDENTITY": 0,
      "DESCRIPTION": "Length of the line, in frame heights"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Its direction in degrees: 0 is level, 90 upright, 45 falls to the right"}
  ],
  "CONSTANTS": [
    {"NAME": "across", "VALUE": "cos(angle * 3.141592653589793 / 180)"},
    {"NAME": "down", "VALUE": "sin(angle * 3.141592653589793 / 180)"},
    {"NAME": "steepest", "VALUE": "max(abs(across), abs(down))"},
    {"NAME": "steps", "VALUE": "amount * HEIGHT * steepest"},
    {"NAME": "taps", "TYPE": "int", "VALUE": "2 * floor(min(steps, 96) / 2) + 1"},
    {"NAME": "isSparse", "VALUE": "steps > 98"},
    {"NAME": "gap", "VALUE": "isSparse != 0 ? amount * HEIGHT / taps : 1 / steepest"}
  ]
}*/
#include "gather.glsl"

// The line's pixels are the same for every pixel of the frame, one of each row or column that it
// crosses. A line with more pixels than reads has gaps, at other places for each pixel.
vec4 effect(vec2 uv) {
  if (taps == 1) return framePixel(PIXEL);
  vec2 stride = vec2(across, down) * gap;
  float first = -0.5 * float(taps - 1);
  if (isSparse > 0.5) first += hash(PIXEL) - 0.5;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < taps; i++) {
    vec2 offset = (first + float(i)) * stride;
    sum += gathered(PIXEL + ivec2(floor(offset + 0.5)));
  }
  return colorOf(sum / float(taps));
}
