/*{
  "DESCRIPTION": "Steadies a shaky picture by a file with its motion, so that it knows what comes; stabilise:measure makes it.",
  "CREDIT": "kfrec",
  "CATEGORIES": ["Repair", "Motion", "Geometry"],
  "INPUTS": [
    {"NAME": "path", "TYPE": "image",
      "DESCRIPTION": "The file with the motion and how far to look ahead, at most 5 seconds: path.mkv~start=2"},
    {"NAME": "amount", "TYPE": "float", "DEFAULT": 1, "MIN": 0, "MAX": 1, "IDENTITY": 0,
      "DESCRIPTION": "How much of the shaking is taken out"},
    {"NAME": "smoothing", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0.05, "MAX": 5,
      "DESCRIPTION": "Motion of more than about this many seconds is meant, and followed"},
    {"NAME": "limit", "TYPE": "float", "DEFAULT": 0.15, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How far the picture is moved at most, as a part of the frame's shorter side"},
    {"NAME": "zoom", "TYPE": "float", "DEFAULT": 0.06, "MIN": 0, "MAX": 0.5,
      "DESCRIPTION": "How much larger the picture gets, so that its edges stay outside; what is beyond them is mirrored"}
  ],
  "PASSES": [
    {"TARGET": "offsets", "FLOAT": true, "WIDTH": 1, "HEIGHT": 1,
      "DESCRIPTION": "How far the picture is from where it should be"},
    {"TARGET": "along", "HALF": true, "DESCRIPTION": "The frame, moved along its rows"},
    {}
  ],
  "CONSTANTS": [
    {"NAME": "falloff", "VALUE": "0.5 / pow(max(smoothing * FRAMERATE, 0.5), 2)"},
    {"NAME": "side", "VALUE": "SIDE"}
  ]
}*/
#include "moved.glsl"

ivec3 bytesAt(int at) {
  int width = pathSize().x;
  return ivec3(floor(pathPixel(ivec2(at % width, at / width)).rgb * 255.0 + 0.5));
}

// Shift (x, y), zoom and turn from one frame to this one; the file holds the last 256 up to its own.
vec4 motionOf(int index) {
  vec4 motion;
  for (int i = 0; i < 4; i++) {
    ivec3 bytes = bytesAt((index & 255) * 4 + i);
    motion[i] = float(bytes.x * 256 + bytes.y - 32768) / 65536.0;
  }
  return motion;
}

#if PASSINDEX == 0
// A line through the path around this frame, near frames first; where the line is now the picture should be.
struct Line { vec3 weights; vec4 sum; vec4 slope; };

void add(inout Line line, int k, vec4 place) {
  float weight = exp(-falloff * float(k * k));
  line.weights += weight * vec3(1.0, k, k * k);
  line.sum += weight * place;
  line.slope += weight * float(k) * place;
}

vec4 offset() {
  if (pathSize().x * pathSize().y < 1025) return vec4(0.0);
  ivec3 bytes = bytesAt(1024);
  int last = bytes.z * 65536 + bytes.x * 256 + bytes.y;
  Line line = Line(vec3(0.0), vec4(0.0), vec4(0.0));
  add(line, 0, vec4(0.0));
  vec4 place = vec4(0.0);
  int ahead = min(last - FRAMEINDEX, 125);
  for (int k = 1; k <= ahead; k++) {
    place += motionOf(FRAMEINDEX + k);
    add(line, k, place);
  }
  place = vec4(0.0);
  int back = min(FRAMEINDEX, min(255 - ahead, 125));
  for (int k = 1; k <= back; k++) {
    place -= motionOf(FRAMEINDEX - k + 1);
    add(line, -k, place);
  }
  vec3 w = line.weights;
  vec4 now = (line.sum * w.z - line.slope * w.y) / max(w.x * w.z - w.y * w.y, 1e-6);
  vec4 off = -now;
  off.xy *= min(1.0, limit / max(length(off.xy), 1e-6));
  return vec4(off.xy, clamp(off.zw, -0.2, 0.2));
}
#endif

vec4 effect(vec2 uv) {
#if PASSINDEX == 0
  return offset();
#elif PASSINDEX == 1
  return movedAlong(amount * offsetsPixel(ivec2(0)) * vec4(side, side, 1.0, 1.0), amount * zoom);
#else
  return movedDown(amount * offsetsPixel(ivec2(0)) * vec4(side, side, 1.0, 1.0), amount * zoom);
#endif
}
