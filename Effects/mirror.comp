/*{
  "DESCRIPTION": "Keeps one part of the image and mirrors it onto the rest.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Geometry"],
  "UNCLAMPED": true,
  "INPUTS": [
    {"NAME": "keep", "TYPE": "long", "VALUES": [0, 1, 2, 3, 4, 5, 6, 7],
      "LABELS": ["left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
        "bottom-right"], "DEFAULT": 0,
      "DESCRIPTION": "The half or quarter that is kept"}
  ]
}*/

// Whole pixels are moved, so nothing is lost to filtering; the middle one of an odd side stays.
vec4 effect(vec2 uv) {
  bool keepsLeft = keep == 0 || keep == 4 || keep == 6;
  bool keepsRight = keep == 1 || keep == 5 || keep == 7;
  bool keepsTop = keep == 2 || keep == 4 || keep == 5;
  bool keepsBottom = keep == 3 || keep == 6 || keep == 7;
  ivec2 other = frameSize() - 1 - PIXEL;
  ivec2 p = PIXEL;
  if (keepsLeft) p.x = min(p.x, other.x);
  if (keepsRight) p.x = max(p.x, other.x);
  if (keepsTop) p.y = min(p.y, other.y);
  if (keepsBottom) p.y = max(p.y, other.y);
  return framePixel(p);
}
