/*{
  "DESCRIPTION": "Lights up what moves and makes the rest grey and dark.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Motion", "Time"],
  "INPUTS": [
    {"NAME": "sensitivity", "TYPE": "float", "DEFAULT": 0.6, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How small a change counts as motion"},
    {"NAME": "hold", "TYPE": "float", "DEFAULT": 0.4, "MIN": 0, "MAX": 5,
      "DESCRIPTION": "Seconds in which the light fades to a tenth"},
    {"NAME": "tint", "TYPE": "color", "DEFAULT": [1, 0.4, 0.1, 0.6],
      "DESCRIPTION": "The light's colour; its alpha is how much of it covers what moves"},
    {"NAME": "dim", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "How grey and dark the rest gets"}
  ],
  "HISTORY": 1,
  "PASSES": [
    {"TARGET": "heat", "WIDTH": "ceil(WIDTH * min(1, 360 / SIDE))", "HEIGHT": "ceil(HEIGHT * min(1, 360 / SIDE))",
      "PERSISTENT": true, "FLOAT": true, "DESCRIPTION": "How much has moved; means of four pixels reduce the noise"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "least", "VALUE": "mix(0.25, 0.01, sqrt(sensitivity))"},
    {"NAME": "keep", "VALUE": "exp(-2.302585 * TIMEDELTA / max(hold, 1e-6))"}
  ]
}*/

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  vec2 scale = vec2(frameSize()) / RENDERSIZE;
  vec3 change = vec3(0.0);
  for (int i = 0; i < 4; i++) {
    ivec2 p = ivec2((vec2(PIXEL) + vec2(i & 1, i >> 1) * 0.5 + 0.25) * scale);
    change += framePixel(p).rgb - earlierPixel(1, p).rgb;
  }
  change = abs(change) * 0.25;
  float moved = smoothstep(least, 2.0 * least, max(change.r, max(change.g, change.b)));
  return vec4(max(moved, keep * heatPixel(PIXEL).r));
#else
  vec4 color = framePixel();
  vec3 grey = vec3(dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)));
  vec3 rest = mix(color.rgb, grey, dim) * (1.0 - 0.6 * dim);
  vec3 lit = mix(color.rgb, tint.rgb, tint.a);
  return vec4(mix(rest, lit, heat(uv).r), color.a);
#endif
}
