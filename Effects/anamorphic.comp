/*{
  "DESCRIPTION": "Highlights throw long horizontal streaks, as in anamorphic film lenses.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Lens", "Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How bright the streaks are"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright a place must be to throw one"},
    {"NAME": "length", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0.02, "MAX": 4,
      "DESCRIPTION": "How far they reach to each side, as a part of the frame's shorter side"},
    {"NAME": "points", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much more small lights count than large bright areas such as the sky"},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [0.25, 0.5, 1, 1], "DESCRIPTION": "The colour of the streaks"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much of the highlights' own colour the streaks keep"}
  ],
  "PASSES": [
    {"TARGET": "bright", "WIDTH": "ceil(WIDTH * min(0.5, 90 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))",
      "DESCRIPTION": "The light of highlights, at about 160x180"},
    {"TARGET": "lamps", "WIDTH": "ceil(WIDTH * min(0.5, 90 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))",
      "DESCRIPTION": "What is brighter than its surroundings"},
    {"TARGET": "streaks", "WIDTH": "ceil(WIDTH * min(0.5, 90 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "reach", "VALUE": "max(length, 0.02) * min(0.5 * SIDE, 90)"},
    {"NAME": "fall", "VALUE": "exp(-1 / reach)"},
    {"NAME": "steep", "VALUE": "exp(-5 / reach)"}
  ]
}*/
#include "light.glsl"

#if PASSINDEX == 0
// The mean of the pixels of this part, up to 8x8 of them.
vec4 effect(vec2 uv) {
  vec2 span = vec2(frameSize()) / RENDERSIZE;
  ivec2 count = ivec2(clamp(ceil(span), vec2(1.0), vec2(8.0)));
  vec2 pace = span / vec2(count);
  vec3 sum = vec3(0.0);
  for (int y = 0; y < count.y; y++) {
    for (int x = 0; x < count.x; x++) {
      vec4 color = framePixel(ivec2(vec2(PIXEL) * span + (vec2(x, y) + 0.5) * pace));
      float share = clamp((dot(color.rgb, vec3(0.3, 0.5, 0.2)) - threshold) / max(1.0 - threshold, 0.02), 0.0, 1.0);
      sum += toLight(color.rgb) * color.a * share * share;
    }
  }
  return vec4(sum / float(count.x * count.y), 1.0);
}
#elif PASSINDEX == 1
// A lamp stands out of its surroundings; the sky does not.
vec4 effect(vec2 uv) {
  vec3 here = brightPixel(PIXEL).rgb;
  float level = luminance(here);
  if (level <= 0.0) return vec4(0.0);
  float sum = 0.0;
  for (int y = -3; y <= 3; y++) {
    for (int x = -2; x <= 2; x++) sum += luminance(brightPixel(PIXEL + ivec2(2 * x, 3 * y)).rgb);
  }
  float share = max(1.0 - 1.8 * points * sum / 35.0 / level, 0.0);
  return vec4(here * share * share, 1.0);
}
#elif PASSINDEX == 2
// Each place takes light from its whole row, a bright part from nearby and a long tail.
vec4 effect(vec2 uv) {
  int last = int(RENDERSIZE.x) - 1;
  vec3 sum = lampsPixel(PIXEL).rgb;
  float near = 0.75, tail = 0.25;
  int count = min(max(PIXEL.x, last - PIXEL.x), int(4.0 * reach) + 1);
  for (int i = 1; i <= count; i++) {
    near *= steep;
    tail *= fall;
    vec3 both = vec3(0.0);
    if (PIXEL.x - i >= 0) both += lampsPixel(PIXEL - ivec2(i, 0)).rgb;
    if (PIXEL.x + i <= last) both += lampsPixel(PIXEL + ivec2(i, 0)).rgb;
    sum += (near + tail) * both;
  }
  return vec4(sum, 1.0);
}
#else
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 light = streaks(uv).rgb;
  vec3 blue = toLight(tint.rgb);
  vec3 added = mix(luminance(light) * blue / max(luminance(blue), 0.1), light, saturation) * amount;
  // Many lights in a row do not become brighter than white.
  added = 1.0 - exp(-0.3 * added);
  vec3 sum = toLight(pixel.rgb) * pixel.a;
  sum += added * (1.0 - sum);
  float alpha = max(pixel.a, max(added.r, max(added.g, added.b)));
  return vec4(toCode(min(sum / max(alpha, 1e-6), vec3(1.0))), alpha);
}
#endif
