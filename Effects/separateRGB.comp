/*{
  "DESCRIPTION": "Red and green drift apart in opposite directions, driven by smooth noise over time.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Glitch", "Color"],
  "UNCLAMPED": true,
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 10,
      "DESCRIPTION": "How far the colours drift"}
  ],
  "CONSTANTS": [
    {"NAME": "driftX", "VALUE": "(noise(TIME*10, 0, 0)*2 - 1) * 0.025 * amount"},
    {"NAME": "driftY", "VALUE": "(noise(TIME*10, 1, 0)*2 - 1) * 0.010 * amount"},
    {"NAME": "redX", "TYPE": "int", "VALUE": "floor(driftX * WIDTH)"},
    {"NAME": "redY", "TYPE": "int", "VALUE": "floor(driftY * HEIGHT)"},
    {"NAME": "greenX", "TYPE": "int", "VALUE": "floor(-driftX * WIDTH)"},
    {"NAME": "greenY", "TYPE": "int", "VALUE": "floor(-driftY * HEIGHT)"}
  ]
}*/

// Every pixel of a frame drifts the same, so the offsets are constants of the frame: whole numbers,
// the same on every GPU.
vec4 effect(vec2 uv) {
  float red = framePixel(PIXEL + ivec2(redX, redY)).r;
  float green = framePixel(PIXEL + ivec2(greenX, greenY)).g;
  float blue = framePixel().b;
  return vec4(red, green, blue, 1.0);
}
