/*{
  "DESCRIPTION": "Bright areas glow into their surroundings, as in a lens.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Light"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 2, "IDENTITY": 0,
      "DESCRIPTION": "How strong the glow is"},
    {"NAME": "threshold", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How bright an area must be to glow"},
    {"NAME": "radius", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0.005, "MAX": 0.2,
      "DESCRIPTION": "How far it glows, as a part of the frame's height"}
  ],
  "PASSES": [
    {"TARGET": "bright", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, ceil(radius*HEIGHT/16)))",
      "HEIGHT": "ceil(HEIGHT / max(1, ceil(radius*HEIGHT/16)))"},
    {"TARGET": "across", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, ceil(radius*HEIGHT/16)))",
      "HEIGHT": "ceil(HEIGHT / max(1, ceil(radius*HEIGHT/16)))"},
    {"TARGET": "glow", "FLOAT": true,
      "WIDTH": "ceil(WIDTH / max(1, ceil(radius*HEIGHT/16)))",
      "HEIGHT": "ceil(HEIGHT / max(1, ceil(radius*HEIGHT/16)))"},
    {"DESCRIPTION": "The frame with its glow"}
  ],
  "CONSTANTS": [
    {"NAME": "shrink", "TYPE": "int", "VALUE": "max(1, ceil(radius*HEIGHT/16))"},
    {"NAME": "lastX", "TYPE": "int", "VALUE": "ceil(WIDTH/shrink) - 1"},
    {"NAME": "lastY", "TYPE": "int", "VALUE": "ceil(HEIGHT/shrink) - 1"},
    {"NAME": "reach", "TYPE": "int", "VALUE": "ceil(radius*HEIGHT/shrink)"},
    {"NAME": "sigma", "VALUE": "max(radius*HEIGHT/shrink/2.5, 0.01)"},
    {"NAME": "falloff", "VALUE": "exp(-0.5/(sigma*sigma))"}
  ]
}*/
#include "light.glsl"

// A glow has no fine detail, so each of its pixels is the mean of a square of `shrink` pixels.
// If the radius changes, the targets have the largest size that it needs, and only a part is used now.
vec4 source(ivec2 p) {
  p = min(p, ivec2(lastX, lastY));
#if PASSINDEX == 1
  return brightPixel(p);
#else
  return acrossPixel(p);
#endif
}

// A Gaussian; the weight of each tap is computed from the one before.
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
  vec3 sum = vec3(0.0);
  for (int y = 0; y < shrink; y++) {
    for (int x = 0; x < shrink; x++) {
      vec4 color = framePixel(PIXEL * shrink + ivec2(x, y));
      float strongest = max(color.r, max(color.g, color.b));
      sum += toLight(color.rgb) * color.a * smoothstep(threshold - 0.1, threshold + 0.2, strongest);
    }
  }
  return vec4(sum / float(shrink * shrink), 1.0);
#elif PASSINDEX == 1
  return blurred(ivec2(1, 0));
#elif PASSINDEX == 2
  return blurred(ivec2(0, 1));
#else
  vec4 color = framePixel(PIXEL);
  vec3 added = amount * glow((vec2(PIXEL) + 0.5) / float(shrink) / vec2(glowSize())).rgb;
  vec3 light = toLight(color.rgb);
  // Pixels that are already bright take less, so that highlights keep their detail.
  return vec4(toCode(light + added * (1.0 - light)), color.a);
#endif
}
