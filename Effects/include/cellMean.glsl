// One pixel of a smaller picture.
#ifndef CELL_MEAN_GLSL
#define CELL_MEAN_GLSL

// Adds to `sum` the mean of a cell of `cell` pixels a side, read with the function `pixel`. Cells overlap their
// neighbours by `overlap` - 1 pixels, an even number, with slopes at both ends, so that every pixel counts once in all:
// cells that only touch make a small light jump from cell to cell as it moves. The variance of the weights is
// (cell^2 + overlap^2 - 2) / 12, each way. An overlap of 0 adds nothing, and costs nothing.
#define ADD_CELL(sum, pixel, p, cell, overlap) \
  { \
    ivec2 corner = (p) * (cell) - (overlap) / 2; \
    int side = (overlap) > 0 ? (cell) + (overlap) - 1 : 0; \
    float most = float(min(cell, overlap)); \
    float share = 1.0 / max(float((cell) * (overlap)), 1.0); \
    for (int y = 0; y < side; y++) { \
      vec4 row = vec4(0.0); \
      for (int x = 0; x < side; x++) row += min(float(min(x + 1, side - x)), most) * pixel(corner + ivec2(x, y)); \
      sum += share * share * min(float(min(y + 1, side - y)), most) * row; \
    } \
  }

#endif
