/*{
  "DESCRIPTION": "Sets exposure, contrast, saturation and white balance, all of them neutral at 0.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color Adjustment"],
  "UNCLAMPED": true,
  "INPUTS": [
    {"NAME": "exposure", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "In stops: each doubles the light, or halves it below 0"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "Steepens the middle tones or flattens them; black and white stay"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "-1 is grey, 1 twice as colourful"},
    {"NAME": "temperature", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "White balance: cooler below 0, warmer above"},
    {"NAME": "tint", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "White balance: greener below 0, more magenta above"}
  ],
  "CONSTANTS": [
    {"NAME": "redLight", "VALUE": "exp(0.4*temperature + 0.15*tint)"},
    {"NAME": "greenLight", "VALUE": "exp(-0.3*tint)"},
    {"NAME": "blueLight", "VALUE": "exp(-0.5*temperature + 0.15*tint)"},
    {"NAME": "light", "VALUE":
      "pow(2, exposure) / (0.2126*redLight + 0.7152*greenLight + 0.0722*blueLight)"},
    {"NAME": "redGain", "VALUE": "sqrt(light * redLight)"},
    {"NAME": "greenGain", "VALUE": "sqrt(light * greenLight)"},
    {"NAME": "blueGain", "VALUE": "sqrt(light * blueLight)"}
  ]
}*/

// Codes are about the square root of light (light.glsl), so a gain of light is its root as one of
// codes. White balance keeps the luminance of grey.
vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec3 code = color.rgb * vec3(redGain, greenGain, blueGain);
  // The curve is steeper than 1 in the middle; what is beyond white or black keeps its distance.
  vec3 inside = clamp(code, 0.0, 1.0);
  code += contrast * inside * (inside * (3.0 - 2.0 * inside) - 1.0);
  float luma = dot(code, vec3(0.2126, 0.7152, 0.0722));
  code += saturation * (code - luma);
  return vec4(code, color.a);
}
