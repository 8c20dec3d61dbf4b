/*{
  "DESCRIPTION": "Takes away noise: averages what stands still over time, and like pixels side by side everywhere.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How strong the noise is: 0.4 for that of a usual camera, 1 for that of a dark room"},
    {"NAME": "temporal", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Over how many frames is averaged where nothing moves: 0 none, 1 about 32"},
    {"NAME": "spatial", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much brightness is smoothed between pixels that are alike"},
    {"NAME": "chroma", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much colours are smoothed, which show less detail than brightness"}
  ],
  "PASSES": [
    {"TARGET": "now", "FLOAT": true, "WIDTH": "ceil(WIDTH/2)", "HEIGHT": "ceil(HEIGHT/2)",
      "DESCRIPTION": "The lumas of four pixels, two in each number, and their mean colour differences"},
    {"TARGET": "change", "FLOAT": true, "WIDTH": "ceil(WIDTH/4)", "HEIGHT": "ceil(HEIGHT/4)"},
    {"TARGET": "still", "FLOAT": true, "PERSISTENT": true, "WIDTH": "ceil(WIDTH/4)", "HEIGHT": "ceil(HEIGHT/4)",
      "DESCRIPTION": "How much stays of what was, and how many frames are in the mean"},
    {"TARGET": "lumas", "FLOAT": true, "PERSISTENT": true, "WIDTH": "ceil(WIDTH/2)", "HEIGHT": "ceil(HEIGHT/2)"},
    {"TARGET": "colors", "FLOAT": true, "PERSISTENT": true, "WIDTH": "ceil(WIDTH/2)", "HEIGHT": "ceil(HEIGHT/2)"},
    {"TARGET": "smoothLumas", "HALF": true, "WIDTH": "ceil(WIDTH/2)", "HEIGHT": "ceil(HEIGHT/2)"},
    {"TARGET": "smoothColors", "HALF": true, "WIDTH": "ceil(WIDTH/2)", "HEIGHT": "ceil(HEIGHT/2)"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "sigma", "VALUE": "max(0.06 * amount, 1e-4)"},
    {"NAME": "most", "VALUE": "amount > 0 ? pow(32, temporal) - 1 : 0"},
    {"NAME": "reach", "VALUE": "12 * spatial * sigma"},
    {"NAME": "colorReach", "VALUE": "12 * chroma * sigma"}
  ]
}*/
#include "luma.glsl"

// Four lumas lie in one texel, and colours have half the size, as in most video: all that is kept from frame to frame
// is half of one image, and 9 reads give the 36 lumas that four pixels need.

vec2 colorDifferences(vec3 code) { return code.br - luma(code); }

// Two lumas of 12 bits each in a number: a float holds 24 bits exactly.
float packed(float first, float second) {
  vec2 steps = floor(vec2(first, second) * 4095.0 + 0.5);
  return steps.x * 4096.0 + steps.y;
}
vec4 lumasOf(vec4 now) {
  vec2 first = floor(now.xy / 4096.0);
  vec2 second = now.xy - 4096.0 * first;
  return vec4(first.x, second.x, first.y, second.y) / 4095.0;
}

#if PASSINDEX == 5
// The weights of pixels one and two away, as factors: those of a pixel aside and above are multiplied.
const float NEAR = 0.819;
const float FAR = 0.449;

float sharpness;
vec4 middle;
vec4 sum;
vec4 total;

void add(vec4 other, float nearness) {
  vec4 d = other - middle;
  vec4 weight = max(1.0 - d * d * sharpness, vec4(0.0));
  weight *= weight * nearness;
  sum += weight * other;
  total += weight;
}

// Four pixels, of which two are in one texel and two in the next.
vec4 between(vec4 left, vec4 right) { return vec4(left.y, right.x, left.w, right.z); }

void addColumn(vec4 above, vec4 here, vec4 below, float nearness) {
  if (nearness == NEAR) {
    add(above, nearness * FAR);
    add(below, nearness * FAR);
  }
  add(vec4(above.zw, here.xy), nearness * NEAR);
  add(here, nearness);
  add(vec4(here.zw, below.xy), nearness * NEAR);
}
#endif

#if PASSINDEX == 1
void add(ivec2 p, inout vec4 sum, inout vec4 squares) {
  vec4 d = lumasOf(nowPixel(p)) - lumasPixel(p);
  sum += d;
  squares += d * d;
}
#elif PASSINDEX == 6
void look(ivec2 way, vec3 middle, float sharpness, inout vec3 sum) {
  vec3 other = colorsPixel(PIXEL + way).rgb;
  vec3 d = other - middle;
  float weight = max(1.0 - dot(d, d) * sharpness, 0.0);
  sum += weight * weight * vec3(other.rg, 1.0);
}
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  ivec2 p = 2 * PIXEL;
  vec3 a = framePixel(p).rgb, b = framePixel(p + ivec2(1, 0)).rgb;
  vec3 c = framePixel(p + ivec2(0, 1)).rgb, d = framePixel(p + ivec2(1, 1)).rgb;
  return vec4(packed(luma(a), luma(b)), packed(luma(c), luma(d)), colorDifferences(0.25 * (a + b + c + d)));
#elif PASSINDEX == 1
  // The difference to the mean of before, of 16 pixels, and its square.
  vec4 sum = vec4(0.0);
  vec4 squares = vec4(0.0);
  add(2 * PIXEL, sum, squares);
  add(2 * PIXEL + ivec2(1, 0), sum, squares);
  add(2 * PIXEL + ivec2(0, 1), sum, squares);
  add(2 * PIXEL + 1, sum, squares);
  return vec4(dot(sum, vec4(0.0625)), dot(squares, vec4(0.0625)), 0.0, 0.0);
#elif PASSINDEX == 2
  // Noise gives a square that is known. More than that is motion, and so is a mean that noise would not have.
  float count = stillPixel(PIXEL).g;
  vec2 sum = vec2(0.0);
  for (int i = 0; i < 9; i++) {
    ivec2 o = ivec2(i % 3, i / 3) - 1;
    float weight = (o.x == 0 ? 2.0 : 1.0) * (o.y == 0 ? 2.0 : 1.0);
    vec2 c = changePixel(PIXEL + o).rg;
    sum += weight * vec2(c.r * c.r, c.g);
  }
  float expected = sigma * sigma * (1.0 + 1.0 / max(count, 1.0));
  vec2 ratio = 0.0625 * sum / expected;
  float keep = (1.0 - smoothstep(1.2, 2.4, ratio.y)) * (1.0 - smoothstep(0.15, 0.5, ratio.x));
  return vec4(keep, 1.0 + min(keep * count, most), 0.0, 0.0);
#elif PASSINDEX == 3
  vec4 now = lumasOf(nowPixel(PIXEL));
  vec2 state = stillPixel(PIXEL >> 1).rg;
  vec4 d = lumasPixel(PIXEL) - now;
  // A pixel alone that differs by more than noise does, as on a thin line, is motion too.
  vec4 alike = 1.0 - smoothstep(vec4(6.0), vec4(14.0), d * d / (sigma * sigma));
  vec4 before = (state.g - 1.0) * alike;
  return now + d * before / (before + 1.0);
#elif PASSINDEX == 4
  vec2 now = nowPixel(PIXEL).zw;
  vec2 state = stillPixel(PIXEL >> 1).rg;
  vec2 d = colorsPixel(PIXEL).rg - now;
  float before = (state.g - 1.0) * (1.0 - smoothstep(4.0, 10.0, dot(d, d) / (sigma * sigma)));
  return vec4(now + d * before / (before + 1.0), dot(lumasPixel(PIXEL), vec4(0.25)), before + 1.0);
#elif PASSINDEX == 5
  // What is in the mean of many frames has less noise left, and needs less.
  sharpness = 1.0 / max(reach * reach / stillPixel(PIXEL >> 1).g, 1e-12);
  middle = lumasPixel(PIXEL);
  sum = middle;
  total = vec4(1.0);
  vec4 quads[9];
  for (int i = 0; i < 9; i++) quads[i] = lumasPixel(PIXEL + ivec2(i % 3, i / 3) - 1);
  addColumn(quads[0], quads[3], quads[6], FAR);
  addColumn(quads[2], quads[5], quads[8], FAR);
  addColumn(between(quads[0], quads[1]), between(quads[3], quads[4]), between(quads[6], quads[7]), NEAR);
  addColumn(between(quads[1], quads[2]), between(quads[4], quads[5]), between(quads[7], quads[8]), NEAR);
  add(quads[1], FAR);
  add(quads[7], FAR);
  add(vec4(quads[1].zw, middle.xy), NEAR);
  add(vec4(middle.zw, quads[7].xy), NEAR);
  return sum / total;
#elif PASSINDEX == 6
  vec4 middle = colorsPixel(PIXEL);
  float sharpness = 1.0 / max(colorReach * colorReach / middle.a, 1e-12);
  vec3 sum = vec3(middle.rg, 1.0);
  look(ivec2(0, -2), middle.rgb, sharpness, sum); look(ivec2(-1, -1), middle.rgb, sharpness, sum);
  look(ivec2(0, -1), middle.rgb, sharpness, sum); look(ivec2(1, -1), middle.rgb, sharpness, sum);
  look(ivec2(-2, 0), middle.rgb, sharpness, sum); look(ivec2(-1, 0), middle.rgb, sharpness, sum);
  look(ivec2(1, 0), middle.rgb, sharpness, sum); look(ivec2(2, 0), middle.rgb, sharpness, sum);
  look(ivec2(-1, 1), middle.rgb, sharpness, sum); look(ivec2(0, 1), middle.rgb, sharpness, sum);
  look(ivec2(1, 1), middle.rgb, sharpness, sum); look(ivec2(0, 2), middle.rgb, sharpness, sum);
  return vec4(sum.rg / sum.b, 0.0, 0.0);
#else
  vec4 color = framePixel();
  if (amount == 0.0) return color;
  ivec2 p = PIXEL >> 1;
  vec4 quad = smoothLumasPixel(p);
  vec2 pair = (PIXEL.y & 1) == 0 ? quad.xy : quad.zw;
  float y = (PIXEL.x & 1) == 0 ? pair.x : pair.y;
  // Colours in between: the middle of a pixel is a quarter of the way to the next colour.
  ivec2 way = (PIXEL & 1) * 2 - 1;
  vec2 c = 0.5625 * smoothColorsPixel(p).rg + 0.0625 * smoothColorsPixel(p + way).rg
    + 0.1875 * (smoothColorsPixel(p + ivec2(way.x, 0)).rg + smoothColorsPixel(p + ivec2(0, way.y)).rg);
  c = mix(colorDifferences(color.rgb), c, min(4.0 * chroma, 1.0));
  return vec4(y + c.y, y - dot(c.yx, vec2(0.2126, 0.0722)) / 0.7152, y + c.x, color.a);
#endif
}
