/*{
  "DESCRIPTION": "An oil painting: strokes of one colour, with edges kept (Kuwahara's filter).",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Blur"],
  "INPUTS": [
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.0065, "MIN": 0, "MAX": 0.1, "IDENTITY": 0,
      "DESCRIPTION": "Size of a stroke in picture heights, at most 12 pixels"},
    {"NAME": "crispness", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How sharply a stroke ends at the next"}
  ],
  "CONSTANTS": [
    {"NAME": "radius", "TYPE": "int", "VALUE": "min(12, round(size * HEIGHT))"},
    {"NAME": "middle", "TYPE": "int", "VALUE": "floor(radius / 2)"},
    {"NAME": "least", "VALUE": "mix(0.003, 0.00003, sqrt(crispness))"}
  ]
}*/

// Around each pixel nine squares of radius + 1 pixels a side are tried, of which it is a corner, the
// middle of a side or the middle. The more even a square, the more its mean counts.
//
// Shared memory has the sums of radius + 1 neighbours in a row, from the pixel to the right, of the
// rows and columns that the group's squares need: 32 x 28 of them are below 16 KiB.
const int COLUMNS = 16;
const int ROWS = 8;
const int LARGEST = 12;

layout(local_size_x = 16, local_size_y = 8) in;

#include "light.glsl"

shared vec4 rowSums[ROWS + 2 * LARGEST][COLUMNS + LARGEST];

vec4 total;
float weights;

void weigh(vec4 sum) {
  float share = 1.0 / float((radius + 1) * (radius + 1));
  vec4 mean = sum * share;
  float bright = luminance(mean.rgb);
  // The variance of light over its mean is four times the variance of its codes.
  float uneven = max(mean.a - bright * bright, 0.0) / (bright + 0.004);
  float weight = least / (least + uneven);
  weight *= weight;
  weight *= weight;
  total.rgb += mean.rgb * weight;
  weights += weight;
}

void main() {
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  ivec2 first = PIXEL - local - radius;
  // Four sums side by side have most of their pixels in common.
  int fours = (COLUMNS + radius + 3) / 4;
  int count = fours * (ROWS + 2 * radius);
  for (int four = int(gl_LocalInvocationIndex); four < count; four += ROWS * COLUMNS) {
    int row = four / fours;
    int column = four % fours * 4;
    vec4 sums[4] = vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    for (int x = 0; x <= radius + 3; x++) {
      vec3 light = toLight(framePixel(first + ivec2(column + x, row)).rgb);
      float bright = luminance(light);
      vec4 value = vec4(light, bright * bright);
      if (x <= radius) sums[0] += value;
      if (x >= 1 && x <= radius + 1) sums[1] += value;
      if (x >= 2 && x <= radius + 2) sums[2] += value;
      if (x >= 3) sums[3] += value;
    }
    for (int i = 0; i < 4; i++) rowSums[row][column + i] = sums[i];
  }
  barrier();

  total = vec4(0.0);
  weights = 0.0;
  for (int side = 0; side < 3; side++) {
    int column = local.x + (side == 0 ? 0 : side == 1 ? radius - middle : radius);
    vec4 above = vec4(0.0);
    vec4 around = vec4(0.0);
    vec4 below = vec4(0.0);
    for (int y = 0; y <= 2 * radius; y++) {
      vec4 sum = rowSums[local.y + y][column];
      if (y <= radius) above += sum;
      if (y >= middle && y <= middle + radius) around += sum;
      if (y >= radius) below += sum;
    }
    weigh(above);
    weigh(around);
    weigh(below);
  }
  vec4 color = framePixel(PIXEL);
  if (radius > 0) color.rgb = toCode(total.rgb / max(weights, 1e-20));
  store(PIXEL, color);
}
