// Effects that look beyond the edge of the frame see it mirrored there, without a seam.
#ifndef REFLECT_GLSL
#define REFLECT_GLSL

// Every whole number is an edge; the frame lies between 0 and 1.
vec2 reflected(vec2 uv) { return 1.0 - abs(1.0 - mod(uv, 2.0)); }

#endif
