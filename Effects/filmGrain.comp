/*{
  "DESCRIPTION": "The grain of film, strongest in the middle tones, new in every frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Film"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.28, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How strong the grain is"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.0022, "MIN": 0.0005, "MAX": 0.02,
      "DESCRIPTION": "Size of a grain, as a part of the frame's shorter side; below a pixel it becomes fainter"},
    {"NAME": "colored", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "LABEL": "Coloured", "DESCRIPTION": "0 is the grain of black-and-white film, 1 differs in each colour"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 24, "MIN": 0, "MAX": 60,
      "DESCRIPTION": "How many times per second the grain changes; 0 never"}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "VALUE": "floor(TIME * rate)"},
    {"NAME": "seedX", "TYPE": "int", "VALUE": "floor(hash(tick + 0.5) * 1000000)"},
    {"NAME": "seedY", "TYPE": "int", "VALUE": "floor(hash(tick + 0.7) * 1000000)"},
    {"NAME": "perPixel", "VALUE": "1 / (size * SIDE)"},
    {"NAME": "seen", "VALUE": "amount * min(1, size * SIDE)"}
  ]
}*/

#include "luma.glsl"

// Three values from the 24 bits of one; exact, because only powers of two are multiplied.
vec3 grains(ivec2 p) {
  return fract(hash(p + ivec2(seedX, seedY)) * vec3(1.0, 256.0, 65536.0));
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  // Turned, so that no grain lies along rows and columns.
  vec2 p = mat2(0.8, 0.6, -0.6, 0.8) * (vec2(PIXEL) + 0.5) * perPixel;
  vec2 corner = floor(p);
  vec2 w = p - corner;
  ivec2 i = ivec2(corner);
  vec3 grain = mix(
    mix(grains(i), grains(i + ivec2(1, 0)), w.x),
    mix(grains(i + ivec2(0, 1)), grains(i + ivec2(1, 1)), w.x), w.y) - 0.5;
  grain = mix(grain.ggg, grain, colored);
  // Neither clear nor full film has visible grains.
  float tone = luma(color.rgb);
  float strength = seen * (0.1 + 1.4 * tone * (1.0 - tone));
  return vec4(clamp(color.rgb + grain * strength, 0.0, 1.0), color.a);
}
