// Oklab: a space in which equal distances look about equally large. Lightness is x; y and z are the colour, grey is 0.
// Its numbers are those of Björn Ottosson's definition, on the light of light.glsl.
#ifndef OKLAB_GLSL
#define OKLAB_GLSL
#include "light.glsl"

vec3 toOklab(vec3 code) {
  vec3 light = toLight(code);
  vec3 cones = mat3(
    0.4122214708, 0.2119034982, 0.0883024619, 0.5363325363, 0.6806995451, 0.2817188376, 0.0514459929, 0.1073969566,
    0.6299787005) * light;
  cones = pow(max(cones, vec3(0.0)), vec3(1.0 / 3.0));
  return mat3(
    0.2104542553, 1.9779984951, 0.0259040371, 0.7936177850, -2.4285922050, 0.7827717662, -0.0040720468, 0.4505937099,
    -0.8086757660) * cones;
}

// The code of a colour. What a screen cannot show becomes paler until it can: its lightness and its hue stay.
vec3 fromOklab(vec3 lab) {
  vec3 cones = lab.x + mat2x3(0.3963377774, -0.1055613458, -0.0894841775, 0.2158037573, -0.0638541728, -1.2914855480)
    * lab.yz;
  cones *= cones * cones;
  vec3 light = mat3(
    4.0767416621, -1.2684380046, -0.0041960863, -3.3077115913, 2.6097574011, -0.7034186147, 0.2309699292,
    -0.3413193965, 1.7076147010) * cones;
  float grey = clamp(lab.x * lab.x * lab.x, 0.0, 1.0);
  vec3 away = light - grey;
  vec3 room = mix(vec3(grey), vec3(1.0 - grey), greaterThan(away, vec3(0.0)));
  vec3 part = room / max(abs(away), vec3(1e-6));
  return toCode(grey + away * min(min(part.r, min(part.g, part.b)), 1.0));
}

#endif
