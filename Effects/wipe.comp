/*{
  "DESCRIPTION": "Leads from one input to the next: an edge runs over the image.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Transition"],
  "INPUTS": [
    {"NAME": "startImage", "TYPE": "image"},
    {"NAME": "endImage", "TYPE": "image", "DESCRIPTION": "The second input, or an image"},
    {"NAME": "progress", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the transition is; with two inputs it advances by itself"},
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -360, "MAX": 360,
      "DESCRIPTION": "Which way the edge runs, in degrees: 0 to the right, 90 down"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How wide the edge is, as a part of its way"}
  ],
  "CONSTANTS": [
    {"NAME": "way_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "way_y", "VALUE": "sin(angle * 0.017453292519943295)"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endImageSize() == frameSize() ? endImagePixel(PIXEL) : endImage(uv);
  vec2 size = vec2(frameSize());
  vec2 way = vec2(way_x, way_y);
  // From the corner that the edge leaves, 0, to the one where it ends, 1.
  float reach = dot(abs(way), size);
  float place = dot(way, (uv - 0.5) * size) / reach + 0.5;
  // At the start and at the end the whole width of the edge lies outside.
  float front = progress * (1.0 + softness);
  float share = softness > 0.0
    ? smoothstep(0.0, 1.0, (front - place) / softness) : (place < front ? 1.0 : 0.0);
  float alpha = mix(start.a, end.a, share);
  vec3 color = mix(start.rgb * start.a, end.rgb * end.a, share);
  return vec4(alpha > 0.0 ? color / alpha : vec3(0.0), alpha);
}
