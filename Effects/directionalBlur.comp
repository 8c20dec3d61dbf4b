/*{
  "DESCRIPTION": "Blurs along a straight line, as a moving camera does.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur", "Motion"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 0.5, "IDENTITY": 0,
      "DESCRIPTION": "Length of the line, as a part of the frame's shorter side"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180,
      "DESCRIPTION": "Its direction in degrees, clockwise from the right: 0 is level, 90 upright"}
  ],
  "PASSES": [
    {"TARGET": "light", "HALF": true, "DESCRIPTION": "If slanted: the frame's light",
      "WIDTH": "angle % 90 != 0 ? WIDTH : 1", "HEIGHT": "angle % 90 != 0 ? HEIGHT : 1"},
    {"TARGET": "near", "HALF": true, "DESCRIPTION": "If slanted: a short piece of the line around each pixel",
      "WIDTH": "angle % 90 != 0 ? WIDTH : 1", "HEIGHT": "angle % 90 != 0 ? HEIGHT : 1"},
    {"TARGET": "far", "HALF": true, "DESCRIPTION": "If slanted: the whole line",
      "WIDTH": "angle % 90 != 0 ? WIDTH : 1", "HEIGHT": "angle % 90 != 0 ? HEIGHT : 1"},
    {"TARGET": "pieces", "FLOAT": true,
      "DESCRIPTION": "Otherwise: short pieces of it, one beside the other, with rows for columns if upright",
      "WIDTH": "12 + ceil((angle % 180 == 90 ? HEIGHT : WIDTH) / ceil(sqrt(1 + pow(amount*SIDE, 2)) / 8))",
      "HEIGHT": "angle % 180 == 90 ? WIDTH : angle % 180 == 0 ? HEIGHT : 1"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "across", "VALUE": "cos(angle * 3.141592653589793 / 180)"},
    {"NAME": "down", "VALUE": "sin(angle * 3.141592653589793 / 180)"},
    {"NAME": "steepest", "VALUE": "max(abs(across), abs(down))"},
    {"NAME": "steps", "VALUE": "sqrt(1 + pow(amount * SIDE * steepest, 2))"},
    {"NAME": "isAlone", "VALUE": "steps < 1.001"},
    {"NAME": "isSlanted", "VALUE": "angle % 90 != 0"},
    {"NAME": "isUpright", "VALUE": "angle % 180 == 90"},
    {"NAME": "members", "VALUE": "min(2 * round((sqrt(steps / 2) - 1) / 2) + 1, 7)"},
    {"NAME": "wide", "VALUE": "max(steps / (members * 11), 1)"},
    {"NAME": "strideX", "VALUE": "across / steepest * wide"},
    {"NAME": "strideY", "VALUE": "down / steepest * wide"},
    {"NAME": "count", "VALUE": "max(steps / wide / members, 1)"},
    {"NAME": "size", "VALUE": "ceil(steps / 8)"},
    {"NAME": "overlaps", "VALUE": "size > 5"},
    {"NAME": "taps", "TYPE": "int", "VALUE": "overlaps != 0 ? min(2 * size, 20) : size"},
    {"NAME": "gap", "VALUE": "(overlaps != 0 ? 2 * size : size) / taps"},
    {"NAME": "share", "VALUE": "(overlaps != 0 ? 2 : 1) / taps"},
    {"NAME": "shift", "VALUE": "overlaps != 0 ? 0.5 * (gap - size) : 0.5"},
    {"NAME": "middle", "VALUE": "0.5 * (size - 1)"},
    {"NAME": "total", "VALUE": "sqrt(steps*steps - (overlaps != 0 ? 3*size*size : 0))"},
    {"NAME": "reach", "VALUE": "0.5 * (total + size)"}
  ]
}*/
#include "gather.glsl"

// A level or upright line is summed in pieces of an eighth of it, one beside the other, so that each pixel of the frame is
// read once; 9 pieces make the line. Those at its ends count as much as it reaches into them. Pieces of more than 5 pixels
// would show there; they overlap by half, with slopes, and if longer than 10 have gaps.
// Those of a slanted line would have jagged edges. Its pixels are one of each row or column that it crosses; a short piece of
// them around each pixel, at several places in a row, makes the whole: 18 reads do the work of 77. A line with more pixels
// than that has gaps, elsewhere for each pixel.
// Reads stand one by one because software drivers take much longer for loops.
const int MARGIN = 6;

ivec2 turned(ivec2 p) { return isUpright > 0.5 ? p.yx : p; }

#if PASSINDEX == 1
vec4 at(float i) { return lightPixel(PIXEL + ivec2(floor(i * vec2(strideX, strideY) + 0.5))); }
#elif PASSINDEX == 2
vec4 both(float i) {
  vec2 off = i * members * vec2(strideX, strideY);
  return clamp(0.5 * count + 0.5 - i, 0.0, 1.0)
    * (nearPixel(PIXEL + ivec2(floor(0.5 - off))) + nearPixel(PIXEL + ivec2(floor(0.5 + off))));
}
#elif PASSINDEX == 3
vec4 at(float i) {
  float off = floor(i * gap + shift);
  return gathered(turned(ivec2(float(PIXEL.x - MARGIN) * size + off, PIXEL.y)), isAlone > 0.5)
    * (overlaps > 0.5 ? max(1.0 - abs(off - middle) / size, 0.0) : 1.0);
}
#else
#define PIECE(i) clamp(reach - abs(away + i * size), 0.0, size) * piecesPixel(here + ivec2(i, 0))
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  return gathered(PIXEL, isAlone > 0.5);
#elif PASSINDEX == 1
  float off = wide > 1.0 ? hash(PIXEL) - 0.5 : 0.0;
  vec4 sum = at(off);
  if (members > 2.0) sum += at(off - 1.0) + at(off + 1.0);
  if (members > 4.0) sum += at(off - 2.0) + at(off + 2.0);
  if (members > 6.0) sum += at(off - 3.0) + at(off + 3.0);
  return sum / members;
#elif PASSINDEX == 2
  return (nearPixel(PIXEL) + both(1.0) + both(2.0) + both(3.0) + both(4.0) + both(5.0)) / count;
#elif PASSINDEX == 3
  vec4 sum = at(0.0);
  if (overlaps > 0.5) {
    for (int i = 1; i < taps; i++) sum += at(float(i));
  } else {
    if (taps > 1) sum += at(1.0);
    if (taps > 2) sum += at(2.0);
    if (taps > 3) sum += at(3.0);
    if (taps > 4) sum += at(4.0);
  }
  return sum * share;
#else
  ivec2 here = turned(PIXEL);
  float place = float(here.x);
  float nearest = floor((place + 0.5) / size);
  float away = nearest * size - place + middle;
  here.x = int(nearest) + MARGIN;
  vec4 sum = PIECE(0) + PIECE(-1) + PIECE(1) + PIECE(-2) + PIECE(2) + PIECE(-3) + PIECE(3) + PIECE(-4) + PIECE(4);
  return colorOf(isSlanted > 0.5 ? farPixel(PIXEL) : sum / total, isAlone > 0.5);
#endif
}
