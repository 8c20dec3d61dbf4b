/*{
  "DESCRIPTION": "Blurs towards a point, as a camera does that moves towards it.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "Length of the streaks, as a part of the distance from the point"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "clear", "TYPE": "float", "DEFAULT": 0.1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Radius about the point that stays sharp, in frame heights"}
  ]
}*/
#include "gather.glsl"

const int MOST = 40;

// Each pixel begins its streak elsewhere, which turns the steps between the reads into fine grain.
vec4 effect(vec2 uv) {
  vec2 toCenter = center * RENDERSIZE - (vec2(PIXEL) + 0.5);
  float away = length(toCenter);
  float streak = amount * max(away - clear * RENDERSIZE.y, 0.0);
  if (streak < 0.5) return framePixel(PIXEL);
  vec2 whole = toCenter * (streak / away);
  int taps = int(min(streak + 1.0, float(MOST)));
  vec2 stride = whole / float(taps);
  vec2 p = vec2(PIXEL) + 0.5 + stride * hash(PIXEL);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < taps; i++) {
    sum += gathered(ivec2(floor(p)));
    p += stride;
  }
  return colorOf(sum / float(taps));
}
