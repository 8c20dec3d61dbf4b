/*{
  "DESCRIPTION": "Moves, turns, zooms, crops, flips and tilts the picture within the frame.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Geometry"],
  "NEUTRAL": true,
  "ALPHA": "color",
  "INPUTS": [
    {"NAME": "angle", "TYPE": "float", "DEFAULT": 0, "MIN": -3600, "MAX": 3600, "IDENTITY": 0,
      "DESCRIPTION": "How far it is turned, in degrees, clockwise"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 1, "MIN": 0.02, "MAX": 50, "IDENTITY": 1,
      "DESCRIPTION": "How many times as large it is"},
    {"NAME": "x", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "Moves it to the right, in frame widths"},
    {"NAME": "y", "TYPE": "float", "DEFAULT": 0, "MIN": -4, "MAX": 4, "IDENTITY": 0,
      "DESCRIPTION": "Moves it down, in frame heights"},
    {"NAME": "center", "TYPE": "point2D", "DEFAULT": [0.5, 0.5], "MIN": [0, 0], "MAX": [1, 1],
      "DESCRIPTION": "The point round which it is turned and zoomed; 0/0 is the top left, 1/1 the bottom right"},
    {"NAME": "flip", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3], "IDENTITY": 0,
      "LABELS": ["none", "horizontal", "vertical", "both"], "DESCRIPTION": "Which sides change places"},
    {"NAME": "keystone", "TYPE": "point2D", "DEFAULT": [0, 0], "MIN": [-1, -1], "MAX": [1, 1], "IDENTITY": [0, 0],
      "DESCRIPTION": "Tilts it: 0.3/0 makes the right side larger, 0/0.3 the lower side"},
    {"NAME": "left", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "What is cropped at the left, as a part of the frame's width"},
    {"NAME": "right", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "The same at the right"},
    {"NAME": "top", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "What is cropped at the top, as a part of the frame's height"},
    {"NAME": "bottom", "TYPE": "float", "DEFAULT": 0, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "The same at the bottom"},
    {"NAME": "fill", "TYPE": "bool", "DEFAULT": false, "IDENTITY": false,
      "DESCRIPTION": "Enlarges what is left after cropping and turning just enough to fill the frame"},
    {"NAME": "edge", "TYPE": "long", "DEFAULT": 0, "VALUES": [0, 1, 2, 3],
      "LABELS": ["color", "mirror", "repeat", "stretch"],
      "DESCRIPTION": "What shows beyond the picture: a colour, the picture mirrored or repeated, or its last pixels"},
    {"NAME": "color", "TYPE": "color", "DEFAULT": [0, 0, 0, 1],
      "DESCRIPTION": "The colour beyond the picture; 00000000 is transparent"}
  ],
  "CONSTANTS": [
    {"NAME": "turnX", "VALUE": "cos(fract(angle / 360) * 6.283185307179586)"},
    {"NAME": "turnY", "VALUE": "sin(fract(angle / 360) * 6.283185307179586)"},
    {"NAME": "wide", "VALUE": "WIDTH / SIDE"},
    {"NAME": "high", "VALUE": "HEIGHT / SIDE"},
    {"NAME": "keptX", "VALUE": "max(1 - left - right, 0.0001)"},
    {"NAME": "keptY", "VALUE": "max(1 - top - bottom, 0.0001)"},
    {"NAME": "firstX", "VALUE": "min(left, 1 - keptX)"},
    {"NAME": "firstY", "VALUE": "min(top, 1 - keptY)"},
    {"NAME": "coverX", "VALUE": "(wide * abs(turnX) + high * abs(turnY)) / (wide * keptX)"},
    {"NAME": "coverY", "VALUE": "(wide * abs(turnY) + high * abs(turnX)) / (high * keptY)"},
    {"NAME": "shrink", "VALUE": "1 / (zoom * (fill != 0 ? max(coverX, coverY) : 1))"},
    {"NAME": "flipX", "VALUE": "flip % 2 == 1 ? -shrink : shrink"},
    {"NAME": "flipY", "VALUE": "flip >= 2 ? -shrink : shrink"},
    {"NAME": "rightX", "VALUE": "flipX * turnX"},
    {"NAME": "rightY", "VALUE": "-flipY * turnY"},
    {"NAME": "downX", "VALUE": "flipX * turnY"},
    {"NAME": "downY", "VALUE": "flipY * turnX"},
    {"NAME": "tiltX", "VALUE": "keystone.x / SIDE"},
    {"NAME": "tiltY", "VALUE": "keystone.y / SIDE"},
    {"NAME": "partX", "VALUE": "(fill != 0 ? 0.5 : center.x) + x"},
    {"NAME": "partY", "VALUE": "(fill != 0 ? 0.5 : center.y) + y"},
    {"NAME": "placeX", "VALUE": "partX * WIDTH - 0.5"},
    {"NAME": "placeY", "VALUE": "partY * HEIGHT - 0.5"},
    {"NAME": "middleX", "VALUE": "0.5 * keptX * WIDTH"},
    {"NAME": "middleY", "VALUE": "0.5 * keptY * HEIGHT"},
    {"NAME": "sourceX", "VALUE": "fill != 0 ? middleX : (center.x - firstX) * WIDTH"},
    {"NAME": "sourceY", "VALUE": "fill != 0 ? middleY : (center.y - firstY) * HEIGHT"},
    {"NAME": "periods", "VALUE": "edge == 1 ? 4 : edge == 2 ? 2 : 0"},
    {"NAME": "perPart", "VALUE": "edge == 0 ? 0 : edge == 3 ? 0 : 1 / periods"},
    {"NAME": "turnBack", "VALUE": "edge == 1 ? 4 : 1000000"},
    {"NAME": "beginX", "VALUE": "firstX * WIDTH - 0.5"},
    {"NAME": "beginY", "VALUE": "firstY * HEIGHT - 0.5"},
    {"NAME": "leastX", "VALUE": "floor(beginX + 1)"},
    {"NAME": "leastY", "VALUE": "floor(beginY + 1)"},
    {"NAME": "mostX", "VALUE": "max(floor(beginX + 2 * middleX + 1) - 1, leastX)"},
    {"NAME": "mostY", "VALUE": "max(floor(beginY + 2 * middleY + 1) - 1, leastY)"},
    {"NAME": "isOpen", "VALUE": "edge != 0"}
  ]
}*/

vec4 taken(float x, float y) {
  vec4 pixel = framePixel(ivec2(x, y));
  pixel.rgb *= pixel.a;
  return pixel;
}

// Three pixels of a row with their weights.
vec4 ofRow(vec3 x, float y, vec3 part) { return mat3x4(taken(x.x, y), taken(x.y, y), taken(x.z, y)) * part; }

// All lengths are in pixels. Many of them are constants, and what is left is short enough to write the output itself.
vec4 effect(vec2 uv) {
  // Where this pixel lies in the picture, from the corner of the part that is left after cropping: turned and zoomed,
  // divided by how far away the tilt puts it, and how far from there the next pixel to the right and the next one below
  // lie. Beyond the horizon of the tilt there is no picture.
  mat2 along = mat2(rightX, rightY * PIXELASPECT, downX / PIXELASPECT, downY);
  vec2 tilt = vec2(tiltX * PIXELASPECT, tiltY);
  vec2 here = vec2(PIXEL) - vec2(placeX, placeY);
  float nearness = 1 / max(1 + dot(tilt, here), 0.001);
  vec2 away = along * here * nearness;
  vec2 toRight = abs(along[0] - away * tilt.x) * nearness;
  vec2 down = abs(along[1] - away * tilt.y) * nearness;
  vec2 part = away + vec2(sourceX, sourceY);
  vec2 middle = vec2(middleX, middleY);

  // Repeated or mirrored, without branches, because all of them are computed.
  vec2 p = part - periods * middle * floor(part * perPart / middle);
  p = min(p, turnBack * middle - p) + vec2(beginX, beginY);

  // The colour around there: between four pixels, or where a pixel of the result covers more of them, the mean of nine
  // spread over them, as in nine.glsl. What was cropped does not shine through at the edge.
  vec2 reach = max(max(toRight, down), 1);
  vec2 apart = max(floor(reach * 0.45 + 0.5), 1);
  // Half-way between two pixels it is the later one, whatever a driver's last bit says.
  vec3 columns = floor(p.x + 0.5001) + apart.x * vec3(-1, 0, 1);
  vec3 rows = floor(p.y + 0.5001) + apart.y * vec3(-1, 0, 1);
  vec3 across = max(1 - abs(columns - p.x) / reach.x, 0);
  vec3 upright = max(1 - abs(rows - p.y) / reach.y, 0);
  columns = clamp(columns, leastX, mostX);
  rows = clamp(rows, leastY, mostY);
  vec4 sum = mat3x4(ofRow(columns, rows.x, across), ofRow(columns, rows.y, across), ofRow(columns, rows.z, across)) * upright;
  sum /= dot(across, vec3(1)) * dot(upright, vec3(1));

  // How much of this pixel the picture covers: its edge is as soft as a pixel.
  vec2 cover = clamp((middle - abs(part - middle)) / max(toRight + down, 1e-6) + 0.5, 0, 1);
  sum = mix(vec4(color.rgb, 1) * color.a, sum, max(cover.x * cover.y, isOpen));
  sum.rgb /= max(sum.a, 1e-6);
  return sum;
}
