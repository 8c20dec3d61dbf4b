/*{
  "DESCRIPTION": "Bright areas glow into their surroundings, as in a lens.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Light", "Lens"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 2, "IDENTITY": 0,
      "DESCRIPTION": "How strong the glow is"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright an area must be to glow; it begins softly"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0.005, "MAX": 0.5,
      "DESCRIPTION": "How far it glows, as a part of the frame's shorter side"}
  ],
  "PASSES": [
    {"TARGET": "bright", "FLOAT": true, "DESCRIPTION": "What glows, then smaller and smaller, and back",
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180))", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180))"},
    {"TARGET": "down1", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 2)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 2)"},
    {"TARGET": "down2", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 4)"},
    {"TARGET": "down3", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 8)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 8)"},
    {"TARGET": "down4", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 16)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 16)"},
    {"TARGET": "down5", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 32)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 32)"},
    {"TARGET": "up4", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 16)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 16)"},
    {"TARGET": "up3", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 8)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 8)"},
    {"TARGET": "up2", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 4)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 4)"},
    {"TARGET": "up1", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 2)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 2)"},
    {"TARGET": "glow", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, SIDE/180) / 1)", "HEIGHT": "ceil(HEIGHT / max(1, SIDE/180) / 1)"},
    {"DESCRIPTION": "The frame with its glow"}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(1, SIDE/180)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "ceil(cell)"},
    {"NAME": "over", "VALUE": "1.2 - threshold"},
    {"NAME": "full", "VALUE": "over < 0.4 ? over*over/0.8 : over - 0.2"},
    {"NAME": "octave", "VALUE": "log(max(radius*SIDE/cell/2.5, 0.7)) / 0.6931 + 0.2"},
    {"NAME": "narrow", "VALUE": "exp(0 - octave*octave) + exp(0 - pow(1 - octave, 2)) + exp(0 - pow(2 - octave, 2))"},
    {"NAME": "parts", "VALUE": "narrow + exp(0 - pow(3 - octave, 2)) + exp(0 - pow(4 - octave, 2)) + exp(0 - pow(5 - octave, 2))"},
    {"NAME": "part0", "VALUE": "exp(0 - octave*octave) / parts"},
    {"NAME": "part1", "VALUE": "exp(0 - pow(1 - octave, 2)) / parts"},
    {"NAME": "part2", "VALUE": "exp(0 - pow(2 - octave, 2)) / parts"},
    {"NAME": "part3", "VALUE": "exp(0 - pow(3 - octave, 2)) / parts"},
    {"NAME": "part4", "VALUE": "exp(0 - pow(4 - octave, 2)) / parts"},
    {"NAME": "part5", "VALUE": "exp(0 - pow(5 - octave, 2)) / parts"}
  ]
}*/
#include "cells.glsl"

// Small pictures: 180 rows of what glows, then half of them each time, and back, each picture of the way down added to
// the larger one of the way up. So the glow of a lens, narrow and wide Gaussians together, costs little.
// Squares of 4 x 4 that overlap by half keep a small light steady as it moves.
#define SMALLER(pixel) smaller(vec4[4](SMALLER_ROW(pixel, -1), SMALLER_ROW(pixel, 0), \
  SMALLER_ROW(pixel, 1), SMALLER_ROW(pixel, 2)))
#define SMALLER_ROW(pixel, y) (0.125 * (pixel(2 * PIXEL + ivec2(-1, y)) + pixel(2 * PIXEL + ivec2(2, y))) \
  + 0.375 * (pixel(2 * PIXEL + ivec2(0, y)) + pixel(2 * PIXEL + ivec2(1, y))))
vec4 smaller(vec4 rows[4]) { return 0.125 * (rows[0] + rows[3]) + 0.375 * (rows[1] + rows[2]); }

#define LARGER(pixel) CURVED(pixel, (vec2(PIXEL) + 0.5) * 0.5, 1.0)

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec3 sum = vec3(0.0);
  for (int y = 0; y < reads; y++) {
    for (int x = 0; x < reads; x++) {
      vec4 color = framePixel(ivec2(floor((vec2(PIXEL) + (vec2(x, y) + 0.5) / float(reads)) * cell)));
      // From 0.2 below the threshold to 0.2 above it a curve, then a line.
      float above = max(max(color.r, max(color.g, color.b)) - threshold + 0.2, 0.0);
      float strength = above < 0.4 ? above * above * 1.25 : above - 0.2;
      sum += toLight(color.rgb) * (color.a * strength);
    }
  }
  return vec4(sum / (float(reads * reads) * full), 1.0);
#elif PASSINDEX == 1
  return SMALLER(brightPixel);
#elif PASSINDEX == 2
  return SMALLER(down1Pixel);
#elif PASSINDEX == 3
  return SMALLER(down2Pixel);
#elif PASSINDEX == 4
  return SMALLER(down3Pixel);
#elif PASSINDEX == 5
  return SMALLER(down4Pixel);
#elif PASSINDEX == 6
  return part4 * down4Pixel(PIXEL) + part5 * LARGER(down5Pixel);
#elif PASSINDEX == 7
  return part3 * down3Pixel(PIXEL) + LARGER(up4Pixel);
#elif PASSINDEX == 8
  return part2 * down2Pixel(PIXEL) + LARGER(up3Pixel);
#elif PASSINDEX == 9
  return part1 * down1Pixel(PIXEL) + LARGER(up2Pixel);
#elif PASSINDEX == 10
  return part0 * brightPixel(PIXEL) + LARGER(up1Pixel);
#else
  vec4 color = framePixel();
  vec3 added = amount * glow((vec2(PIXEL) + 0.5) / cell / vec2(glowSize())).rgb;
  vec3 light = toLight(color.rgb);
  // Pixels that are already bright take less, so that highlights keep their detail.
  return vec4(toCode(light + added * (1.0 - light)), color.a);
#endif
}
