/*{
  "DESCRIPTION": "Sets exposure, contrast, colours, tones and white balance; all of them neutral by default.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "UNCLAMPED": true,
  "INPUTS": [
    {"NAME": "exposure", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "In stops: each doubles the light, or halves it below 0"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "Steepens the middle tones or flattens them; black and white stay"},
    {"NAME": "gamma", "TYPE": "float", "DEFAULT": 1, "MIN": 0.1, "MAX": 10, "IDENTITY": 1,
      "DESCRIPTION": "Brightens the middle tones above 1, darkens them below; black and white stay"},
    {"NAME": "black", "TYPE": "float", "DEFAULT": 0, "MIN": -0.5, "MAX": 0.9, "IDENTITY": 0,
      "DESCRIPTION": "The brightness that becomes black; below 0 black becomes grey"},
    {"NAME": "white", "TYPE": "float", "DEFAULT": 1, "MIN": 0.1, "MAX": 2, "IDENTITY": 1,
      "DESCRIPTION": "The brightness that becomes white; above 1 white becomes grey"},
    {"NAME": "saturation", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "-1 is grey, 1 twice as colourful"},
    {"NAME": "vibrance", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "The same for pale colours; strong ones stay"},
    {"NAME": "hue", "TYPE": "float", "DEFAULT": 0, "MIN": -180, "MAX": 180, "IDENTITY": 0,
      "DESCRIPTION": "Turns all colours, in degrees: 120 makes red green and green blue"},
    {"NAME": "temperature", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "White balance: cooler below 0, warmer above"},
    {"NAME": "tint", "TYPE": "float", "DEFAULT": 0, "MIN": -1, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "White balance: greener below 0, more magenta above"},
    {"NAME": "lift", "TYPE": "color", "DEFAULT": [0, 0, 0, 1], "IDENTITY": [0, 0, 0, 1],
      "DESCRIPTION": "The colour that black becomes"},
    {"NAME": "middle", "TYPE": "color", "DEFAULT": [0.5, 0.5, 0.5, 1], "IDENTITY": [0.5, 0.5, 0.5, 1],
      "DESCRIPTION": "The colour that middle grey becomes"},
    {"NAME": "gain", "TYPE": "color", "DEFAULT": [1, 1, 1, 1], "IDENTITY": [1, 1, 1, 1],
      "DESCRIPTION": "The colour that white becomes"}
  ],
  "CONSTANTS": [
    {"NAME": "redLight", "VALUE": "exp(0.4*temperature + 0.15*tint)"},
    {"NAME": "greenLight", "VALUE": "exp(-0.3*tint)"},
    {"NAME": "blueLight", "VALUE": "exp(-0.5*temperature + 0.15*tint)"},
    {"NAME": "light", "VALUE":
      "pow(2, exposure) / (0.2126*redLight + 0.7152*greenLight + 0.0722*blueLight)"},
    {"NAME": "scale", "VALUE": "1 / max(white - black, 0.01)"},
    {"NAME": "redGain", "VALUE": "sqrt(light * redLight) * scale"},
    {"NAME": "greenGain", "VALUE": "sqrt(light * greenLight) * scale"},
    {"NAME": "blueGain", "VALUE": "sqrt(light * blueLight) * scale"},
    {"NAME": "offset", "VALUE": "-black * scale"},
    {"NAME": "redPower", "VALUE": "log(clamp(middle.r, 0.01, 0.99)) / log(0.5) / gamma"},
    {"NAME": "greenPower", "VALUE": "log(clamp(middle.g, 0.01, 0.99)) / log(0.5) / gamma"},
    {"NAME": "bluePower", "VALUE": "log(clamp(middle.b, 0.01, 0.99)) / log(0.5) / gamma"},
    {"NAME": "power", "VALUE": "max(abs(redPower - 1), max(abs(greenPower - 1), abs(bluePower - 1)))"},
    {"NAME": "ends", "VALUE": "max(lift.r, max(lift.g, lift.b)) + 1 - min(gain.r, min(gain.g, gain.b))"},
    {"NAME": "tones", "TYPE": "int", "VALUE": "power + ends < 0.0001 ? 0 : 1"},
    {"NAME": "chroma", "VALUE": "(1 + saturation) * cos(hue * 3.141592653589793 / 180) - 1"},
    {"NAME": "turn", "VALUE": "(1 + saturation) * sin(hue * 3.141592653589793 / 180)"},
    {"NAME": "redFromBlue", "VALUE": "1.5748 / 1.8556 * turn"},
    {"NAME": "blueFromRed", "VALUE": "-1.8556 / 1.5748 * turn"},
    {"NAME": "greenFromRed", "VALUE": "-0.0722 / 0.7152 * blueFromRed"},
    {"NAME": "greenFromBlue", "VALUE": "-0.2126 / 0.7152 * redFromBlue"}
  ]
}*/

// Codes are about the square root of light (light.glsl), so a gain of light is its root as one of
// codes. White balance keeps the luminance of grey.
vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec3 code = color.rgb * vec3(redGain, greenGain, blueGain) + offset;
  if (tones != 0) {
    vec3 curve = pow(abs(code), vec3(redPower, greenPower, bluePower));
    code = lift.rgb + (gain.rgb - lift.rgb) * sign(code) * curve;
  }
  // The curve is steeper than 1 in the middle; what is beyond white or black keeps its distance.
  vec3 inside = clamp(code, 0.0, 1.0);
  code += contrast * inside * (inside * (3.0 - 2.0 * inside) - 1.0);

  // Hue turns BT.709's two colour differences round grey of the same luma.
  vec3 away = code - dot(code, vec3(0.2126, 0.7152, 0.0722));
  float most = max(code.r, max(code.g, code.b)) - min(code.r, min(code.g, code.b));
  float pale = max(1.0 - most, 0.0);
  code += (chroma + vibrance * pale * pale) * away;
  code += vec3(redFromBlue, greenFromBlue, 0.0) * away.b + vec3(0.0, greenFromRed, blueFromRed) * away.r;
  return vec4(code, color.a);
}
