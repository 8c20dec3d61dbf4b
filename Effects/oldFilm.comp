/*{
  "DESCRIPTION": "A worn silent film: faded tint, unsteady gate, flicker, dust, scratches and grain.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Film", "Retro"],
  "INPUTS": [
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0.87, 0.68, 1],
      "DESCRIPTION": "The colour that white has become; its alpha is how much of the colours has faded"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1, "ALIASES": ["wear"],
      "DESCRIPTION": "How worn it is: how much dust and how many scratches there are"},
    {"NAME": "flicker", "TYPE": "float", "DEFAULT": 0.35, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much the light changes from frame to frame"},
    {"NAME": "weave", "TYPE": "float", "DEFAULT": 0.003, "MIN": 0, "MAX": 0.03,
      "DESCRIPTION": "How far the image jumps about, as a part of the frame's shorter side"},
    {"NAME": "grain", "TYPE": "float", "DEFAULT": 0.35, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the grain is"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 18, "MIN": 1, "MAX": 60,
      "DESCRIPTION": "Frames per second of the projector: how often all this changes"}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "TYPE": "int", "VALUE": "floor(TIME * rate)"},
    {"NAME": "aside", "VALUE": "(hash(tick + 0.1) - 0.5) * weave * SIDE"},
    {"NAME": "down", "VALUE": "(hash(tick + 0.2) - 0.5) * 2 * weave * SIDE"},
    {"NAME": "lamp", "VALUE": "1 + flicker * ((hash(tick + 0.3) - 0.5) * 0.16 + (noise(TIME * 3, 2, 0) - 0.5) * 0.2)"},
    {"NAME": "across", "VALUE": "WIDTH / SIDE"},
    {"NAME": "seedX", "TYPE": "int", "VALUE": "floor(hash(tick + 0.4) * 4000)"},
    {"NAME": "seedY", "TYPE": "int", "VALUE": "floor(hash(tick + 0.6) * 4000)"},
    {"NAME": "perPixel", "VALUE": "400 / SIDE"},
    {"NAME": "seen", "VALUE": "grain * min(1, SIDE / 400)"},
    {"NAME": "thin", "VALUE": "max(0.0012, 0.6 / SIDE)"},
    {"NAME": "thinness", "VALUE": "0.0012 / thin"},
    {"NAME": "scratchA", "VALUE": "(noise(TIME * 0.7, 11, 0) * 1.4 - 0.2) * across + hash(tick + 0.5) * 0.004"},
    {"NAME": "scratchB", "VALUE": "(noise(TIME * 0.4, 23, 0) * 1.4 - 0.2) * across + hash(tick + 0.8) * 0.006"},
    {"NAME": "darkness", "VALUE": "min(1, amount * 1.6) * smoothstep(0.35, 0.6, noise(TIME * 1.9, 31, 0))"},
    {"NAME": "lightness", "VALUE": "min(1, amount * 1.6) * smoothstep(0.4, 0.6, noise(TIME * 2.3, 37, 0))"}
  ]
}*/

#include "luma.glsl"

// One speck in some cells of a grid, well inside its cell: 0 to 1, and below 0 where it is dark.
float dust(vec2 sides) {
  vec2 grid = sides * 9.0;
  ivec2 cell = ivec2(floor(grid));
  float dice = hash(ivec3(cell, tick));
  if (dice > 0.035 * amount) return 0.0;
  vec2 place = vec2(hash(ivec3(cell, tick + 1)), hash(ivec3(cell, tick + 2))) * 0.6 + 0.2;
  float radius = 0.03 + 0.1 * hash(ivec3(cell, tick + 3));
  vec2 away = grid - vec2(cell) - place;
  // No speck is round.
  float ragged = radius * (0.4 + 1.2 * noise(grid * 14.0));
  float speck = clamp((ragged - length(away * vec2(1.0, 0.6 + dice * 20.0))) / 0.03, 0.0, 1.0);
  return dice < 0.014 * amount ? -speck : speck;
}

float scratch(float x, float at) { return clamp(1.5 - abs(x - at) / thin, 0.0, 1.0) * thinness; }

vec4 effect(vec2 uv) {
  vec4 color = frame(uv + vec2(aside, down) / RENDERSIZE);
  float tone = luma(color.rgb);
  // Faded: neither black nor white is left whole.
  vec3 rgb = mix(color.rgb, tone * tint.rgb, tint.a) * 0.93 + 0.05;

  vec2 fromCenter = uv - 0.5;
  rgb *= lamp * (1.13 - 0.9 * dot(fromCenter, fromCenter));

  float speck = noise(vec2(PIXEL) * perPixel + vec2(seedX, seedY)) - 0.5;
  rgb += speck * seen * (0.16 + 0.8 * tone * (1.0 - tone));

  vec2 sides = uv * RENDERSIZE / min(RENDERSIZE.x, RENDERSIZE.y);
  // A scratch is not as deep everywhere.
  float depth = 0.35 + 0.3 * noise(vec2(uv.y * 5.0, float(tick & 1023)));
  rgb += depth * (lightness * scratch(sides.x, scratchA) - darkness * scratch(sides.x, scratchB));
  rgb += dust(sides) * 0.7;
  return vec4(clamp(rgb, 0.0, 1.0), color.a);
}
