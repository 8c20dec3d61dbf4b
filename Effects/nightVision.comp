/*{
  "DESCRIPTION": "Looks through a light amplifier: bright, green, grainy and round.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Color"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 8, "MIN": 1, "MAX": 32, "IDENTITY": 1, "ALIASES": ["gain"],
      "DESCRIPTION": "How much the dark is amplified; white stays white"},
    {"NAME": "grain", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "Noise, new 24 times per second"},
    {"NAME": "scope", "TYPE": "float", "DEFAULT": 0.72, "MIN": 0.2, "MAX": 2,
      "DESCRIPTION": "Radius of the round view, as a part of the frame's shorter side; 2 is the whole frame"},
    {"NAME": "phosphor", "TYPE": "color", "DEFAULT": [0.25, 1, 0.35, 1],
      "DESCRIPTION": "The colour of the screen"}
  ],
  "CONSTANTS": [
    {"NAME": "moment", "TYPE": "int", "VALUE": "mod(floor(TIME * 24), 1048576)"},
    {"NAME": "grainsPerPixel", "VALUE": "540 / SIDE"},
    {"NAME": "seen", "VALUE": "grain * min(1, SIDE / 540)"}
  ]
}*/
#include "light.glsl"

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  // The screen shows light as codes: more contrast, as an amplifier has.
  float light = luminance(toLight(color.rgb));
  float level = light * amount / (1.0 + (amount - 1.0) * light);

  // Two values make a hump rather than a box. Grain is light too, so the dark has the most of it.
  ivec2 cell = ivec2(vec2(PIXEL) * grainsPerPixel);
  float speck = hash(ivec3(cell, moment)) + hash(ivec3(cell, ~moment)) - 1.0;
  level += seen * speck * (0.6 - 0.4 * level);

  vec2 fromCenter = (uv - 0.5) * RENDERSIZE / min(RENDERSIZE.x, RENDERSIZE.y);
  float radius = length(fromCenter);
  // The edge of the view is soft, and the view itself a little darker towards it.
  float dim = 1.0 - 0.35 * min(radius * radius / (scope * scope), 1.0);
  level = max(level, 0.0) * dim * (1.0 - smoothstep(scope - 0.06, scope + 0.02, radius));

  // A bright phosphor goes towards white.
  vec3 glow = mix(phosphor.rgb, vec3(1.0), 0.5 * level * level * level);
  return vec4(mix(color.rgb, glow * level, phosphor.a), color.a);
}
