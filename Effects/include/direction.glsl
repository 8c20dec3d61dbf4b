// Cosine and sine of an angle.
#ifndef DIRECTION_GLSL
#define DIRECTION_GLSL

// The angle is in whole turns. Polynomials for half of it, within 0.000004, and from there the double: cos() and sin()
// take several times as long on software drivers, and differ from driver to driver.
vec2 direction(float turns) {
  float r = turns - floor(turns + 0.5);
  float q = r * r;
  float s = r * (3.14159265 + q * (-5.16771278 + q * (2.55016404 + q * (-0.59926453 + q * 0.08214589))));
  float c = 1.0 + q * (-4.93480220 + q * (4.05871213 + q * (-1.33526277 + q * (0.23533063 - q * 0.02580689))));
  return vec2(1.0 - 2.0 * s * s, 2.0 * s * c);
}

#endif
