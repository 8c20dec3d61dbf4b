/*{
  "DESCRIPTION": "Turns the image into its negative.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "keepHue", "LABEL": "Keep hue", "TYPE": "bool", "DEFAULT": false,
      "DESCRIPTION": "Swaps light and dark only; red stays red"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  vec3 negative = 1.0 - color.rgb;
  if (keepHue) {
    // Moves all three by the same amount: the middle of the largest and the smallest goes to its mirror.
    float largest = max(color.r, max(color.g, color.b));
    float smallest = min(color.r, min(color.g, color.b));
    negative = color.rgb + (1.0 - largest - smallest);
  }
  return vec4(negative, color.a);
}
