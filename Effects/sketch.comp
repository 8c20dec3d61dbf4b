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
      "DESCRIPTION": "Distance of the strokes in frame heights, never below 3 pixels"},
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
    {"NAME": "apart", "TYPE": "int", "VALUE": "max(1, round(0.0016 * HEIGHT))"},
    {"NAME": "perPixel", "VALUE": "1 / max(3, spacing * HEIGHT)"},
    {"NAME": "bend", "VALUE": "0.027 * HEIGHT * perPixel"},
    {"NAME": "wobble", "VALUE": "10 / HEIGHT"},
    {"NAME": "toothScale", "VALUE": "1 / max(1, HEIGHT / 480)"}
  ]
}*/

#include "luma.glsl"

float tone(int x, int y) { return luma(framePixel(PIXEL + ivec2(x, y) * apart).rgb); }

// The ink of one layer of strokes: the darker, the wider they are.
float strokes(float across, float dark) {
  float fromMiddle = abs(fract(across) - 0.5) * 2.0;
  return clamp((dark - fromMiddle) * 2.0 + 0.3, 0.0, 1.0) * min(dark * 2.5, 1.0);
}

vec4 effect(vec2 uv) {
  vec4 picture = framePixel(PIXEL);
  float middle = luma(picture.rgb);
  float nw = tone(-1, -1);
  float n = tone(0, -1);
  float ne = tone(1, -1);
  float w = tone(-1, 0);
  float e = tone(1, 0);
  float sw = tone(-1, 1);
  float s = tone(0, 1);
  float se = tone(1, 1);
  float across = ne + 2.0 * e + se - nw - 2.0 * w - sw;
  float down = sw + 2.0 * s + se - nw - 2.0 * n - ne;
  float mean = (middle + nw + n + ne + w + e + sw + s + se) * (1.0 / 9.0);

  vec2 p = vec2(PIXEL);
  float bow = noise(p * wobble + vec2(seedX, seedY)) * bend;
  float tooth = noise(p * toothScale + 3.0 * vec2(seedY, seedX));
  // Each layer has its direction and begins at a darker tone.
  vec2 q = p * perPixel;
  float lead = strokes(0.7 * (q.x + q.y) + bow, clamp(0.72 - mean, 0.0, 0.75) * 1.1) * 0.6
    + strokes(0.7 * (q.x - q.y) - bow, clamp(0.46 - mean, 0.0, 0.6) * 1.4) * 0.6
    + strokes(q.y + 0.3 * q.x + bow, clamp(0.25 - mean, 0.0, 0.4) * 2.2) * 0.6;
  lead *= hatching * (0.55 + 0.8 * tooth);

  float slope = sqrt(across * across + down * down) * 0.25;
  lead += clamp((slope - 0.035) * 5.0 * outline, 0.0, 1.0) * (0.7 + 0.4 * tooth);
  lead = min(lead, 1.0) * 0.88;

  vec3 pencil = mix(vec3(0.12, 0.12, 0.14), picture.rgb * 0.6, color);
  vec3 ground = paper.rgb * (0.97 + 0.03 * tooth);
  return vec4(mix(ground, pencil, lead), picture.a);
}
