/*{
  "DESCRIPTION": "Takes colour away.",
  "INPUTS": [{"NAME": "strength", "TYPE": "float", "DEFAULT": 0.5, "MIN": 0, "MAX": 1}]
}*/
vec4 effect(vec2 uv) {
  vec4 c = frame(uv);
  return vec4(mix(c.rgb, vec3(dot(c.rgb, vec3(0.2126, 0.7152, 0.0722))), strength), c.a);
}
