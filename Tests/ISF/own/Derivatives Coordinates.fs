/*{"ISFVSN":"2"}*/
void main() {
  vec2 p = gl_FragCoord.xy;
  vec2 q = p * p / 64.0;
  gl_FragColor = vec4(dFdx(q).x / 16., dFdy(q).y / 16., fwidth(q.x*q.y) / 64., 1.0);
}
