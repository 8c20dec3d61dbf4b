/*{
  "DESCRIPTION": "Shows brightness as heat, as a thermal camera does.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "palette", "TYPE": "long", "VALUES": [0, 1, 2, 3],
      "LABELS": ["iron", "rainbow", "white-hot", "black-hot"], "DEFAULT": 0,
      "DESCRIPTION": "The colours from cold to hot"},
    {"NAME": "cold", "TYPE": "float", "DEFAULT": 0.05, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Brightness that is shown as the coldest"},
    {"NAME": "hot", "TYPE": "float", "DEFAULT": 0.9, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Brightness that is shown as the hottest"}
  ],
  "CONSTANTS": [
    {"NAME": "scale", "VALUE": "1 / (abs(hot - cold) < 0.001 ? 0.001 : hot - cold)"}
  ]
}*/

// Black, violet, red, orange, yellow, white.
vec3 iron(float heat) {
  float red = heat * (2.6 - heat * 1.6);
  float green = heat * heat * heat * 0.55 + 0.45 * smoothstep(0.45, 0.95, heat);
  float blue = max(2.2 * heat * (1.0 - 2.2 * heat) * 2.0, smoothstep(0.8, 1.0, heat));
  return vec3(red, green, blue);
}

// Dark blue, blue, cyan, green, yellow, red: three tents side by side.
vec3 rainbow(float heat) {
  vec3 tents = 1.5 - abs(4.0 * heat - vec3(3.2, 2.1, 1.0));
  return clamp(tents, 0.0, 1.0);
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  // Skin and fire are warm, sky is cold: red counts for more than it does to the eye.
  float brightness = dot(color.rgb, vec3(0.4, 0.5, 0.1));
  float heat = clamp((brightness - cold) * scale, 0.0, 1.0);
  vec3 shown;
  if (palette == 0) shown = iron(heat);
  else if (palette == 1) shown = rainbow(heat);
  else shown = vec3(palette == 2 ? heat : 1.0 - heat);
  return vec4(clamp(shown, 0.0, 1.0), color.a);
}
