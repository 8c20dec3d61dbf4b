/*{"ISFVSN":"2","INPUTS":[{"NAME":"inputImage","TYPE":"image"}],"PASSES":[{"TARGET":"a","WIDTH":"$WIDTH/2.0+1.0","HEIGHT":"$HEIGHT/3.0+2.0","PERSISTENT":true,"FLOAT":true},{"TARGET":"b","WIDTH":33,"HEIGHT":21},{}]}*/
void main() {
  vec2 p = gl_FragCoord.xy;
  if (PASSINDEX == 0) {
    vec4 c = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord);
    gl_FragColor = vec4(dFdx(c).r, dFdy(c).g, fwidth(c.b), 1.0) + 0.25 * IMG_THIS_PIXEL(a);
  } else if (PASSINDEX == 1) {
    float r = length(p - 11.0); 
    gl_FragColor = vec4(fwidth(r * r) * 0.02, dFdx(r), abs(dFdy(r)), 1.0);
  } else {
    vec4 v = IMG_NORM_PIXEL(a, isf_FragNormCoord);
    vec4 w = IMG_NORM_PIXEL(b, isf_FragNormCoord);
    gl_FragColor = vec4(abs(v.rgb) * 3.0 + w.rgb * 0.3 + fwidth(w.rgb), 1.0);
    if (p.x < 20.0 && mod(p.x + p.y, 3.0) < 1.0) discard;
    gl_FragColor.r += fwidth(p.x * p.y * 0.01);
  }
}
