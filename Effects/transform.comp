/*{
  "DESCRIPTION": "Moves, turns, zooms, crops, flips and tilts the picture within the frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Geometry"],
  "NEUTRAL": true,
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -3600, "MAX": 3600, "IDENTITY": 0,
      "DESCRIPTION": "How far it is turned, in degrees, clockwise"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 1, "MIN": 0.02, "MAX": 50, "IDENTITY": 1,
      "DESCRIPTION": "How many times as large it is"},
    {"NAME": "x", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "Moves it to the right, in frame widths"},
    {"NAME": "y", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "Moves it down, in frame heights"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point round which it is turned and zoomed; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "flip", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3], "IDENTITY": 0,
      "LABELS": ["none", "horizontal", "vertical", "both"], "DESCRIPTION": "Which sides change places"},
    {"NAME": "keystone", "TYPE": "point2D", "DEFAULT": [0, 0], "MIN": [-1, -1], "MAX": [1, 1], "IDENTITY": [0, 0],
      "DESCRIPTION": "Tilts it: 0.3/0 makes the right side larger, 0/0.3 the lower side"},
    {"NAME": "left", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "What is cropped at the left, as a part of the frame's width"},
    {"NAME": "right", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "The same at the right"},
    {"NAME": "top", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "What is cropped at the top, as a part of the frame's height"},
    {"NAME": "bottom", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "The same at the bottom"},
    {"NAME": "fill", "TYPE": "bool", "DEFAULT": false, "IDENTITY": false,
      "DESCRIPTION": "Enlarges what is left after cropping and turning just enough to fill the frame"},
    {"NAME": "edge", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3],
      "LABELS": ["color", "mirror", "repeat", "stretch"],
      "DESCRIPTION": "What shows beyond the picture: a colour, the picture mirrored or repeated, or its last pixels"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour beyond the picture; 00000000 is transparent"}
  ],
  "CONSTANTS": [
    {"NAME": "turnX", "VALUE": "cos(fract(angle / 360) * 6.283185307179586)"},
    {"NAME": "turnY", "VALUE": "sin(fract(angle / 360) * 6.283185307179586)"},
    {"NAME": "wide", "VALUE": "WIDTH / SIDE"},
    {"NAME": "high", "VALUE": "HEIGHT / SIDE"},
    {"NAME": "keptX", "VALUE": "max(1 - left - right, 0.0001)"},
    {"NAME": "keptY", "VALUE": "max(1 - top - bottom, 0.0001)"},
    {"NAME": "firstX", "VALUE": "min(left, 1 - keptX)"},
    {"NAME": "firstY", "VALUE": "min(top, 1 - keptY)"},
    {"NAME": "coverX", "VALUE": "(wide * abs(turnX) + high * abs(turnY)) / (wide * keptX)"},
    {"NAME": "coverY", "VALUE": "(wide * abs(turnY) + high * abs(turnX)) / (high * keptY)"},
    {"NAME": "shrink", "VALUE": "1 / (zoom * (fill != 0 ? max(coverX, coverY) : 1))"},
    {"NAME": "sourceX", "VALUE": "fill != 0 ? firstX + 0.5 * keptX : center.x"},
    {"NAME": "sourceY", "VALUE": "fill != 0 ? firstY + 0.5 * keptY : center.y"},
    {"NAME": "placeX", "VALUE": "(fill != 0 ? 0.5 : center.x) + x"},
    {"NAME": "placeY", "VALUE": "(fill != 0 ? 0.5 : center.y) + y"},
    {"NAME": "flipX", "VALUE": "flip % 2 == 1 ? -shrink : shrink"},
    {"NAME": "flipY", "VALUE": "flip >= 2 ? -shrink : shrink"},
    {"NAME": "period", "VALUE": "edge == 1 ? 2 : edge == 2 ? 1 : 0"},
    {"NAME": "perPart", "VALUE": "edge == 1 ? 0.5 : edge == 2 ? 1 : 0"},
    {"NAME": "turnBack", "VALUE": "edge == 1 ? 2 : 1000000"}
  ]
}*/

vec4 picture(int which, ivec2 p) { return framePixel(p); }
#include "nine.glsl"

// The colour around a place of the picture, with alpha multiplied in. A pixel covers span of its pixels.
vec4 shown(vec2 place, vec2 span) {
  vec2 first = vec2(firstX, firstY);
  vec2 kept = vec2(keptX, keptY);
  vec2 part = (place - first) / kept;
  // Repeated or mirrored, without branches, because all of them are computed.
  part -= period * floor(part * perPart);
  part = min(part, turnBack - part);
  vec2 p = (first + part * kept) * RENDERSIZE - 0.5;
  // What was cropped does not shine through at the edge.
  vec2 least = floor(first * RENDERSIZE + 0.5);
  vec2 most = max(floor((first + kept) * RENDERSIZE + 0.5) - 1.0, least);
  return nine(0, p, span, least, most);
}

vec4 effect(vec2 uv) {
  // Where this pixel lies in the picture: turned and zoomed, divided by how far away the tilt puts it, and how far from
  // there the next pixel to the right and the next one below lie. Beyond the horizon of the tilt there is no picture.
  vec2 sides = vec2(wide * PIXELASPECT, high);
  vec2 alongX = vec2(flipX * turnX, -flipY * turnY * sides.x / sides.y);
  vec2 alongY = vec2(flipX * turnY * sides.y / sides.x, flipY * turnX);
  vec2 tilt = keystone * sides;
  vec2 here = uv - vec2(placeX, placeY);
  float nearness = 1.0 / max(1.0 + dot(tilt, here), 0.001);
  vec2 away = (alongX * here.x + alongY * here.y) * nearness;
  vec2 middle = vec2(sourceX, sourceY) + away;
  vec2 toRight = (alongX - away * tilt.x) * (nearness / RENDERSIZE.x);
  vec2 down = (alongY - away * tilt.y) * (nearness / RENDERSIZE.y);
  vec4 sum = shown(middle, max(abs(toRight), abs(down)) * RENDERSIZE);

  if (edge == 0) {
    // How much of this pixel the picture covers: its edge is as soft as a pixel.
    vec2 part = (middle - vec2(firstX, firstY)) / vec2(keptX, keptY);
    vec2 across = (abs(toRight) + abs(down)) / vec2(keptX, keptY);
    vec2 cover = clamp((0.5 - abs(part - 0.5)) / max(across, vec2(1e-6)) + 0.5, 0.0, 1.0);
    float covered = cover.x * cover.y;
    sum = sum * covered + vec4(color.rgb * color.a, color.a) * (1.0 - covered);
  }
  return vec4(sum.rgb / max(sum.a, 1e-6), sum.a);
}
