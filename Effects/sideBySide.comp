/*{
  "DESCRIPTION": "Shows the frame and another picture beside each other, or one above the other.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Mix"],
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "image", "TYPE": "image", "OPTIONAL": false, "DESCRIPTION": "The other picture"},
    {"NAME": "above", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "The frame lies above the other picture instead of to the left of it"},
    {"NAME": "swap", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "The frame lies to the right or below instead"},
    {"NAME": "fill", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Fills both halves and cuts what does not fit; otherwise both are shown whole"},
    {"NAME": "split", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Where the second half begins, as a part of the frame"},
    {"NAME": "gap", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "The distance between the halves, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour around the pictures; 00000000 is transparent"}
  ]
}*/

vec4 picture(int which, ivec2 p) { return which == 0 ? framePixel(p) : imagePixel(p); }
ivec2 pictureSize(int which) { return which == 0 ? frameSize() : imageSize(); }
#include "scaled.glsl"

// A picture in a rectangle of the frame, with alpha multiplied in; nothing where it does not lie.
vec4 placed(int which, vec2 here, vec2 corner, vec2 room) {
  if (min(room.x, room.y) <= 0.0) return vec4(0.0);
  vec2 own = vec2(pictureSize(which));
  // The sides of its shape, in pixels of the frame.
  vec2 sides = own * vec2(which == 0 ? 1.0 : imagePixelAspect() / PIXELASPECT, 1.0);
  vec2 ratio = room / sides;
  vec2 extent = sides * (fill ? max(ratio.x, ratio.y) : min(ratio.x, ratio.y));
  float inside = covered(here, corner, room);
  corner += 0.5 * (room - extent);
  inside = min(inside, covered(here, corner, extent));
  if (inside <= 0.0) return vec4(0.0);
  vec2 zoom = own / extent;
  return scaled(which, (here - corner) * zoom, zoom) * inside;
}

vec4 effect(vec2 uv) {
  vec2 frame = vec2(frameSize());
  // The way from the first half to the second one.
  vec2 way = above ? vec2(0.0, 1.0) : vec2(1.0, 0.0);
  float between = gap * min(frame.x * PIXELASPECT, frame.y) / (above ? 1.0 : PIXELASPECT);
  float whole = dot(frame, way);
  float border = split * whole;
  float end = max(border - 0.5 * between, 0.0);
  float begin = min(border + 0.5 * between, whole);

  vec2 here = vec2(PIXEL) + 0.5;
  bool isFirst = dot(here, way) < border;
  vec2 across = frame * (1.0 - way);
  vec4 front = isFirst
    ? placed(swap ? 1 : 0, here, vec2(0.0), across + way * end)
    : placed(swap ? 0 : 1, here, way * begin, across + way * (whole - begin));
  return over(front, vec4(color.rgb * color.a, color.a));
}
