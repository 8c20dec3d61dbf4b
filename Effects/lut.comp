/*{
  "DESCRIPTION": "Grades with a table, a .cube file of one or three dimensions.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Color"],
  "NEUTRAL": true,
  "UNCLAMPED": true,
  "INPUTS": [
    {"NAME": "file", "TYPE": "image", "OPTIONAL": false,
      "DESCRIPTION": "The table; use mix for less of it"}
  ]
}*/

// A table's image: (entries a side, dimensions), its domain's two ends, and the entries from the
// second row on.
vec3 entry(int number) {
  uint width = uint(fileSize().x);
  return filePixel(ivec2(uint(number) % width, 1u + uint(number) / width)).rgb;
}

// Between the four corners of the tetrahedron that the colour lies in: greys, which lie on the edge
// that all six share, take only grey entries.
vec3 fromCube(vec3 place, int size) {
  ivec3 low = min(ivec3(place), size - 2);
  vec3 part = place - vec3(low);
  int first = low.r + size * (low.g + size * low.b);

  // The way from the low corner to the high one: the side along which there is most left goes first.
  float most = max(max(part.r, part.g), part.b);
  float least = min(min(part.r, part.g), part.b);
  float middle = max(min(part.r, part.g), min(max(part.r, part.g), part.b));
  int plane = size * size;
  int mostStep = part.r == most ? 1 : part.g == most ? size : plane;
  int leastStep = part.b == least ? plane : part.g == least ? size : 1;
  int second = first + mostStep;
  int third = first + 1 + size + plane - leastStep;
  return entry(first) * (1.0 - most) + entry(second) * (most - middle)
    + entry(third) * (middle - least) + entry(third + leastStep) * least;
}

float fromCurve(float place, int size, int channel) {
  int low = min(int(place), size - 2);
  return mix(entry(low)[channel], entry(low + 1)[channel], place - float(low));
}

vec4 effect(vec2 uv) {
  vec4 color = framePixel();
  int size = int(filePixel(ivec2(0)).r);
  // No table was given.
  if (fileSize().x < 3 || size < 2) return color;

  vec3 low = filePixel(ivec2(1, 0)).rgb;
  vec3 high = filePixel(ivec2(2, 0)).rgb;
  vec3 place = clamp((color.rgb - low) / (high - low), 0.0, 1.0) * float(size - 1);
  if (filePixel(ivec2(0)).g == 3.0) return vec4(fromCube(place, size), color.a);
  return vec4(
    fromCurve(place.r, size, 0), fromCurve(place.g, size, 1), fromCurve(place.b, size, 2), color.a);
}
