/*{
  "DESCRIPTION": "Leads from one input to the next: a fast zoom into the old picture becomes one into the new one.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 4, "MIN": 1, "MAX": 10,
      "DESCRIPTION": "How many times larger a picture gets on the whole way"},
    {"NAME": "outwards", "TYPE": "bool", "DEFAULT": false, "DESCRIPTION": "Zooms out instead of in"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point that it zooms to; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "spin", "TYPE": "float", "DEFAULT": 0, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "How far the pictures turn on the way, in degrees, clockwise"},
    {"NAME": "blur", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Length of the motion blur at mean speed, as a part of the whole way"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 4, "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot"],
      "DESCRIPTION": "How it moves: evenly, slow at the start, at the end, at both, very fast between, or too far and back"}
  ],
  "PASSES": [
    {"TARGET": "moved", "DESCRIPTION": "Both pictures at their sizes, mixed"},
    {"TARGET": "streaked", "DESCRIPTION": "Every eighth part of the blur"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "growth", "VALUE": "log(amount) * (outwards ? -1 : 1)"},
    {"NAME": "turn", "VALUE": "spin * 0.017453292519943295"}
  ]
}*/
#include "transition.glsl"
#include "reflect.glsl"

// The place of a pixel after a part of the whole way: larger, and turned.
vec2 along(vec2 p, float part) {
  float a = turn * part;
  vec2 d = (p - center * RENDERSIZE) * exp(growth * part);
  return center * RENDERSIZE + vec2(cos(a) * d.x - sin(a) * d.y, sin(a) * d.x + cos(a) * d.y);
}

#if PASSINDEX == 0
vec4 effect(vec2 uv) {
  float gone = eased(ease);
  vec2 here = vec2(PIXEL) + 0.5;
  // The old picture gives way in the middle, where the movement is fastest.
  float share = smoothstep(0.35, 0.65, clamp(gone, 0.0, 1.0));
  vec4 sum = vec4(0.0);
  if (share < 1.0) {
    vec4 start = gone == 0.0 ? framePixel(PIXEL) : frame(reflected(along(here, -gone) / RENDERSIZE));
    sum += (1.0 - share) * lightOf(start);
  }
  if (share > 0.0) {
    vec4 end = gone == 1.0 ? endPixel(PIXEL) : endImage(reflected(along(here, 1.0 - gone) / RENDERSIZE));
    sum += share * lightOf(end);
  }
  return codeOf(sum);
}
#else
// Eight pixels on the way to the point, and then eight groups of such pixels. The way leads inwards, so that none of
// them lies outside of the frame.
vec4 streak(int pass) {
  float whole = blur * easedSpeed(ease) * (growth > 0.0 ? -1.0 : 1.0);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 8; i++) {
    float part = whole * (pass == 1 ? float(i) / 64.0 : float(i) / 8.0);
    ivec2 p = ivec2(floor(along(vec2(PIXEL) + 0.5, part)));
    sum += lightOf(pass == 1 ? movedPixel(p) : streakedPixel(p));
  }
  return codeOf(sum / 8.0);
}

vec4 effect(vec2 uv) {
  // Without movement nothing is blurred.
  if (easedSpeed(ease) * blur == 0.0) return movedPixel(PIXEL);
  return streak(PASSINDEX);
}
#endif
