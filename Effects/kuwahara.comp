/*{
  "DESCRIPTION": "An oil painting: strokes of one colour, with edges kept (Kuwahara's filter).",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.01, "MIN": 0, "MAX": 0.1, "IDENTITY": 0, "ALIASES": ["size"],
      "DESCRIPTION": "Size of a stroke, as a part of the frame's shorter side"},
    {"NAME": "crispness", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How sharply a stroke ends at the next"}
  ],
  "PASSES": [
    {"TARGET": "light", "FLOAT": true, "DESCRIPTION": "Light in 360 rows",
      "WIDTH": "min(16384, ceil(WIDTH / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))",
      "HEIGHT": "min(16384, ceil(HEIGHT / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))"},
    {"TARGET": "across", "FLOAT": true, "DESCRIPTION": "Means of what lies between the pixels that are read",
      "WIDTH": "min(16384, ceil(WIDTH / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))",
      "HEIGHT": "min(16384, ceil(HEIGHT / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))"},
    {"TARGET": "mean", "FLOAT": true,
      "WIDTH": "min(16384, ceil(WIDTH / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))",
      "HEIGHT": "min(16384, ceil(HEIGHT / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))"},
    {"TARGET": "painted", "FLOAT": true, "DESCRIPTION": "The painting",
      "WIDTH": "min(16384, ceil(WIDTH / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))",
      "HEIGHT": "min(16384, ceil(HEIGHT / max(SIDE/360, max(WIDTH, HEIGHT)/16384)))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "cell", "VALUE": "max(SIDE/360, max(WIDTH, HEIGHT)/16384)"},
    {"NAME": "reads", "TYPE": "int", "VALUE": "ceil(cell)"},
    {"NAME": "radius", "VALUE": "cell > SIDE/360 ? amount * SIDE / cell : amount * 360"},
    {"NAME": "near", "TYPE": "int", "VALUE": "round(radius / 3)"},
    {"NAME": "farther", "TYPE": "int", "VALUE": "round(radius * 2 / 3)"},
    {"NAME": "farthest", "TYPE": "int", "VALUE": "round(radius)"},
    {"NAME": "gap", "TYPE": "int", "VALUE": "floor(radius / 6 + 0.25)"},
    {"NAME": "least", "VALUE": "mix(0.003, 0.00003, sqrt(crispness))"},
    {"NAME": "alike", "VALUE": "cell > 1 ? 60 : 0"},
    {"NAME": "share", "VALUE": "min(amount / 0.004, 1)"}
  ]
}*/

#include "gather.glsl"

// Every picture is painted in 360 rows, so that a painting looks the same at any size; one that is longer than 45 times its
// other side in fewer, because no target has more than 16384 pixels in a row. 7 x 7 pixels stand for all around
// a pixel, and nine rectangles of 4 or 5 of them a side are tried, of which it is a corner, the middle of a side or the
// middle. The more even a rectangle, the more its mean counts.
#if PASSINDEX == 3
vec3 total;
float weights;

// The parts of a sum are red, green and blue as light, and the square of the luminance.
vec4 read(int x, int y) {
  vec3 light = meanPixel(PIXEL + ivec2(x, y)).rgb;
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
#endif

#if PASSINDEX == 4
void add(vec3 paint, float near, vec3 color, inout vec4 sum) {
  vec3 off = paint - color;
  sum += vec4(paint, 1.0) * (near / (1.0 + alike * dot(off, off)));
}
#elif PASSINDEX == 0
ivec2 at(vec2 place) { return ivec2((vec2(PIXEL) + place) * cell); }
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  if (reads <= 2) {
    ivec2 p = at(vec2(reads == 1 ? 0.5 : 0.25));
    ivec2 q = at(vec2(reads == 1 ? 0.5 : 0.75));
    return vec4(0.25 * (toLight(framePixel(p).rgb) + toLight(framePixel(ivec2(q.x, p.y)).rgb)
      + toLight(framePixel(ivec2(p.x, q.y)).rgb) + toLight(framePixel(q).rgb)), 1.0);
  }
  vec3 sum = vec3(0.0);
  for (int y = 0; y < reads; y++) {
    for (int x = 0; x < reads; x++) sum += toLight(framePixel(at((vec2(x, y) + 0.5) / float(reads))).rgb);
  }
  return vec4(sum / float(reads * reads), 1.0);
#elif PASSINDEX == 1
  vec4 sum = vec4(0.0);
  for (int x = -gap; x <= gap; x++) sum += lightPixel(PIXEL + ivec2(x, 0));
  return sum / float(2 * gap + 1);
#elif PASSINDEX == 2
  vec4 sum = vec4(0.0);
  for (int y = -gap; y <= gap; y++) sum += acrossPixel(PIXEL + ivec2(0, y));
  return sum / float(2 * gap + 1);
#elif PASSINDEX == 3
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
  return vec4(toCode(total / max(weights, 1e-20)), 1.0);
#else
  // Of the four pixels of the painting around this one, those of its own colour count more: edges are as sharp as in
  // the frame.
  vec4 color = framePixel();
  vec2 place = (vec2(PIXEL) + 0.5) / cell - 0.5;
  vec2 part = fract(place);
  vec4 sum = vec4(0.0);
  ivec2 p = ivec2(floor(place));
  add(paintedPixel(p).rgb, (1.0 - part.x) * (1.0 - part.y), color.rgb, sum);
  add(paintedPixel(p + ivec2(1, 0)).rgb, part.x * (1.0 - part.y), color.rgb, sum);
  add(paintedPixel(p + ivec2(0, 1)).rgb, (1.0 - part.x) * part.y, color.rgb, sum);
  add(paintedPixel(p + 1).rgb, part.x * part.y, color.rgb, sum);
  return vec4(mix(color.rgb, sum.rgb / max(sum.a, 1.0e-6), share), color.a);
#endif
}
