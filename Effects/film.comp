/*{
  "DESCRIPTION": "The look of cinema film: soft contrast, red light round bright things, grain, an unsteady gate.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Film", "Color"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the look: all of the following together; 0 changes nothing"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How deep the curve of the print bends, with blue-green shadows and warm lights"},
    {"NAME": "halation", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the red glow round bright things is"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.025, "MIN": 0, "MAX": 0.1,
      "DESCRIPTION": "How far the glow reaches, as a part of the frame's shorter side"},
    {"NAME": "grain", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How strong the grain is"},
    {"NAME": "weave", "TYPE": "float", "DEFAULT": 0.0012, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "How far the image moves in the gate, as a part of the frame's shorter side"},
    {"NAME": "fade", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How faded the print is: black is no longer black, colours are weaker"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 24, "MIN": 1, "MAX": 60,
      "DESCRIPTION": "Frames of film per second: how often grain and gate change"}
  ],
  "PASSES": [
    {"TARGET": "bright", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * 90), 1, 4096)",
      "HEIGHT": "clamp(ceil(HEIGHT / SIDE * 90), 1, 4096)", "DESCRIPTION": "The light that is bright enough to scatter"},
    {"TARGET": "across", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * 90), 1, 4096)",
      "HEIGHT": "clamp(ceil(HEIGHT / SIDE * 90), 1, 4096)"},
    {"TARGET": "glow", "FLOAT": true, "WIDTH": "clamp(ceil(WIDTH / SIDE * 90), 1, 4096)",
      "HEIGHT": "clamp(ceil(HEIGHT / SIDE * 90), 1, 4096)"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "VALUE": "mod(floor(TIME * rate + 0.01), 65536)"},
    {"NAME": "seedX", "TYPE": "int", "VALUE": "floor(hash(tick + 0.5) * 1000000)"},
    {"NAME": "seedY", "TYPE": "int", "VALUE": "floor(hash(tick + 0.7) * 1000000)"},
    {"NAME": "aside", "VALUE": "(noise(tick * 0.31, 3, 0) + 0.4 * hash(tick + 0.1) - 0.7) * weave * amount * SIDE"},
    {"NAME": "down", "VALUE": "(noise(tick * 0.23, 7, 0) + 0.6 * hash(tick + 0.2) - 0.8) * 1.5 * weave * amount * SIDE"},
    {"NAME": "falling", "VALUE": "exp(-1 / max(0.3, pow(radius * 90 * 0.5, 2) * 2))"},
    {"NAME": "reach", "TYPE": "int", "VALUE": "ceil(min(radius * 90 * 1.3, 12)) + 1"},
    {"NAME": "perPixel", "VALUE": "540 / SIDE"},
    {"NAME": "seen", "VALUE": "min(1, SIDE / 540)"},
    {"NAME": "bend", "VALUE": "contrast * amount"},
    {"NAME": "scatter", "VALUE": "halation * amount"},
    {"NAME": "grainy", "VALUE": "grain * amount * seen"},
    {"NAME": "faded", "VALUE": "fade * amount"}
  ]
}*/

#include "light.glsl"
#include "luma.glsl"

#if PASSINDEX == 3
// Three values from the 24 bits of one; exact, because only powers of two are multiplied.
vec3 grains(ivec2 p) { return fract(hash(p + ivec2(seedX, seedY)) * vec3(1.0, 256.0, 65536.0)); }
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 16; i++) {
    vec2 at = uv + (vec2(i & 3, i >> 2) - 1.5) * 0.25 / RENDERSIZE;
    vec4 color = framePixel(ivec2(at * vec2(frameSize())));
    vec3 light = toLight(color.rgb) * color.a;
    sum += light * smoothstep(0.3, 0.9, luminance(light));
  }
  return vec4(sum * 0.0625, 1.0);
#elif PASSINDEX < 3
  // A bell, each of whose weights comes from the one before: falling to the power of 1, 3, 5...
  vec3 sum = vec3(0.0);
  float total = 0.0;
  float weight = 1.0;
  float factor = falling;
  for (int i = 0; i <= reach; i++) {
#if PASSINDEX == 1
    vec3 both = brightPixel(PIXEL + ivec2(i, 0)).rgb + brightPixel(PIXEL - ivec2(i, 0)).rgb;
#else
    vec3 both = acrossPixel(PIXEL + ivec2(0, i)).rgb + acrossPixel(PIXEL - ivec2(0, i)).rgb;
#endif
    float counted = i == 0 ? 0.5 * weight : weight;
    sum += both * counted;
    total += 2.0 * counted;
    weight *= factor;
    factor *= falling * falling;
  }
  return vec4(sum / total, 1.0);
#else
  vec2 place = uv + vec2(aside, down) / RENDERSIZE;
  vec4 color = frame(place);
  vec3 light = toLight(color.rgb);
  // Light goes through the film and comes back from behind it, into the red layer first. Where it is bright already
  // nothing can be added.
  float spread = luminance(glow(place).rgb);
  light += scatter * spread * vec3(2.2, 0.55, 0.12) * (1.0 - min(light, vec3(1.0)));
  vec3 code = toCode(light);

  // The curve of a print: dark and bright bend, the middle keeps its place; shadows lean to blue-green, lights to
  // yellow.
  vec3 curved = code * code * (3.0 - 2.0 * code);
  code = mix(code, curved, 0.55 * bend);
  float tone = luma(code);
  code += bend * vec3(0.035, 0.008, -0.04) * (smoothstep(0.2, 0.9, tone) * 1.4 - 0.7) * (1.0 - tone * tone * tone);
  code = mix(code, mix(vec3(tone), code, 0.75) * 0.86 + vec3(0.085, 0.075, 0.07), faded);

  // Grain lies in all three layers, finer in red than in blue, and shows in the middle tones.
  vec2 p = mat2(0.8, 0.6, -0.6, 0.8) * (vec2(PIXEL) + 0.5) * perPixel;
  vec2 corner = floor(p);
  vec2 w = p - corner;
  ivec2 i = ivec2(corner);
  vec3 speck = mix(mix(grains(i), grains(i + ivec2(1, 0)), w.x),
    mix(grains(i + ivec2(0, 1)), grains(i + 1), w.x), w.y) - 0.5;
  speck = mix(speck.ggg, speck, 0.35);
  tone = clamp(tone, 0.0, 1.0);
  code += speck * grainy * (0.08 + 1.1 * tone * (1.0 - tone));
  return vec4(clamp(code, 0.0, 1.0), color.a);
#endif
}
