/*{
  "DESCRIPTION": "Smooths the steps in skies and other soft gradients, and hides what is left in fine grain.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How large a step is still taken for a band; 1 is 8 of 255 levels, and costs fine texture"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.03, "MIN": 0.001, "MAX": 0.1,
      "DESCRIPTION": "How far away neighbours are looked for, as a part of the frame's shorter side"},
    {"NAME": "grain", "TYPE": "float", "DEFAULT": 0.25, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Grain in the smoothed places, in parts of four levels, so that 8 bits bring no new steps"},
    {"NAME": "moving", "TYPE": "bool", "DEFAULT": true,
      "DESCRIPTION": "The grain is new in every frame; still grain is cheaper for an encoder"}
  ],
  "CONSTANTS": [
    {"NAME": "limit", "VALUE": "amount * 8 / 255"},
    {"NAME": "level", "VALUE": "grain * 4 / 255"},
    {"NAME": "reach", "VALUE": "radius * SIDE"},
    {"NAME": "seed", "TYPE": "int", "VALUE": "moving != 0 ? FRAMEINDEX % 4096 : 0"}
  ]
}*/

// Four places at the corners of a square around this pixel, turned and sized at random, so that the mean of many pixels
// is smooth. Where opposite ones differ much from here, singly or in their mean, there is detail and no band.
void look(float turn, float far, vec3 here, inout vec3 sum, inout vec3 most, inout vec3 bend) {
  vec2 way = vec2(cos(turn), sin(turn)) * far;
  ivec2 one = ivec2(round(way));
  ivec2 two = ivec2(round(vec2(-way.y, way.x)));
  vec3 a = framePixel(PIXEL + one).rgb;
  vec3 b = framePixel(PIXEL - one).rgb;
  vec3 c = framePixel(PIXEL + two).rgb;
  vec3 d = framePixel(PIXEL - two).rgb;
  sum += a + b + c + d;
  most = max(most, max(max(abs(a - here), abs(b - here)), max(abs(c - here), abs(d - here))));
  bend = max(bend, max(abs(a + b - 2.0 * here), abs(c + d - 2.0 * here)) * 0.5);
}

vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 here = pixel.rgb;
  float first = hash(ivec3(PIXEL, seed));
  float second = hash(ivec3(PIXEL, seed + 4096));
  vec3 sum = vec3(0.0);
  vec3 most = vec3(0.0);
  vec3 bend = vec3(0.0);
  look(first * 1.5707963, reach * (0.15 + 0.85 * second), here, sum, most, bend);
  vec3 mean = sum * 0.25;

  // The share falls slowly, not at once, or the limit itself would draw an edge. A slope may be steeper than a band.
  vec3 off = max(abs(mean - here), max(bend, most * 0.5)) / max(limit, 1e-6);
  vec3 share = 1.0 - smoothstep(0.6, 1.0, off);
  float noise = (first + fract(second * 4099.0) - 1.0) * level;
  return vec4(clamp(here + (mean - here + noise) * share, 0.0, 1.0), pixel.a);
}
