/*{
  "DESCRIPTION": "Rays of light from a point stream through the bright parts of the image, as through clouds or trees.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1.2, "MIN": 0, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "How bright the rays are"},
    {"NAME": "at", "TYPE": "point2D", "DEFAULT": [0.5, 0.1], "MIN": [-1, -1], "MAX": [2, 2],
      "DESCRIPTION": "The light; 0/0 is the top left, 1/1 the bottom right; it may lie outside"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.55, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright a part must be to send rays"},
    {"NAME": "length", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0.01, "MAX": 1,
      "DESCRIPTION": "How long the rays are, as a part of the way from the light"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.9, "MIN": 0.05, "MAX": 4,
      "DESCRIPTION": "How far from the light parts send rays, as a part of the frame's shorter side"},
    {"NAME": "shimmer", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much the air divides the rays into finer ones, which change"},
    {"NAME": "speed", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 10,
      "DESCRIPTION": "How often these change, a second"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [1, 0.92, 0.75, 1], "DESCRIPTION": "The colour of the rays"}
  ],
  "PASSES": [
    {"TARGET": "bright", "WIDTH": "ceil(WIDTH * min(1, 180 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))",
      "DESCRIPTION": "The light that sends rays, at about 320x180"},
    {"TARGET": "short_", "WIDTH": "ceil(WIDTH * min(1, 180 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))",
      "DESCRIPTION": "Short rays"},
    {"TARGET": "rays", "WIDTH": "ceil(WIDTH * min(1, 180 / SIDE))", "FLOAT": true,
      "HEIGHT": "ceil(HEIGHT * min(1, 180 / SIDE))"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "side", "VALUE": "SIDE"},
    {"NAME": "phase", "VALUE": "TIME * speed"}
  ]
}*/
#include "light.glsl"

const int FINE = 6, COARSE = 28;

#if PASSINDEX == 0
// The mean of the pixels of this part, up to 8x8 of them. The nearer to the light, the more they send.
vec4 effect(vec2 uv) {
  vec2 span = vec2(frameSize()) / RENDERSIZE;
  ivec2 count = ivec2(clamp(ceil(span), vec2(1.0), vec2(8.0)));
  vec2 pace = span / vec2(count);
  vec3 sum = vec3(0.0);
  for (int y = 0; y < count.y; y++) {
    for (int x = 0; x < count.x; x++) {
      vec4 color = framePixel(ivec2(vec2(PIXEL) * span + (vec2(x, y) + 0.5) * pace + 1e-3));
      float level = dot(color.rgb, vec3(0.3, 0.5, 0.2));
      sum += toLight(color.rgb) * color.a * smoothstep(threshold - 0.05, min(threshold + 0.35, 1.05), level);
    }
  }
  float far = distance(uv * vec2(frameSize()), at * vec2(frameSize())) / (radius * side);
  return vec4(sum / float(count.x * count.y) * exp(-far * far), 1.0);
}
#elif PASSINDEX < 3
// A part of the way to the light, and then the whole way in steps of this part.
vec4 effect(vec2 uv) {
  const int TAPS = PASSINDEX == 1 ? FINE : COARSE;
  vec2 way = (at - uv) * length / float(COARSE);
  if (PASSINDEX == 1) way /= float(FINE);
  vec3 sum = vec3(0.0);
  float weight = 1.0, total = 0.0;
  float fall = PASSINDEX == 1 ? 1.0 : 0.95;
  for (int i = 0; i < TAPS; i++) {
    // A little aside, so that rounding decides nowhere which pixel is read.
    vec2 place = uv + way * float(i) + 1e-5;
#if PASSINDEX == 1
    vec3 light = brightPixel(ivec2(floor(place * RENDERSIZE))).rgb;
#else
    vec3 light = short_Pixel(ivec2(floor(place * RENDERSIZE))).rgb;
#endif
    // No rays come from outside of the frame, where there is no picture.
    bool isInside = place == clamp(place, vec2(0.0), vec2(1.0));
    sum += isInside ? weight * light : vec3(0.0);
    total += weight;
    weight *= fall;
  }
  sum /= total;
#if PASSINDEX == 2
  vec2 d = (uv - at) * vec2(frameSize());
  vec2 round_ = d / max(sqrt(dot(d, d)), 1.0);
  float dust = noise(vec3(round_ * 7.0 + 20.0, phase)) * 0.6 + noise(vec3(round_ * 19.0 + 60.0, phase * 1.7)) * 0.4;
  sum *= mix(1.0, 2.2 * dust * dust + 0.35, shimmer);
#endif
  return vec4(sum, 1.0);
}
#else
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec3 added = 1.0 - exp(-2.5 * amount * toLight(color.rgb) * rays(uv).rgb);
  vec3 sum = toLight(pixel.rgb) * pixel.a;
  sum += added * (1.0 - sum);
  float alpha = max(pixel.a, max(added.r, max(added.g, added.b)));
  return vec4(toCode(min(sum / max(alpha, 1e-6), vec3(1.0))), alpha);
}
#endif
