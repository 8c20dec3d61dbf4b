/*{
  "DESCRIPTION": "Leads from one input to the next: a picture slides over the other, or off it.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 180, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Which way the picture on top moves, in degrees: 0 to the right, 90 down, 180 to the left"},
    {"NAME": "uncover", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "The old picture slides off the new one; otherwise the new one slides over the old one"},
    {"NAME": "parallax", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the picture below moves along, as a part of the way of the one on top"},
    {"NAME": "shadow", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark the shadow is that the upper picture throws on the lower one"},
    {"NAME": "blur", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "Length of the motion blur at mean speed, as a part of the frame's shorter side"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot", "bounce"],
      "DESCRIPTION": "How it moves: evenly, slow at the start, at the end, at both, very fast between, too far and back, or like a ball"}
  ],
  "CONSTANTS": [
    {"NAME": "way_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "way_y", "VALUE": "sin(angle * 0.017453292519943295)"},
    {"NAME": "reach", "VALUE": "min(WIDTH / max(abs(way_x), 0.000001), HEIGHT / max(abs(way_y), 0.000001))"},
    {"NAME": "side", "VALUE": "min(WIDTH, HEIGHT)"}
  ]
}*/
#include "transition.glsl"

vec4 picture(bool isEnd, ivec2 p) { return lightOf(isEnd ? endPixel(p) : framePixel(p)); }

vec4 effect(vec2 uv) {
  vec2 size = vec2(frameSize());
  vec2 way = vec2(way_x, way_y);
  float gone = eased(ease);
  // Beyond its place the upper picture would show a gap behind it. It comes back from there instead.
  gone = uncover ? min(abs(gone), 1.0) : max(gone > 1.0 ? 2.0 - gone : gone, 0.0);
  float upper = (uncover ? gone : gone - 1.0) * reach;
  float lower = (uncover ? gone - 1.0 : gone) * reach * parallax;
  float speed = easedSpeed(ease);
  float streak = max(blur * side * speed, 1.0);
  float dark = shadow * clamp(10.0 * min(progress, 1.0 - progress), 0.0, 1.0);
  vec2 here = vec2(PIXEL) + 0.5;

  // Each read is another moment. The moments at which the upper picture is elsewhere show the lower one.
  int taps = int(clamp(ceil(streak), 4.0, 12.0));
  vec2 stride = way * (streak / float(taps));
  vec2 top = here - way * upper - stride * (0.5 * float(taps) - 0.5);
  vec4 sum = vec4(0.0);
  float share = 0.0;
  vec2 last = top + stride * float(taps);
  if (all(greaterThanEqual(max(top, last), vec2(0.0))) && all(lessThan(min(top, last), size))) {
    for (int i = 0; i < taps; i++, top += stride) {
      if (all(greaterThanEqual(top, vec2(0.0))) && all(lessThan(top, size))) {
        sum += picture(!uncover, ivec2(top)) / float(taps);
        share += 1.0 / float(taps);
      }
    }
  }
  if (share > 0.999) return codeOf(sum);

  // The lower picture moves less: a few reads are enough.
  int few = parallax == 0.0 ? 1 : clamp(int(ceil(streak * parallax)), 4, 8);
  stride *= parallax * float(taps) / float(few);
  vec2 below = here - way * lower - stride * (0.5 * float(few) - 0.5);
  vec4 behind = vec4(0.0);
  for (int i = 0; i < few; i++, below += stride) behind += picture(uncover, mirroredPixel(below)) / float(few);
  vec2 away = abs(here - way * upper - 0.5 * size) - 0.5 * size;
  behind.rgb *= 1.0 - dark * exp(-length(max(away, vec2(0.0))) / (0.05 * side));
  return codeOf(sum + behind * (1.0 - share));
}
