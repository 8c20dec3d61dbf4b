/*{
  "DESCRIPTION": "A pencil drawing: outlines and hatching on paper, drawn again a few times per second.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Stylize", "Edges"],
  "INPUTS": [
    {"NAME": "outline", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 4,
      "DESCRIPTION": "How strong the outlines are"},
    {"NAME": "hatching", "TYPE": "float", "DEFAULT": 0.8, "MIN": 0, "MAX": 1.5,
      "DESCRIPTION": "How strong the shading is"},
    {"NAME": "spacing", "TYPE": "float", "DEFAULT": 0.009, "MIN": 0.003, "MAX": 0.05,
      "DESCRIPTION": "Distance of the strokes, as a part of the frame's shorter side; below two pixels they are a tone"},
    {"NAME": "color", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "0 is a grey pencil, 1 is pencils in the colours of the image"},
    {"NAME": "rate", "TYPE": "float", "DEFAULT": 6, "MIN": 0, "MAX": 30,
      "DESCRIPTION": "Drawings per second: how often the strokes change; 0 never"},
    {"NAME": "paper", "TYPE": "color", "DEFAULT": [0.97, 0.96, 0.93, 1],
      "DESCRIPTION": "The colour of the paper; its alpha is not used"}
  ],
  "CONSTANTS": [
    {"NAME": "tick", "VALUE": "mod(floor(TIME * rate), 4096)"},
    {"NAME": "seedX", "VALUE": "floor(hash(tick + 0.3) * 500)"},
    {"NAME": "seedY", "VALUE": "floor(hash(tick + 0.6) * 500)"},
    {"NAME": "apart", "VALUE": "max(0.5, 0.0014 * SIDE)"},
    {"NAME": "pixels", "TYPE": "int", "VALUE": "floor(apart + 0.02)"},
    {"NAME": "rest", "VALUE": "max(0, apart - pixels)"},
    {"NAME": "taps", "TYPE": "int", "VALUE": "rest > 0.02 ? 2 : 1"},
    {"NAME": "cover", "VALUE": "min(1, SIDE / 360)"},
    {"NAME": "perPixel", "VALUE": "1 / max(1, spacing * SIDE)"},
    {"NAME": "clear", "VALUE": "smoothstep(1, 2.4, spacing * SIDE)"},
    {"NAME": "bend", "VALUE": "0.027 / spacing"},
    {"NAME": "wobble", "VALUE": "10 / SIDE"},
    {"NAME": "toothScale", "VALUE": "480 / SIDE"},
    {"NAME": "toothClear", "VALUE": "min(1, SIDE / 480)"}
  ]
}*/

#include "luma.glsl"

// The ink of one layer of strokes: the darker, the wider they are. Too fine for the pixels, it is their mean.
float strokes(float across, float dark) {
  float fromMiddle = abs(fract(across) - 0.5) * 2.0;
  float ink = clamp((dark - fromMiddle) * 2.0 + 0.3, 0.0, 1.0);
  float mean = dark < 0.35 ? (dark + 0.15) * (dark + 0.15) : dark - 0.1;
  return mix(mean, ink, clear) * min(dark * 2.5, 1.0);
}

vec4 effect(vec2 uv) {
  vec4 picture = framePixel();
  float mean = luma(picture.rgb) * 2.0;
  float across = 0.0;
  float down = 0.0;
  for (int i = 0; i < taps; i++) {
    int far = pixels + i;
    float weight = i == 0 ? 1.0 - rest : rest;
    float right = luma(framePixel(PIXEL + ivec2(far, 0)).rgb);
    float left = luma(framePixel(PIXEL - ivec2(far, 0)).rgb);
    float below = luma(framePixel(PIXEL + ivec2(0, far)).rgb);
    float above = luma(framePixel(PIXEL - ivec2(0, far)).rgb);
    across += (right - left) * weight;
    down += (below - above) * weight;
    mean += (right + left + below + above) * weight;
  }
  mean *= 1.0 / 6.0;

  vec2 p = vec2(PIXEL) + 0.5;
  float bow = noise(p * wobble + vec2(seedX, seedY)) * bend;
  float tooth = mix(0.5, noise(p * toothScale + 3.0 * vec2(seedY, seedX)), toothClear);
  // Each layer has its direction and begins at a darker tone.
  vec2 q = p * perPixel;
  float lead = strokes(0.7 * (q.x + q.y) + bow, clamp(0.72 - mean, 0.0, 0.75) * 1.1) * 0.6
    + strokes(0.7 * (q.x - q.y) - bow, clamp(0.46 - mean, 0.0, 0.6) * 1.4) * 0.6
    + strokes(q.y + 0.3 * q.x + bow, clamp(0.25 - mean, 0.0, 0.4) * 2.2) * 0.6;
  lead *= hatching * (0.55 + 0.8 * tooth);

  float slope = sqrt(across * across + down * down);
  lead += clamp((slope - 0.05) * 6.0 * outline, 0.0, 1.0) * (0.7 + 0.4 * tooth) * cover;
  lead = min(lead, 1.0) * 0.88;

  vec3 pencil = mix(vec3(0.12, 0.12, 0.14), picture.rgb * 0.6, color);
  vec3 ground = paper.rgb * (0.97 + 0.03 * tooth);
  return vec4(mix(ground, pencil, lead), picture.a);
}
