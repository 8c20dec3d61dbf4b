/*{
  "DESCRIPTION": "Leads from one input to the next: the one fades out while the other fades in.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  // With two inputs the sizes are equal: no blending between pixels then.
  vec4 end = endImageSize() == frameSize() ? endImagePixel(PIXEL) : endImage(uv);
  float alpha = mix(start.a, end.a, progress);
  // Transparent pixels give no colour.
  vec3 color = mix(start.rgb * start.a, end.rgb * end.a, progress);
  return vec4(alpha > 0.0 ? color / alpha : vec3(0.0), alpha);
}
