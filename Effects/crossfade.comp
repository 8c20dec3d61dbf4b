/*{
  "DESCRIPTION": "Leads from one input to the next: the one fades out while the other fades in.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4],
      "LABELS": ["linear", "in", "out", "smooth", "snap"],
      "DESCRIPTION": "How it advances: evenly, slow at its start, at its end, at both, or slow at both and very fast between"},
    {"NAME": "light", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Mixes light instead of codes, as a double exposure of film does: bright parts stay longer"}
  ],
  "CONSTANTS": [
    {"NAME": "left", "VALUE": "1 - progress"},
    {"NAME": "soft", "VALUE": "progress * progress * (3 - 2 * progress)"},
    {"NAME": "fast", "VALUE": "progress < 0.5 ? 4 * pow(progress, 3) : 1 - 4 * pow(left, 3)"},
    {"NAME": "curved", "VALUE": "ease == 1 ? progress * progress : ease == 2 ? 1 - left * left : ease == 3 ? soft : fast"},
    {"NAME": "share", "VALUE": "ease == 0 ? progress : curved"}
  ]
}*/

// Transparent pixels give no colour. The text is short, so that the kernel may write the output itself.
vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endImageSize() == frameSize() ? endImagePixel(PIXEL) : endImage(uv);
  // Light is the square of codes, as in light.glsl.
  start.rgb *= light ? start.rgb * start.a : vec3(start.a);
  end.rgb *= light ? end.rgb * end.a : vec3(end.a);
  vec4 sum = mix(start, end, share);
  sum.rgb /= max(sum.a, 1e-6);
  return vec4(light ? sqrt(max(sum.rgb, vec3(0.0))) : sum.rgb, sum.a);
}
