/*{
  "DESCRIPTION": "Prints the image in two colours, one for the shadows and one for the highlights.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color", "Print"],
  "INPUTS": [
    {"NAME": "shadows", "TYPE": "color", "DEFAULT": [0.12, 0.05, 0.38, 1],
      "DESCRIPTION": "The colour of black"},
    {"NAME": "lights", "TYPE": "color", "DEFAULT": [1, 0.86, 0.66, 1],
      "DESCRIPTION": "The colour of white"},
    {"NAME": "contrast", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far the middle tones are moved apart"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  float tone = mix(luma, smoothstep(0.05, 0.85, luma), contrast);
  vec4 ink = mix(shadows, lights, tone);
  return vec4(mix(color.rgb, ink.rgb, ink.a), color.a);
}
