/*{"ISFVSN":"2","INPUTS":[{"NAME":"inputImage","TYPE":"image"}]}*/
float aa(float d) { return clamp(0.5 - d / fwidth(d), 0., 1.); }
float loop(vec2 p) { float s = 0.0; for (int i = 0; i < 7; i++) { vec2 c = RENDERSIZE * vec2(fract(float(i) * 0.37), fract(float(i) * 0.61)); s = max(s, aa(length(p - c) - 20.0)); if (s > 2.0) break; } return s; }
void main() {
  vec2 p = gl_FragCoord.xy + TIME * 10.0;
  vec3 d = vec3(p.x * p.y, p.x - p.y * p.y, p.y) * 0.01;
  vec4 n = vec4(normalize(cross(dFdx(d), dFdy(d))), 1.0);
  gl_FragColor = vec4(loop(p), 0.5 + 0.5 * n.xy, 1.0);
}
