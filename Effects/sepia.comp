/*{
  "DESCRIPTION": "Tones the image like an old photograph.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "INPUTS": [
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the image's colour the tone replaces"},
    {"NAME": "tone", "TYPE": "color", "DEFAULT": [0.93, 0.7, 0.45, 1],
      "DESCRIPTION": "The colour of the middle tones"},
    {"NAME": "fade", "TYPE": "float", "DEFAULT": 0.1, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How far blacks have faded to brown"}
  ],
  "CONSTANTS": [
    {"NAME": "brightness", "VALUE":
      "max(0.2126*tone.r + 0.7152*tone.g + 0.0722*tone.b, 0.05)"}
  ]
}*/

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  float luma = dot(color.rgb, vec3(0.2126, 0.7152, 0.0722));
  // The middle tones are as bright as before and have the tone; the highlights are those of the paper.
  vec3 paper = mix(tone.rgb, vec3(1.0), 0.8);
  vec3 toned = luma * mix(tone.rgb / brightness, paper, luma);
  toned = mix(toned, smoothstep(0.0, 0.95, toned), 0.6) + fade * (1.0 - luma) * tone.rgb * 0.5;
  return vec4(mix(color.rgb, toned, amount * tone.a), color.a);
}
