/*{
  "DESCRIPTION": "Writes words over the frame: a title, the time, the number of the frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Text", "Mix"],
  "INPUTS": [
    {"NAME": "text", "TYPE": "text", "DEFAULT": "{timecode}", "SIZE": "size * min(WIDTH, HEIGHT)",
      "WIDTH": "WIDTH - 2 * margin * min(WIDTH, HEIGHT)", "OUTLINE": "outline * size * min(WIDTH, HEIGHT)",
      "ALIGN": "at % 3",
      "DESCRIPTION": "The words; \\n begins a new line; {time}, {timecode}, {frame}, {date}, {clock} and {name} are those of the frame"},
    {"NAME": "font", "TYPE": "font", "DEFAULT": "DejaVu Sans",
      "DESCRIPTION": "The name of a font that is installed, or the path of a font file"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.08, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "The height of a line, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [1, 1, 1, 1], "DESCRIPTION": "The colour of the letters"},
    {"NAME": "outline", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "The width of the line round the letters, as a part of size"},
    {"NAME": "outlineColor", "TYPE": "color", "DEFAULT": [0, 0, 0, 1], "DESCRIPTION": "Its colour"},
    {"NAME": "box", "TYPE": "color", "DEFAULT": [0, 0, 0, 0],
      "DESCRIPTION": "The colour of a box behind the words, such as 000000a0; none by default"},
    {"NAME": "at", "TYPE": "long", "DEFAULT": 7, "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8],
      "LABELS": ["topLeft", "top", "topRight", "left", "center", "right", "bottomLeft", "bottom", "bottomRight"],
      "DESCRIPTION": "The corner or the edge where they lie"},
    {"NAME": "margin", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Their distance from the edges, as a part of the frame's shorter side"},
    {"NAME": "x", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves them to the right, in frame widths"},
    {"NAME": "y", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves them down, in frame heights"}
  ]
}*/

vec4 picture(int which, ivec2 p) { return vec4(textPixel(p).rg, 0.0, 1.0); }
ivec2 pictureSize(int which) { return textSize(); }
#include "scaled.glsl"

vec4 multiplied(vec4 color, float share) { return vec4(color.rgb, 1.0) * color.a * share; }

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec2 frame = vec2(frameSize());
  vec2 own = vec2(textSize());
  // The frame's pixels need not be square.
  float shorter = min(frame.x * PIXELASPECT, frame.y);
  vec2 unit = vec2(1.0 / PIXELASPECT, 1.0);
  // Words whose size changes are drawn at the largest one. Sizes are whole numbers of pixels.
  float grown = max(round(size * min(frame.x, frame.y)), 1.0) / textLine();
  vec2 extent = own * grown * unit;
  if (size <= 0.0 || min(extent.x, extent.y) <= 0.0) return pixel;

  vec2 edge = margin * shorter * unit;
  vec2 corner = edge + (frame - 2.0 * edge - extent) * vec2(at % 3, at / 3) * 0.5;
  corner = floor(corner + vec2(x, y) * frame + 0.5);
  vec2 here = vec2(PIXEL) + 0.5;
  float inside = covered(here, corner, extent);
  if (inside <= 0.0) return pixel;

  vec2 zoom = own / extent;
  vec2 letters = scaled(0, (here - corner) * zoom, zoom).rg * inside;
  // The outline lies round the letters and not under them, where a half-transparent colour would show it.
  vec4 front = multiplied(color, letters.r) + multiplied(outlineColor, max(letters.g - letters.r, 0.0));
  front += multiplied(box, inside) * (1.0 - front.a);
  return front.a > 0.0 ? over(front, vec4(pixel.rgb * pixel.a, pixel.a)) : pixel;
}
