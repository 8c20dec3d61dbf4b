// separateRGB for GStreamer's glshader, second half.
#ifdef GL_ES
precision highp float;
#endif
varying vec2 v_texcoord;
varying vec2 v_red;
varying vec2 v_green;
uniform sampler2D tex;

void main() {
  gl_FragColor = vec4(
    texture2D(tex, v_red).r, texture2D(tex, v_green).g, texture2D(tex, v_texcoord).b, 1.0);
}
