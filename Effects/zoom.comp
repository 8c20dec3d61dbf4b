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
    {"TARGET": "streaked", "DESCRIPTION": "A seventh part of the blur"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "growth", "VALUE": "log(amount) * (outwards ? -1 : 1)"},
    {"NAME": "turn", "VALUE": "spin * 0.017453292519943295"}
  ]
}*/
#include "transition.glsl"
#include "reflect.glsl"

// Growth and turn after a part of the whole way, as a complex number.
vec2 moveAfter(float part) { return exp(growth * part) * vec2(cos(turn * part), sin(turn * part)); }
vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// The images between the passes hold codes of light that alpha is multiplied into.
#if PASSINDEX == 0
vec4 effect(vec2 uv) {
  float gone = eased(ease);
  vec2 here = (vec2(PIXEL) + 0.5) - center * RENDERSIZE;
  // The old picture gives way in the middle, where the movement is fastest.
  float share = smoothstep(0.35, 0.65, clamp(gone, 0.0, 1.0));
  vec4 sum = vec4(0.0);
  if (share < 1.0) {
    vec4 start = gone == 0.0 ? framePixel(PIXEL) : frame(reflected(center + times(here, moveAfter(-gone)) / RENDERSIZE));
    sum += (1.0 - share) * lightOf(start);
  }
  if (share > 0.0) {
    vec4 end = gone == 1.0 ? endPixel(PIXEL) : endImage(reflected(center + times(here, moveAfter(1.0 - gone)) / RENDERSIZE));
    sum += share * lightOf(end);
  }
  return vec4(toCode(sum.rgb), sum.a);
}
#else
vec4 read(vec2 p) {
#if PASSINDEX == 1
  vec4 color = movedPixel(ivec2(p));
#else
  vec4 color = streakedPixel(ivec2(p));
#endif
  return vec4(toLight(color.rgb), color.a);
}

// Seven pixels on the way to the point, and then seven groups of such pixels. The way leads inwards, so that none of
// them lies outside of the frame.
vec4 effect(vec2 uv) {
  float whole = blur * easedSpeed(ease) * (growth > 0.0 ? -1.0 : 1.0);
  int taps = whole == 0.0 ? 1 : 7;
  vec2 pace = moveAfter(whole / (PASSINDEX == 1 ? 49.0 : 7.0));
  vec2 middle = center * RENDERSIZE;
  vec2 here = vec2(PIXEL) + 0.5 - middle;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < taps; i++) {
    sum += read(middle + here);
    here = times(here, pace);
  }
  sum /= float(taps);
  return PASSINDEX == 1 ? vec4(toCode(sum.rgb), sum.a) : codeOf(sum);
}
#endif
