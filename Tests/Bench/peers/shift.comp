/*{"DESCRIPTION": "The shift of rgbashift=rh=16:gh=-16:rv=4:gv=-4, for the same picture."}*/
vec4 effect(vec2 uv) {
  vec4 here = framePixel(PIXEL);
  return vec4(
    framePixel(PIXEL - ivec2(16, 4)).r, framePixel(PIXEL + ivec2(16, 4)).g, here.b, here.a);
}
