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
    {"NAME": "rest", "VALUE": "max(0, apart * 0.5 - pixels)"},
    {"NAME": "taps", "TYPE": "int", "VALUE": "rest > 0.02 ? 2 : 1"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel(PIXEL);
  // Half the width to each side: between two pixels, unless one lies in the right place.
  vec3 across = vec3(0.0);
  vec3 down = vec3(0.0);
  for (int i = 0; i < taps; i++) {
    int far = pixels + i;
    float weight = i == 0 ? 1.0 - rest : rest;
    across += (framePixel(PIXEL + ivec2(far, 0)).rgb - framePixel(PIXEL - ivec2(far, 0)).rgb) * weight;
    down += (framePixel(PIXEL + ivec2(0, far)).rgb - framePixel(PIXEL - ivec2(0, far)).rgb) * weight;
  }
  // Each colour has its own outlines, so that equally bright things have outlines too.
  vec3 slopes = across * across + down * down;
  float slope = sqrt(max(slopes.r, max(slopes.g, slopes.b)));
  float line = clamp((slope - threshold) * amount * 2.0, 0.0, 1.0) * cover;
  if (colors == 0) return vec4(vec3(line), color.a);
  if (colors == 2) return vec4(mix(color.rgb, vec3(1.0), line), color.a);
  float brightest = max(color.r, max(color.g, color.b));
  return vec4(color.rgb / max(brightest, 0.15) * line, color.a);
}
