/*{
  "DESCRIPTION": "Shows the outlines of things (Sobel), white, in their own colours or over the image.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "strength", "TYPE": "float", "DEFAULT": 2.5, "MIN": 0, "MAX": 8,
      "DESCRIPTION": "How bright an outline becomes"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Smaller differences give no outline"},
    {"NAME": "width", "TYPE": "float", "DEFAULT": 0.0014, "MIN": 0, "MAX": 0.01,
      "DESCRIPTION": "How far apart pixels are compared, in frame heights, at least a pixel"},
    {"NAME": "colors", "TYPE": "long", "DEFAULT": 1, "VALUES": [0, 1, 2], "LABELS": ["white", "picture", "over"],
      "DESCRIPTION": "white outlines, outlines in the colours of the image, or white ones over the image"}
  ],
  "CONSTANTS": [
    {"NAME": "apart", "TYPE": "int", "VALUE": "max(1, round(width * HEIGHT))"}
  ]
}*/

vec3 at(int x, int y) { return framePixel(PIXEL + ivec2(x, y) * apart).rgb; }

vec4 effect(vec2 uv) {
  vec4 color = framePixel(PIXEL);
  vec3 nw = at(-1, -1);
  vec3 ne = at(1, -1);
  vec3 sw = at(-1, 1);
  vec3 se = at(1, 1);
  vec3 across = ne + 2.0 * at(1, 0) + se - nw - 2.0 * at(-1, 0) - sw;
  vec3 down = sw + 2.0 * at(0, 1) + se - nw - 2.0 * at(0, -1) - ne;
  // Each colour has its own outlines, so that equally bright things have outlines too.
  vec3 slopes = across * across + down * down;
  float slope = sqrt(max(slopes.r, max(slopes.g, slopes.b))) * 0.25;
  float line = clamp((slope - threshold) * strength * 2.0, 0.0, 1.0);
  if (colors == 0) return vec4(vec3(line), color.a);
  if (colors == 2) return vec4(mix(color.rgb, vec3(1.0), line), color.a);
  float brightest = max(color.r, max(color.g, color.b));
  return vec4(color.rgb / max(brightest, 0.15) * line, color.a);
}
