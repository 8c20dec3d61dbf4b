/*{"ISFVSN":"2","INPUTS":[{"NAME":"inputImage","TYPE":"image"}]}*/
void main() {
  vec2 p = gl_FragCoord.xy;
  float c = length(p - RENDERSIZE * 0.5) - 40.0;
  float line = abs(sin(p.x * 0.13 + p.y * 0.07) * 20.0);
  vec4 t = IMG_THIS_PIXEL(inputImage);
  float w = fwidth(c);
  gl_FragColor = vec4(smoothstep(-w, w, c), clamp(line / fwidth(line), 0., 1.), length(fwidth(t)) * 2.0 , 1.0);
}
