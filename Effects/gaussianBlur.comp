/*{
  "DESCRIPTION": "Blurs softly and evenly in all directions, in linear light.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.02, "MIN": 0, "MAX": 0.09, "IDENTITY": 0,
      "DESCRIPTION": "How far it reaches, as a part of the frame's height"}
  ],
  "PASSES": [
    {"TARGET": "light", "FLOAT": true, "DESCRIPTION": "Premultiplied light, smaller for large radii",
      "WIDTH": "ceil(WIDTH / max(1, ceil(radius*HEIGHT/24)))",
      "HEIGHT": "ceil(HEIGHT / max(1, ceil(radius*HEIGHT/24)))"},
    {"TARGET": "across", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, ceil(radius*HEIGHT/24)))",
      "HEIGHT": "ceil(HEIGHT / max(1, ceil(radius*HEIGHT/24)))"},
    {"TARGET": "small", "FLOAT": true, "DESCRIPTION": "One pixel if nothing was made smaller",
      "WIDTH": "radius*HEIGHT > 24 ? ceil(WIDTH / ceil(radius*HEIGHT/24)) : 1",
      "HEIGHT": "radius*HEIGHT > 24 ? ceil(HEIGHT / ceil(radius*HEIGHT/24)) : 1"},
    {"DESCRIPTION": "The way down, or the way back to full size"}
  ],
  "CONSTANTS": [
    {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, ceil(radius*HEIGHT/24))"},
    {"NAME": "lastX", "TYPE": "int", "VALUE": "ceil(WIDTH/shrink) - 1"},
    {"NAME": "lastY", "TYPE": "int", "VALUE": "ceil(HEIGHT/shrink) - 1"},
    {"NAME": "reach", "TYPE": "int", "VALUE": "ceil(radius*HEIGHT/shrink)"},
    {"NAME": "sigma", "VALUE": "max(radius*HEIGHT/shrink/2.5, 0.01)"},
    {"NAME": "falloff", "VALUE": "exp(-0.5/(sigma*sigma))"}
  ]
}*/
#include "light.glsl"

// A wide blur has nothing finer than a few pixels, so it is made of fewer, each the mean of a square
// of `shrink` pixels on a side, and 24 of them at most reach as far as the radius.
// If the radius changes, the targets have the largest size that it needs, and only a part is used now.
vec4 source(ivec2 p) {
  p = min(p, ivec2(lastX, lastY));
#if PASSINDEX == 1
  return lightPixel(p);
#else
  return acrossPixel(p);
#endif
}

// The weights exp(-i*i / (2 sigma^2)) of one tap after the other are a product: the ratio of two
// neighbours shrinks by the same factor each time.
vec4 blurred(ivec2 step) {
  ivec2 here = min(PIXEL, ivec2(lastX, lastY));
  vec4 sum = source(here);
  float total = 1.0;
  float weight = falloff;
  float ratio = falloff * falloff * falloff;
  for (int i = 1; i <= reach; i++) {
    sum += weight * (source(here + i * step) + source(here - i * step));
    total += 2.0 * weight;
    weight *= ratio;
    ratio *= falloff * falloff;
  }
  return sum / total;
}

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec4 sum = vec4(0.0);
  for (int y = 0; y < shrink; y++) {
    for (int x = 0; x < shrink; x++) {
      vec4 color = framePixel(PIXEL * shrink + ivec2(x, y));
      sum += vec4(toLight(color.rgb) * color.a, color.a);
    }
  }
  return sum / float(shrink * shrink);
#elif PASSINDEX == 1
  return blurred(ivec2(1, 0));
#elif PASSINDEX == 2
  return shrink > 1 ? blurred(ivec2(0, 1)) : vec4(0.0);
#else
  vec4 light = vec4(0.0);
  if (shrink == 1) {
    light = blurred(ivec2(0, 1));
  } else {
    light = small((vec2(PIXEL) + 0.5) / float(shrink) / vec2(smallSize()));
  }
  return vec4(toCode(light.rgb / max(light.a, 1.0e-5)), light.a);
#endif
}
