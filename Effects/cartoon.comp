/*{
  "DESCRIPTION": "An animated cartoon: flat, strong colours inside dark outlines.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "outline", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How dark the outlines are"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.09, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How much two tones must differ for an outline between them"},
    {"NAME": "levels", "TYPE": "long", "DEFAULT": 6, "MIN": 2, "MAX": 24,
      "DESCRIPTION": "How many tones are left"},
    {"NAME": "smoothing", "TYPE": "float", "DEFAULT": 0.0045, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "How far similar colours blend, in frame heights"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.3, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"}
  ],
  "CONSTANTS": [
    {"NAME": "apart", "TYPE": "int", "VALUE": "max(1, round(0.0016 * HEIGHT))"},
    {"NAME": "near", "TYPE": "int", "VALUE": "round(smoothing * HEIGHT * 0.5)"},
    {"NAME": "far", "TYPE": "int", "VALUE": "round(smoothing * HEIGHT)"},
    {"NAME": "top", "VALUE": "levels - 1"}
  ]
}*/

#include "luma.glsl"

vec4 sum;
vec3 center;

// Adds a pixel; the more it differs from the middle one, the less it counts.
void gather(vec3 rgb) {
  vec3 apart = rgb - center;
  float weight = 1.0 / (1.0 + 150.0 * dot(apart, apart));
  sum += vec4(rgb, 1.0) * weight;
}

vec3 at(int x, int y) {
  vec3 rgb = framePixel(PIXEL + ivec2(x, y)).rgb;
  gather(rgb);
  return rgb;
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel(PIXEL);
  center = color.rgb;
  sum = vec4(center, 1.0);
  float nw = luma(at(-apart, -apart));
  float ne = luma(at(apart, -apart));
  float sw = luma(at(-apart, apart));
  float se = luma(at(apart, apart));
  float across = ne + 2.0 * luma(at(apart, 0)) + se - nw - 2.0 * luma(at(-apart, 0)) - sw;
  float down = sw + 2.0 * luma(at(0, apart)) + se - nw - 2.0 * luma(at(0, -apart)) - ne;
  at(far, near);
  at(-far, -near);
  at(-near, far);
  at(near, -far);
  at(far, -near);
  at(-far, near);
  at(near, far);
  at(-near, -far);

  vec3 flattened = sum.rgb / sum.a;
  float tone = luma(flattened);
  float scaled = tone * top;
  float whole = floor(scaled);
  // Soft steps do not flicker.
  float level = (whole + smoothstep(0.25, 0.75, scaled - whole)) / top;
  vec3 rgb = max(mix(vec3(tone), flattened, saturation), vec3(0.0)) * (level / max(tone, 1.0 / 255.0));
  float slope = sqrt(across * across + down * down) * 0.25;
  float line = clamp((slope - threshold) * 12.0, 0.0, 1.0);
  return vec4(min(rgb * (1.0 - outline * line), vec3(1.0)), color.a);
}
