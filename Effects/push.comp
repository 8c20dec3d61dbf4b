/*{
  "DESCRIPTION": "Leads from one input to the next: the new picture pushes the old one out of the frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 180, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Which way the pictures move, in degrees: 0 to the right, 90 down, 180 to the left"},
    {"NAME": "blur", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "Length of the motion blur at mean speed, as a part of the frame's shorter side"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot", "bounce"],
      "DESCRIPTION": "How they move: evenly, slow at the start, at the end, at both, very fast between, too far and back, or like a ball"}
  ],
  "CONSTANTS": [
    {"NAME": "way_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "way_y", "VALUE": "sin(angle * 0.017453292519943295)"},
    {"NAME": "reach", "VALUE": "abs(way_x) * WIDTH + abs(way_y) * HEIGHT"},
    {"NAME": "side", "VALUE": "min(WIDTH, HEIGHT)"}
  ]
}*/
#include "transition.glsl"

// Both pictures lie side by side, mirrored beyond their edges, and move along `way`; so a slanted way leaves no gap.
vec4 effect(vec2 uv) {
  vec2 way = vec2(way_x, way_y);
  float gone = eased(ease) * reach;
  float streak = max(blur * side * easedSpeed(ease), 1.0);
  int taps = int(clamp(ceil(streak), 4.0, 12.0));
  vec2 here = vec2(PIXEL) + 0.5;
  float place = dot(way, here - 0.5 * vec2(frameSize())) + 0.5 * reach;
  vec2 stride = way * (streak / float(taps));
  vec2 old = here - way * gone - stride * (0.5 * float(taps) - 0.5);
  vec2 next = old + way * reach;
  // How many of the places lie behind the seam. A picture that goes too far shows its own other side there.
  float behind = (gone - place) / streak + 0.5;
  int ends = gone > reach ? taps : gone <= 0.0 ? 0 : int(clamp(floor(behind * float(taps) + 0.5), 0.0, float(taps)));
  vec4 sum = vec4(0.0);
  for (int i = 0; i < ends; i++) sum += lightOf(endPixel(mirroredPixel(next + stride * float(i))));
  for (int i = ends; i < taps; i++) sum += lightOf(framePixel(mirroredPixel(old + stride * float(i))));
  return codeOf(sum / float(taps));
}
