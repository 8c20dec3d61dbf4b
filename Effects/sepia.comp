/*{
  "DESCRIPTION": "Tones the picture as an old photograph.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color Effect"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of its colour the picture loses to the tone"},
    {"NAME": "tone", "TYPE": "color", "DEFAULT": [0.93, 0.7, 0.45, 1],
      "DESCRIPTION": "The colour of the middle tones"},
    {"NAME": "fade", "TYPE": "float", "DEFAULT": 0.12, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far blacks have faded to brown"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  // The tone is strongest in the middle: lights are those of the paper, a little of the tone.
  vec3 paper = mix(tone.rgb, vec3(1.0), 0.75);
  vec3 toned = luma * mix(tone.rgb, paper, luma);
  toned += fade * (1.0 - luma) * tone.rgb * 0.6;
  return vec4(mix(color.rgb, toned, amount * tone.a), color.a);
}
