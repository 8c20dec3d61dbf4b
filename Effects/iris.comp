/*{
  "DESCRIPTION": "Leads from one input to the next: a circle or another shape opens or closes.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "shape", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4, 5],
      "LABELS": ["circle", "square", "diamond", "hexagon", "star", "heart"], "DESCRIPTION": "The shape of the opening"},
    {"NAME": "how", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2], "LABELS": ["open", "close", "both"],
      "DESCRIPTION": "The new picture opens, the old one closes, or the old one closes to a colour from which the new one opens"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The middle of the shape; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Turns the shape, in degrees, clockwise"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How wide its edge is, as a part of the frame's shorter side"},
    {"NAME": "border", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 0.2,
      "DESCRIPTION": "Width of a line round the shape, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour of this line, and of the moment between the pictures"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 3, "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot", "bounce"],
      "DESCRIPTION": "How it moves: evenly, slow at the start, at the end, at both, very fast between, too far and back, or like a ball"}
  ],
  "ALPHA": "color",
  "CONSTANTS": [
    {"NAME": "isOpening", "TYPE": "int", "VALUE": "how == 0 ? 1 : how == 1 ? 0 : progress >= 0.5"},
    {"NAME": "way", "VALUE": "how < 2 ? progress : isOpening ? 2*progress - 1 : 2*progress"},
    {"NAME": "turn_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "turn_y", "VALUE": "sin(angle * 0.017453292519943295)"},
    {"NAME": "side", "VALUE": "min(WIDTH, HEIGHT)"},
    {"NAME": "far_x", "VALUE": "max(center.x, 1 - center.x) * WIDTH"},
    {"NAME": "far_y", "VALUE": "max(center.y, 1 - center.y) * HEIGHT"},
    {"NAME": "inner", "VALUE": "shape == 0 ? 1 : shape == 3 ? 0.866 : shape == 4 ? 0.45 : 0.707"},
    {"NAME": "full", "VALUE": "sqrt(far_x*far_x + far_y*far_y) / inner"},
    {"NAME": "soft", "VALUE": "max(softness * side, 1)"}
  ]
}*/
#include "transition.glsl"

// A corner that points up, of a shape with so many of them: the distance of the edge that this place is behind, in parts
// of the edge's own distance from the middle. `deep` is the length of the edge's nearer end, in parts of its farther one.
float corners(vec2 p, float count, float deep) {
  float half_ = 3.14159265 / count;
  float a = atan(p.x, -p.y);
  a = abs(a - 2.0 * half_ * floor(a / (2.0 * half_) + 0.5));
  vec2 q = length(p) * vec2(cos(a), sin(a));
  vec2 edge = deep * vec2(cos(half_), sin(half_)) - vec2(1.0, 0.0);
  vec2 normal = normalize(vec2(edge.y, -edge.x));
  return dot(q, normal) / normal.x;
}

// How large the shape must be to reach this place: twice as far from the middle, it is twice as large.
float sizeAt(vec2 p) {
  p = vec2(turn_x * p.x + turn_y * p.y, turn_x * p.y - turn_y * p.x);
  if (shape == 1) return max(abs(p.x), abs(p.y)) * 1.41421356;
  if (shape == 2) return abs(p.x) + abs(p.y);
  if (shape == 3) return corners(p, 6.0, 0.8660254);
  if (shape == 4) return corners(p, 5.0, 0.45);
  if (shape == 5) {
    // A diamond, and on each upper edge a circle whose middle is that of the edge: both pass through the middle.
    float round_ = abs(p.x) - p.y;
    float lower = abs(p.x) + abs(p.y);
    return round_ > 0.0 ? min(lower, dot(p, p) / round_) : lower;
  }
  return length(p);
}

vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endPixel(PIXEL);
  vec2 p = vec2(PIXEL) + 0.5 - center * vec2(frameSize());

  // The largest shape holds the circle through the farthest corner. A place is inside of a shape by so many pixels;
  // without the slope, those of a place straight above the middle.
  float here = sizeAt(p);
  float slope = shape == 0 ? 1.0
    : max(length(vec2(sizeAt(p + vec2(0.5, 0.0)) - here, sizeAt(p + vec2(0.0, 0.5)) - here)) * 2.0, 0.3);
  float line = border * side;
  float grown = easedAt(way, ease);
  if (isOpening == 0) grown = 1.0 - grown;
  // The softness and the line begin and end outside of what is seen.
  float margin = 2.0 * (soft + line);
  float inside = (grown * (full + 2.0 * margin) - margin - here) / slope;
  float share = smoothstep(0.0, 1.0, inside / soft + 0.5);
  float all = smoothstep(0.0, 1.0, (inside + line) / soft + 0.5);

  vec4 outside = how == 2 ? color : isOpening == 1 ? start : end;
  vec4 within = isOpening == 1 ? end : start;
  if (line > 0.0) outside = mixed(outside, color, all);
  return mixed(outside, within, share);
}
