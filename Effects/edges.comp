/*{
  "DESCRIPTION": "Shows the outlines of things, white, in their own colours or over the image.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Edges", "Stylize"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 2.5, "MIN": 0, "MAX": 8, "ALIASES": ["strength"],
      "DESCRIPTION": "How bright an outline becomes"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Smaller differences give no outline"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 0.0028, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "Width of an outline, as a part of the frame's shorter side; below a pixel it becomes fainter"},
    {"NAME": "colors", "TYPE": "long", "DEFAULT": 1, "VALUES": [0, 1, 2], "LABELS": ["white", "picture", "over"],
      "DESCRIPTION": "white outlines, outlines in the colours of the image, or white ones over the image"}
  ],
  "CONSTANTS": [
    {"NAME": "wanted", "VALUE": "width * SIDE"},
    {"NAME": "apart", "VALUE": "max(1, wanted)"},
    {"NAME": "cover", "VALUE": "wanted / apart"},
    {"NAME": "pixels", "TYPE": "int", "VALUE": "floor(apart * 0.5 + 0.02)"},
    {"NAME": "nearPart", "VALUE": "1 - max(0, apart * 0.5 - pixels)"},
    {"NAME": "rest", "VALUE": "nearPart < 0.98 ? 1 - nearPart : 0"},
    {"NAME": "more", "TYPE": "int", "VALUE": "rest > 0 ? 1 : 0"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  // Half the width to each side: between two pixels, unless one lies in the right place. A loop costs more.
  ivec2 x = ivec2(pixels, 0);
  ivec2 y = ivec2(0, pixels);
  vec3 across = (framePixel(PIXEL + x).rgb - framePixel(PIXEL - x).rgb) * nearPart;
  vec3 down = (framePixel(PIXEL + y).rgb - framePixel(PIXEL - y).rgb) * nearPart;
  x.x += more;
  y.y += more;
  across += (framePixel(PIXEL + x).rgb - framePixel(PIXEL - x).rgb) * rest;
  down += (framePixel(PIXEL + y).rgb - framePixel(PIXEL - y).rgb) * rest;
  // Each colour has its own outlines, so that equally bright things have outlines too.
  vec3 slopes = across * across + down * down;
  float slope = sqrt(max(slopes.r, max(slopes.g, slopes.b)));
  float line = clamp((slope - threshold) * amount * 2.0, 0.0, 1.0) * cover;
  if (colors == 0) return vec4(vec3(line), color.a);
  if (colors == 2) return vec4(mix(color.rgb, vec3(1.0), line), color.a);
  float brightest = max(color.r, max(color.g, color.b));
  return vec4(color.rgb / max(brightest, 0.15) * line, color.a);
}
