/*{
  "DESCRIPTION": "Brings out fine detail without bright seams along strong edges.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Sharpen"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How much detail is added"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.0014, "MIN": 0, "MAX": 0.01,
      "DESCRIPTION": "How fine the detail is, in frame heights, at least a pixel"},
    {"NAME": "seam", "TYPE": "float", "DEFAULT": 0.2, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far a pixel may go beyond its neighbours: 0 not at all, 1 freely"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.01, "MIN": 0, "MAX": 0.2,
      "DESCRIPTION": "Differences below it are taken for noise and left as they are"}
  ],
  "CONSTANTS": [
    {"NAME": "apart", "TYPE": "int", "VALUE": "max(1, round(radius * HEIGHT))"}
  ]
}*/

#include "light.glsl"
#include "luma.glsl"

float least;
float most;

// The brightness of a neighbour, as light.
float at(int x, int y) {
  float bright = luma(framePixel(PIXEL + ivec2(x, y) * apart).rgb);
  least = min(least, bright);
  most = max(most, bright);
  return bright * bright;
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel(PIXEL);
  float here = luma(color.rgb);
  least = here;
  most = here;
  float light = 4.0 * here * here + 2.0 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1))
    + at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1);
  float detail = here - sqrt(light * (1.0 / 16.0));
  detail = sign(detail) * max(abs(detail) - threshold * 0.5, 0.0) * amount * 2.0;
  float beyond = seam * seam + (most - least) * seam;
  float sharp = clamp(here + detail, least - beyond, most + beyond);
  // All colours change by the same amount, so that hues stay.
  return vec4(clamp(color.rgb + (sharp - here), 0.0, 1.0), color.a);
}
