vec4 effect(vec2 uv) {
  vec4 c = frame(uv);
  for (int i = 0; i < 4000; ++i) { c.rgb = c.rgb + 0.0001 * sin(c.gbr * 3.0 + float(i)); }
  return c;
}
