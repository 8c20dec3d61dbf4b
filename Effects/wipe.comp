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
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 2,
      "DESCRIPTION": "How wide the edge is, as a part of the frame's shorter side"},
    {"NAME": "ease", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3, 4, 5, 6],
      "LABELS": ["linear", "in", "out", "smooth", "snap", "overshoot", "bounce"],
      "DESCRIPTION": "How the edge moves: evenly, slow at its start, at its end, at both, very fast between, too far and back, or like a ball"}
  ],
  "CONSTANTS": [
    {"NAME": "way_x", "VALUE": "cos(angle * 0.017453292519943295)"},
    {"NAME": "way_y", "VALUE": "sin(angle * 0.017453292519943295)"},
    {"NAME": "reach", "VALUE": "abs(way_x) * WIDTH + abs(way_y) * HEIGHT"},
    {"NAME": "width", "VALUE": "max(softness * min(WIDTH, HEIGHT), 1)"},
    {"NAME": "left", "VALUE": "1 - progress"},
    {"NAME": "squares", "VALUE": "progress * progress"},
    {"NAME": "smoothed", "VALUE": "squares * (3 - 2 * progress)"},
    {"NAME": "fast", "VALUE": "progress < 0.5 ? 4 * squares * progress : 1 - 4 * pow(left, 3)"},
    {"NAME": "begun", "VALUE": "2 * squares * (7 * progress - 2.5)"},
    {"NAME": "ended", "VALUE": "1 - 2 * left * left * (7 * left - 2.5)"},
    {"NAME": "arc", "VALUE": "11 * progress < 4 ? 0 : 11 * progress < 8 ? 6 : 11 * progress < 10 ? 9 : 10.5"},
    {"NAME": "height", "VALUE": "arc == 0 ? 0 : arc == 6 ? 0.75 : arc == 9 ? 0.9375 : 0.984375"},
    {"NAME": "bounced", "VALUE": "min(pow((11 * progress - arc) / 4, 2) + height, 1)"},
    {"NAME": "rarer", "VALUE": "ease == 5 ? (progress < 0.5 ? begun : ended) : bounced"},
    {"NAME": "curved", "VALUE": "ease == 1 ? squares : ease == 2 ? 1 - left * left : ease == 3 ? smoothed : ease == 4 ? fast : rarer"},
    {"NAME": "front", "VALUE": "(ease == 0 ? progress : curved) * (reach + width) - 0.5 * reach"}
  ]
}*/

// The text is short, so that the kernel may write the output itself. How the edge advances is in the constants, as
// transition.glsl has it.
vec4 effect(vec2 uv) {
  vec4 start = framePixel();
  vec4 end = endImageSize() == frameSize() ? endImagePixel(PIXEL) : endImage(uv);
  // In pixels from the middle. At the start and at the end the whole width of the edge lies outside. Without softness
  // the edge is one pixel wide: smooth.
  float place = dot(vec2(way_x, way_y), (uv - 0.5) * vec2(frameSize()));
  float share = clamp((front - place) / width, 0.0, 1.0);
  share = softness > 0.0 ? share * share * (3.0 - 2.0 * share) : share;
  // Transparent pixels give no colour.
  vec4 sum = mix(vec4(start.rgb * start.a, start.a), vec4(end.rgb * end.a, end.a), share);
  return vec4(sum.rgb / max(sum.a, 1e-6), sum.a);
}
