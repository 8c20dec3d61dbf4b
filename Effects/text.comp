/*{
  "DESCRIPTION": "Writes words over the frame: a title, the time, the number of the frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Text", "Mix"],
  "INPUTS": [
    {"NAME": "text", "TYPE": "text", "DEFAULT": "{timecode}", "SIZE": "size * min(WIDTH, HEIGHT)",
      "WIDTH": "WIDTH - 2 * margin * min(WIDTH, HEIGHT)", "OUTLINE": "outline * size * min(WIDTH, HEIGHT)",
      "ALIGN": "at % 3",
      "DESCRIPTION": "The words; \\n begins a new line; {time}, {timecode}, {frame}, {date}, {clock} and {name} are those of the frame"},
    {"NAME": "font", "TYPE": "font", "DEFAULT": "DejaVu Sans",
      "DESCRIPTION": "The name of a font that is installed, or the path of a font file"},
    {"NAME": "size", "TYPE": "float", "DEFAULT": 0.08, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "The height of a line, as a part of the frame's shorter side"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [1, 1, 1, 1], "DESCRIPTION": "The colour of the letters"},
    {"NAME": "outline", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "The width of the line round the letters, as a part of size"},
    {"NAME": "outlineColor", "TYPE": "color", "DEFAULT": [0, 0, 0, 1], "DESCRIPTION": "Its colour"},
    {"NAME": "box", "TYPE": "color", "DEFAULT": [0, 0, 0, 0],
      "DESCRIPTION": "The colour of a box behind the words, such as 000000a0; none by default"},
    {"NAME": "at", "TYPE": "long", "DEFAULT": 7, "VALUES": [0, 1, 2, 3, 4, 5, 6, 7, 8],
      "LABELS": ["topLeft", "top", "topRight", "left", "center", "right", "bottomLeft", "bottom", "bottomRight"],
      "DESCRIPTION": "The corner or the edge where they lie"},
    {"NAME": "margin", "TYPE": "float", "DEFAULT": 0.04, "MIN": 0, "MAX": 1,
      "DESCRIPTION": "Their distance from the edges, as a part of the frame's shorter side"},
    {"NAME": "x", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves them to the right, in frame widths"},
    {"NAME": "y", "TYPE": "float", "DEFAULT": 0, "MIN": -2, "MAX": 2,
      "DESCRIPTION": "Moves them down, in frame heights"}
  ],
  "CONSTANTS": [
    {"NAME": "gridX", "VALUE": "at % 3 * 0.5"},
    {"NAME": "gridY", "VALUE": "floor(at / 3) * 0.5"},
    {"NAME": "line", "VALUE": "max(round(size * SIDE), 1)"},
    {"NAME": "isShown", "VALUE": "size > 0"}
  ]
}*/

vec4 multiplied(vec4 color, float share) { return vec4(color.rgb, 1) * color.a * share; }

vec2 ofRow(vec3 column, float row, vec3 part) {
  return mat3x2(textPixel(ivec2(column.x, row)).rg, textPixel(ivec2(column.y, row)).rg,
    textPixel(ivec2(column.z, row)).rg) * part;
}

// No loop and no branch, and a short text: so the kernel may write the output itself, and most of a frame has no words.
vec4 effect(vec2 uv) {
  vec4 pixel = framePixel();
  vec2 frame = vec2(frameSize());
  // The frame's pixels need not be square. Words whose size changes are drawn at the largest one. Sizes are whole
  // numbers of pixels.
  vec2 unit = vec2(1 / PIXELASPECT, 1);
  vec2 grown = line / textLine() * unit;
  vec2 extent = vec2(textSize()) * grown;
  vec2 edge = margin * min(frame.x * PIXELASPECT, frame.y) * unit;
  vec2 corner = edge + (frame - 2 * edge - extent) * vec2(gridX, gridY);
  corner = floor(corner + vec2(x, y) * frame + 0.5);
  vec2 here = vec2(PIXEL) + 0.5 - corner;
  vec2 cover = clamp(min(here + 0.5, extent) - max(here - 0.5, 0), 0, 1);
  float inside = cover.x * cover.y * isShown;

  // Nine pixels of the words, further apart where one pixel of the frame covers more than two of them.
  vec2 span = max(1 / grown, 1);
  vec2 apart = max(floor(span * 0.45 + 0.5), 1);
  vec2 place = here / grown - 0.5;
  vec2 nearest = floor(place + 0.5);
  vec3 column = nearest.x + vec3(-apart.x, 0, apart.x);
  vec3 row = nearest.y + vec3(-apart.y, 0, apart.y);
  vec3 across = max(1 - abs(column - place.x) / span.x, 0);
  vec3 down = max(1 - abs(row - place.y) / span.y, 0);
  mat3x2 lines = mat3x2(ofRow(column, row.x, across), ofRow(column, row.y, across), ofRow(column, row.z, across));
  vec2 letters = lines * down * (inside / (dot(across, vec3(1)) * dot(down, vec3(1))));

  // The outline lies round the letters and not under them, where a half-transparent colour would show it.
  vec4 front = multiplied(color, letters.r) + multiplied(outlineColor, max(letters.g - letters.r, 0));
  front += multiplied(box, inside) * (1 - front.a);
  float alpha = 1 - (1 - front.a) * (1 - pixel.a);
  return vec4((front.rgb + pixel.rgb * (pixel.a * (1 - front.a))) / max(alpha, 1e-6), alpha);
}
