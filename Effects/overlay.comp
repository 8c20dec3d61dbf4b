/*{
  "DESCRIPTION": "Lays an image or a video over the frame: a logo, a picture in the picture.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Mix"],
  "NEUTRAL": true,
  "INPUTS": [
    {"NAME": "image", "TYPE": "image", "OPTIONAL": false,
      "DESCRIPTION": "What is laid over the frame; its own transparency counts"},
    {"NAME": "at", "TYPE": "long", "DEFAULT": 8, "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8],
      "LABELS": ["topLeft", "top", "topRight", "left", "center", "right", "bottomLeft", "bottom", "bottomRight"],
      "DESCRIPTION": "The corner or the edge where it lies"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 8,
      "DESCRIPTION": "Its longer side, as a part of the frame's shorter side; its shape is kept"},
    {"NAME": "exact", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "One pixel of it is one pixel of the frame; size does nothing"},
    {"NAME": "margin", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Its distance from the edges, as a part of the frame's shorter side"},
    {"NAME": "x", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves it to the right, in frame widths"},
    {"NAME": "y", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves it down, in frame heights"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How opaque it is"}
  ]
}*/

vec4 picture(int which, ivec2 p) { return imagePixel(p); }
ivec2 pictureSize(int which) { return imageSize(); }
#include "scaled.glsl"

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec2 frame = vec2(frameSize());
  vec2 own = vec2(imageSize());
  // Lengths are in rows of the frame, whose pixels need not be square.
  float shorter = min(frame.x * PIXELASPECT, frame.y);
  float shape = own.x * imagePixelAspect() / own.y;
  vec2 extent = size * shorter * (shape > 1.0 ? vec2(1.0, 1.0 / shape) : vec2(shape, 1.0));
  if (exact) extent = own * vec2(imagePixelAspect(), 1.0);
  vec2 unit = vec2(1.0 / PIXELASPECT, 1.0);
  extent *= unit;
  if (min(extent.x, extent.y) <= 0.0) return pixel;

  vec2 edge = margin * shorter * unit;
  vec2 corner = edge + (frame - 2.0 * edge - extent) * vec2(at % 3, at / 3) * 0.5;
  corner += vec2(x, y) * frame;
  if (exact) corner = floor(corner + 0.5);

  vec2 here = vec2(PIXEL) + 0.5;
  float inside = amount * covered(here, corner, extent);
  if (inside <= 0.0) return pixel;
  vec2 zoom = own / extent;
  vec4 front = scaled(0, (here - corner) * zoom, zoom) * inside;
  return front.a > 0.0 ? over(front, vec4(pixel.rgb * pixel.a, pixel.a)) : pixel;
}
