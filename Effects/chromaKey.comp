/*{
  "DESCRIPTION": "Makes a colour such as a green screen transparent, or puts another in its place.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Keying"],
  "INPUTS": [
    {"NAME": "key", "TYPE": "color", "DEFAULT": [0, 0.69, 0.25, 1],
      "DESCRIPTION": "The colour of the screen"},
    {"NAME": "similarity", "TYPE": "float", "DEFAULT": 0.3, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far from it still is screen; 1 is as far as grey"},
    {"NAME": "softness", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How much further the edge fades"},
    {"NAME": "spill", "TYPE": "float", "DEFAULT": 0.85, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the screen's light is taken off what stays"},
    {"NAME": "background", "TYPE": "color", "DEFAULT": [0.1, 0.11, 0.13, 1],
      "DESCRIPTION": "What is put in its place; with alpha 0 (00000000) it is transparent"}
  ],
  "CONSTANTS": [
    {"NAME": "keyLuma", "VALUE": "0.2126*key.r + 0.7152*key.g + 0.0722*key.b"},
    {"NAME": "keyBlue", "VALUE": "(key.b - keyLuma) / 1.8556"},
    {"NAME": "keyRed", "VALUE": "(key.r - keyLuma) / 1.5748"},
    {"NAME": "keyChroma", "VALUE": "max(sqrt(keyBlue*keyBlue + keyRed*keyRed), 0.001)"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  vec2 chroma = (color.br - luma) / vec2(1.8556, 1.5748);
  vec2 keyed = vec2(keyBlue, keyRed);

  // The screen's shadows and folds are less colourful in step with their lightness: still screen.
  float shade = clamp(luma / max(keyLuma, 0.001), 0.6, 1.0);
  float off = distance(chroma, keyed * shade) / (keyChroma * shade);
  float kept = smoothstep(similarity, similarity + softness + 0.001, off);

  // What reflects the screen has colour in its direction; grey has none.
  vec2 direction = keyed / keyChroma;
  chroma -= direction * (spill * max(dot(chroma, direction), 0.0));
  float blue = luma + 1.8556 * chroma.x;
  float red = luma + 1.5748 * chroma.y;
  float green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152;
  vec3 clean = clamp(vec3(red, green, blue), 0.0, 1.0);

  float front = kept * color.a;
  float back = (1.0 - kept) * background.a;
  float alpha = front + back;
  return vec4((front * clean + back * background.rgb) / max(alpha, 1e-6), alpha);
}
