/*{
  "DESCRIPTION": "Blurs towards a point, as a camera does that moves towards it.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur", "Motion"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "Length of the streaks, as a part of the distance from the point"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "clear", "TYPE": "float", "DEFAULT": 0.1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Radius about the point that stays sharp, as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "near", "FLOAT": true, "DESCRIPTION": "The first eighth of each streak"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "sharp", "VALUE": "clear * SIDE"},
    {"NAME": "whole", "VALUE": "log(max(1 - amount, 0.03))"},
    {"NAME": "isAlone", "VALUE": "amount == 0"}
  ]
}*/
#include "gather.glsl"

const int TAPS = 8;

// A streak covers distances from the clear middle that shrink by one factor. So its first eighth, blurred in the same way
// at eight places along it, makes the whole: 16 reads do the work of 64. Where eighths have gaps between their pixels,
// these lie elsewhere for each pixel, which turns steps into fine grain.
vec4 effect(vec2 uv) {
  vec2 toCenter = center * RENDERSIZE - (vec2(PIXEL) + 0.5);
  float away = max(length(toCenter), 1.0e-3);
  float beyond = max(away - sharp, 0.0);
  vec2 direction = toCenter / away;
#if PASSINDEX == 0
  float pace = whole / float(TAPS * TAPS);
  float start = hash(PIXEL) * clamp(-pace * beyond - 1.0, 0.0, 1.0) + 0.5 * clamp(2.0 + pace * beyond, 0.0, 1.0);
#else
  float pace = whole / float(TAPS);
  float start = 0.0;
#endif
  vec4 sum = vec4(0.0);
  float left = exp(pace * start);
  float ratio = exp(pace);
  for (int i = 0; i < TAPS; i++) {
    ivec2 p = ivec2(floor(vec2(PIXEL) + 0.5 + direction * (beyond * (1.0 - left))));
#if PASSINDEX == 0
    sum += gathered(p, isAlone > 0.5);
#else
    sum += nearPixel(p);
#endif
    left *= ratio;
  }
  sum /= float(TAPS);
#if PASSINDEX == 0
  return sum;
#else
  return colorOf(sum, isAlone > 0.5);
#endif
}
