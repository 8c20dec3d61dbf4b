// Smooth ways from pixel to pixel of a small picture.
#ifndef CURVE_GLSL
#define CURVE_GLSL

// The weights of three pixels in one direction on the smooth curve (a quadratic B-spline) through their neighbourhood,
// `away` from the middle one. It blurs with a variance of a quarter of a pixel, everywhere the same.
vec3 curveWeights(float away) {
  return vec3(0.5 * (0.5 - away) * (0.5 - away), 0.75 - away * away, 0.5 * (0.5 + away) * (0.5 + away));
}

#endif
