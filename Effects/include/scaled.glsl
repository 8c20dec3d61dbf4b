// Shows pictures at another size. The effect defines vec4 picture(int which, ivec2 p), a pixel, and
// ivec2 pictureSize(int which) before it includes this file.
#ifndef SCALED_GLSL
#define SCALED_GLSL

// The colour of a picture around the place middle, in its pixels from its corner, where one pixel of the result covers
// zoom of them. Alpha is multiplied in, so that transparent pixels give no colour.
//
// Weights fall evenly to both sides of the middle, over two pixels of the result, or of the picture if these are larger.
// From a quarter of the size down, the middle is flat and the slopes are steeper, so that fewer pixels are read, and
// each of them still counts once in all: at last it is the mean of those that lie in a pixel of the result. At most 32
// pixels a side are read, with equal steps, so that the cost has a limit.
vec4 scaled(int which, vec2 middle, vec2 zoom) {
  vec2 span = max(zoom, vec2(1.0));
  vec2 slope = clamp(8.0 - span, vec2(1.0), span);
  vec2 reach = 0.5 * (span + slope);
  ivec2 count = ivec2(min(ceil(2.0 * reach), vec2(32.0)));
  bvec2 isStepped = greaterThan(2.0 * reach, vec2(32.0));
  vec2 pace = mix(vec2(1.0), 0.0625 * reach, isStepped);
  vec2 first = mix(floor(middle - reach - 0.5) + 1.5, middle - reach + 0.5 * pace, isStepped);
  ivec2 last = pictureSize(which) - 1;
  vec4 sum = vec4(0.0);
  float total = 0.0;
  for (int j = 0; j < count.y; j++) {
    for (int i = 0; i < count.x; i++) {
      vec2 place = first + vec2(i, j) * pace;
      vec2 near = clamp((reach - abs(place - middle)) / slope, 0.0, 1.0);
      vec4 pixel = picture(which, clamp(ivec2(floor(place)), ivec2(0), last));
      sum += vec4(pixel.rgb * pixel.a, pixel.a) * (near.x * near.y);
      total += near.x * near.y;
    }
  }
  return sum / total;
}

// How much of the pixel around here lies in the rectangle from corner, of this size, all in pixels.
float covered(vec2 here, vec2 corner, vec2 extent) {
  vec2 part = clamp(
    min(here + 0.5, corner + extent) - max(here - 0.5, corner), vec2(0.0), vec2(1.0));
  return part.x * part.y;
}

// front over back, both with alpha multiplied in; the result has straight alpha.
vec4 over(vec4 front, vec4 back) {
  vec4 sum = front + back * (1.0 - front.a);
  return vec4(sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.0), sum.a);
}

#endif
