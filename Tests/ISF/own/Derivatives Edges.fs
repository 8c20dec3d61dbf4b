/*{"ISFVSN":"2","INPUTS":[{"NAME":"inputImage","TYPE":"image"}]}*/
void main() {
  vec2 p = gl_FragCoord.xy;
  vec4 t = IMG_THIS_PIXEL(inputImage);
  vec4 n = IMG_PIXEL(inputImage, p + vec2(3.0, 2.0));
  bool edge = p.x < 3.0 || p.y < 3.0 || p.x > RENDERSIZE.x - 3.0 || p.y > RENDERSIZE.y - 3.0;
  gl_FragColor = vec4(abs(dFdx(t.r)) * 4.0 + abs(dFdy(n.g)) * 4.0, 0.5 + dFdy(t.g) * 4.0, fwidth(p.x * p.x + p.y * p.y) * 0.001, 1.0);
  gl_FragColor = mix(vec4(0.2), gl_FragColor, edge ? 1.0 : 0.0);
}
