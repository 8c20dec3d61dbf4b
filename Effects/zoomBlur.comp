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
    {"TARGET": "light", "HALF": true, "DESCRIPTION": "The frame's light"},
    {"TARGET": "near", "HALF": true, "DESCRIPTION": "The first eighth of each streak"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "sharp", "VALUE": "clear * SIDE"},
    {"NAME": "whole", "VALUE": "log(max(1 - amount, 0.03))"},
    {"NAME": "ratio8", "VALUE": "exp(whole / 8)"},
    {"NAME": "ratio64", "VALUE": "exp(whole / 64)"},
    {"NAME": "isAlone", "VALUE": "amount == 0"}
  ]
}*/
#include "gather.glsl"

// A streak covers distances from the clear middle that shrink by one factor. So its first eighth, blurred in the same way
// at eight places along it, makes the whole: 16 reads do the work of 64. Where eighths have gaps between their pixels,
// these lie elsewhere for each pixel, which turns steps into fine grain. Reads stand one by one because software drivers take much longer for loops.
#if PASSINDEX == 1
#define READ lightPixel
#define RATIO ratio64
#else
#define READ nearPixel
#define RATIO ratio8
#endif
#define AT(far) READ(ivec2(place + way * (1.0 - (far))))

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  return gathered(PIXEL, isAlone > 0.5);
#else
  vec2 place = vec2(PIXEL) + 0.5;
  vec2 toCenter = center * RENDERSIZE - place;
  float away = max(length(toCenter), 1.0e-3);
  float beyond = max(away - sharp, 0.0);
  vec2 way = toCenter * (beyond / away);
  float left = 1.0;
#if PASSINDEX == 1
  float pace = whole / 64.0;
  left = exp(pace * (hash(PIXEL) * clamp(-pace * beyond - 1.0, 0.0, 1.0) + 0.5 * clamp(2.0 + pace * beyond, 0.0, 1.0)));
#endif
  float second = RATIO * RATIO;
  float fourth = second * second;
  vec4 sum = AT(left) + AT(left * RATIO) + AT(left * second) + AT(left * second * RATIO);
  left *= fourth;
  sum += AT(left) + AT(left * RATIO) + AT(left * second) + AT(left * second * RATIO);
  sum *= 0.125;
#if PASSINDEX == 1
  return sum;
#else
  return colorOf(sum, isAlone > 0.5);
#endif
#endif
}
