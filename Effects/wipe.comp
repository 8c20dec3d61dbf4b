/*{
  "DESCRIPTION": "Leads from one input to the next: an edge runs over the image.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Which way the edge runs, in degrees: 0 to the right, 90 down"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "How wide the edge is, as a part of the frame's shorter side"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot", "bounce"],
      "DESCRIPTION": "How the edge moves: evenly, slow at its start, at its end, at both, very fast between, too far and back, or like a ball"}
  ],
  "CONSTANTS": [
    {"NAME": "way_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "way_y", "VALUE": "sin(angle * 0.017453292519943295)"},
    {"NAME": "reach", "VALUE": "abs(way_x) * WIDTH + abs(way_y) * HEIGHT"},
    {"NAME": "width", "VALUE": "max(softness * min(WIDTH, HEIGHT), 1)"}
  ]
}*/
#include "transition.glsl"

vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endPixel(PIXEL);
  // In pixels from the corner that the edge leaves.
  float place = dot(vec2(way_x, way_y), (uv - 0.5) * vec2(frameSize())) + 0.5 * reach;
  // At the start and at the end the whole width of the edge lies outside. Without softness the edge is one pixel wide:
  // smooth.
  float front = eased(ease) * (reach + width);
  float share = clamp((front - place) / width, 0.0, 1.0);
  return mixed(start, end, softness > 0.0 ? smoothstep(0.0, 1.0, share) : share);
}
