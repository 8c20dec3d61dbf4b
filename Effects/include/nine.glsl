// Shows pictures at another size with nine reads. The effect defines vec4 picture(int which, ivec2 p), a pixel, before it
// includes this file.
#ifndef NINE_GLSL
#define NINE_GLSL

vec4 taken(int which, float x, float y) {
  vec4 pixel = picture(which, ivec2(x, y));
  return vec4(pixel.rgb * pixel.a, pixel.a);
}

// The colour of a picture around the place p, in its pixels from the middle of the first one, with alpha multiplied in:
// between four pixels, or where a pixel of the result covers more of them (span), the mean of nine spread over them.
// Only pixels from least to most are read. There is no loop over more: software drivers pay far more for a loop than
// for the pixels.
vec4 nine(int which, vec2 p, vec2 span, vec2 least, vec2 most) {
  vec2 reach = max(span, 1.0);
  vec2 apart = max(floor(reach * 0.45 + 0.5), 1.0);
  vec2 nearest = floor(p + 0.5);
  vec2 off = p - nearest;
  vec2 low = clamp(nearest - apart, least, most);
  vec2 near = clamp(nearest, least, most);
  vec2 high = clamp(nearest + apart, least, most);
  vec2 lowPart = max(1.0 - (apart + off) / reach, 0.0);
  vec2 nearPart = 1.0 - abs(off) / reach;
  vec2 highPart = max(1.0 - (apart - off) / reach, 0.0);
  vec2 all = 1.0 / (lowPart + nearPart + highPart);
  vec4 above = taken(which, low.x, low.y) * lowPart.x + taken(which, near.x, low.y) * nearPart.x
    + taken(which, high.x, low.y) * highPart.x;
  vec4 beside = taken(which, low.x, near.y) * lowPart.x + taken(which, near.x, near.y) * nearPart.x
    + taken(which, high.x, near.y) * highPart.x;
  vec4 below = taken(which, low.x, high.y) * lowPart.x + taken(which, near.x, high.y) * nearPart.x
    + taken(which, high.x, high.y) * highPart.x;
  return (above * lowPart.y + beside * nearPart.y + below * highPart.y) * (all.x * all.y);
}

#endif
