/*{
  "DESCRIPTION": "An oil painting: strokes of one colour, with edges kept (Kuwahara's filter).",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Blur"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.0065, "MIN": 0, "MAX": 0.1, "IDENTITY": 0,
      "DESCRIPTION": "Size of a stroke in frame heights"},
    {"NAME": "crispness", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How sharply a stroke ends at the next"}
  ],
  "CONSTANTS": [
    {"NAME": "radius", "VALUE": "size * HEIGHT"},
    {"NAME": "near", "TYPE": "int", "VALUE": "round(radius / 3)"},
    {"NAME": "farther", "TYPE": "int", "VALUE": "round(radius * 2 / 3)"},
    {"NAME": "farthest", "TYPE": "int", "VALUE": "round(radius)"},
    {"NAME": "least", "VALUE": "mix(0.003, 0.00003, sqrt(crispness))"}
  ]
}*/

#include "light.glsl"

// 7 x 7 pixels stand for all around a pixel, and nine rectangles of 4 or 5 of them a side are tried,
// of which it is a corner, the middle of a side or the middle. The more even a rectangle, the more
// its mean counts.
vec3 total;
float weights;

// The parts of a sum are red, green and blue as light, and the square of the luminance.
vec4 read(int x, int y) {
  vec3 light = toLight(framePixel(PIXEL + ivec2(x, y)).rgb);
  float bright = luminance(light);
  return vec4(light, bright * bright);
}

void weigh(vec4 sum, float share) {
  vec4 mean = sum * share;
  float bright = luminance(mean.rgb);
  // The variance of light over its mean is four times the variance of its codes.
  float uneven = max(mean.a - bright * bright, 0.0) / (bright + 0.004);
  float weight = least / (least + uneven);
  weight *= weight;
  weight *= weight;
  total += mean.rgb * weight;
  weights += weight;
}

vec4 effect(vec2 uv) {
  int at[7] = int[7](-farthest, -farther, -near, 0, near, farther, farthest);
  // The rectangles above, around and below, each to the left, in the middle and to the right.
  vec4 above[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec4 around[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec4 below[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  for (int y = 0; y < 7; y++) {
    vec4 row[7];
    for (int x = 0; x < 7; x++) row[x] = read(at[x], at[y]);
    vec4 left = row[1] + row[2] + row[3];
    vec4 right = row[3] + row[4] + row[5];
    vec4 sums[3] = vec4[3](row[0] + left, left + row[4] + row[5], right + row[6]);
    for (int side = 0; side < 3; side++) {
      if (y <= 3) above[side] += sums[side];
      if (y >= 1 && y <= 5) around[side] += sums[side];
      if (y >= 3) below[side] += sums[side];
    }
  }

  total = vec3(0.0);
  weights = 0.0;
  for (int side = 0; side < 3; side++) {
    float wide = side == 1 ? 5.0 : 4.0;
    weigh(above[side], 1.0 / (4.0 * wide));
    weigh(around[side], 1.0 / (5.0 * wide));
    weigh(below[side], 1.0 / (4.0 * wide));
  }
  return vec4(toCode(total / max(weights, 1e-20)), framePixel(PIXEL).a);
}
