/*{
  "DESCRIPTION": "A worn video cassette: soft image, bleeding colours, trembling lines, noise and a bad track.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Retro", "Glitch"],
  "INPUTS": [
    {"NAME": "bleed", "TYPE": "float", "DEFAULT": 0.012, "MIN": 0, "MAX": 0.06,
      "DESCRIPTION": "How far colours run to the right, in frame heights"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.004, "MIN": 0, "MAX": 0.02,
      "DESCRIPTION": "How far brightness is smeared along a line, in frame heights"},
    {"NAME": "jitter", "TYPE": "float", "DEFAULT": 0.0025, "MIN": 0, "MAX": 0.05,
      "DESCRIPTION": "How far lines tremble sideways, in frame heights"},
    {"NAME": "tracking", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bad the wandering band and the lowest lines are"},
    {"NAME": "snow", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How strong the noise is"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 1.15, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "Strength of the colours"}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "TYPE": "int", "VALUE": "floor(TIME * 25)"},
    {"NAME": "lineRows", "TYPE": "int", "VALUE": "max(1, round(HEIGHT / 288))"},
    {"NAME": "grainColumns", "TYPE": "int", "VALUE": "max(1, round(HEIGHT / 200))"},
    {"NAME": "jitterPixels", "VALUE": "jitter * HEIGHT"},
    {"NAME": "tearPixels", "VALUE": "tracking * HEIGHT * 0.06"},
    {"NAME": "bandAt", "VALUE": "1.15 - fract(TIME * 0.11 + 0.45) * 1.3"},
    {"NAME": "swayAt", "VALUE": "TIME * 2.3"},
    {"NAME": "soft", "TYPE": "int", "VALUE": "round(softness * HEIGHT * 0.75)"},
    {"NAME": "bleedPixels", "VALUE": "bleed * HEIGHT"},
    {"NAME": "bleed0", "TYPE": "int", "VALUE": "round(bleedPixels * 0.5)"},
    {"NAME": "bleed1", "TYPE": "int", "VALUE": "round(bleedPixels * 0.25)"},
    {"NAME": "bleed2", "TYPE": "int", "VALUE": "round(bleedPixels)"},
    {"NAME": "bleed3", "TYPE": "int", "VALUE": "round(bleedPixels * 1.6)"}
  ]
}*/

#include "luma.glsl"

// A pixel a bit to the right of a colour has some of it: the colours' signal is slow.
vec3 chroma(vec3 code) { return code - luma(code); }

vec4 effect(vec2 uv) {
  int row = PIXEL.y / lineRows;
  float dice = hash(ivec2(row, tick));
  // 1 in the middle of the wandering band, and in the lowest lines, where the heads change over.
  float band = clamp(1.0 - abs(uv.y - bandAt) * 14.0, 0.0, 1.0);
  float foot = clamp((uv.y - 0.975) * 40.0, 0.0, 1.0);
  float tear = band * band * (dice * 0.8 + 0.1) + foot * (0.6 + 0.4 * dice);
  float sway = noise(vec2(uv.y * 6.0, swayAt)) * 2.0 - 1.0;
  int aside = int(floor(((dice - 0.5) + sway) * jitterPixels + tear * tearPixels + 0.5));
  ivec2 p = PIXEL + ivec2(aside, 0);

  vec4 middle = framePixel(p);
  vec3 left = framePixel(p - ivec2(soft, 0)).rgb;
  vec3 right = framePixel(p + ivec2(soft, 0)).rgb;
  float y = luma(middle.rgb) * 0.4 + luma(left + right) * 0.3;

  vec3 color = chroma(framePixel(p + ivec2(bleed1, 0)).rgb) * 0.2
    + chroma(framePixel(p - ivec2(bleed0, 0)).rgb) * 0.35
    + chroma(framePixel(p - ivec2(bleed2, 0)).rgb) * 0.3
    + chroma(framePixel(p - ivec2(bleed3, 0)).rgb) * 0.15;

  float grain = hash(ivec3(PIXEL.x / grainColumns, row, tick)) - 0.5;
  float loud = snow * (1.0 + 4.0 * tracking * (band + foot));
  // White dashes that fade where the tape has lost its coating, in the band only.
  int dashColumns = grainColumns * 16;
  int along = PIXEL.x + int(dice * 64.0) * grainColumns;
  float dash = step(1.0 - 0.09 * tracking * band, hash(ivec3(along / dashColumns, row, tick + 7)));
  y += grain * loud + dash * 0.7 * (1.0 - float(along % dashColumns) / float(dashColumns));
  color *= saturation * (1.0 + grain * snow * 2.0) * (1.0 - 0.7 * tracking * max(band, foot));
  // Tape holds neither the deepest black nor the brightest white.
  return vec4(clamp(0.03 + 0.94 * y + color, 0.0, 1.0), middle.a);
}
