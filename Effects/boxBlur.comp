/*{
  "DESCRIPTION": "Blurs with the mean of a square around each pixel.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Blur"],
  "INPUTS": [
    {"NAME": "radius", "TYPE": "long", "DEFAULT": 4, "MIN": 0, "MAX": 24,
      "DESCRIPTION": "Pixels on each side of the middle one"}
  ]
}*/

// Each group sums the rows of its square and of a margin of `radius` above and below into shared
// memory, then adds up columns of those sums, which the pixels above one another have in common.
const int GROUP = 16;
// 64 x 16 sums are 16 KiB, which every Vulkan device has.
const int LARGEST = 24;

layout(local_size_x = 16, local_size_y = 16) in;

shared vec4 rowSums[GROUP + 2 * LARGEST][GROUP];

void main() {
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  int top = int(gl_WorkGroupID.y) * GROUP - radius;

  for (int row = local.y; row < GROUP + 2 * radius; row += GROUP) {
    vec4 sum = vec4(0.0);
    for (int x = -radius; x <= radius; x++) sum += framePixel(ivec2(PIXEL.x + x, top + row));
    rowSums[row][local.x] = sum;
  }
  barrier();

  vec4 sum = vec4(0.0);
  for (int y = 0; y <= 2 * radius; y++) sum += rowSums[local.y + y][local.x];
  float width = float(2 * radius + 1);
  store(PIXEL, sum / (width * width));
}
