"""An ISF file's text as GLSL for a fragment stage and a vertex stage, with real samplers."""

import re

UNIFORMS = """
uniform int PASSINDEX;
uniform vec2 RENDERSIZE;
uniform float TIME;
uniform float TIMEDELTA;
uniform vec4 DATE;
uniform int FRAMEINDEX;
uniform vec2 isf_NudgeNorm;
uniform vec2 isf_NudgePixels;
"""

# A fragment's coordinates, moved by nothing or by about the last bit of a float. VARIANTS says why.
COORDINATES = """
in vec2 isf_Coordinate;
#define isf_FragNormCoord (isf_Coordinate + isf_NudgeNorm)
#define isf_FragCoord vec4(gl_FragCoord.xy + isf_NudgePixels, gl_FragCoord.zw)
"""

DIVIDED_COORDINATES = """
#define isf_FragNormCoord (gl_FragCoord.xy / RENDERSIZE)
#define isf_FragCoord gl_FragCoord
"""

FUNCTIONS = ("pow", "sqrt", "log", "log2", "asin", "acos")


def outside(result):
    """Versions of the functions that GLSL leaves undefined outside their domain, with `result` there, or, for None,
    the result of the nearest argument or of its opposite."""
    lines = []
    for name in FUNCTIONS:
        second, passed = (", float y", ", y") if name == "pow" else ("", "")
        bad = "abs(x) > 1.0" if name in ("asin", "acos") else "x <= 0.0" if name.startswith("log") else "x < 0.0"
        inside = "clamp(x, -1.0, 1.0)" if name in ("asin", "acos") else "max(abs(x), 1e-30)"
        value = f"{name}({inside}{passed})"
        value = f"({bad} ? {result} : {value})" if result else value
        lines.append(f"float isf_{name}(float x{second}) {{ return {value}; }}")
        for size in (2, 3, 4):
            parts = ", ".join(f"isf_{name}(x.{c}{', y.' + c if second else ''})" for c in "xyzw"[:size])
            both = f", vec{size} y" if second else ""
            lines.append(f"vec{size} isf_{name}(vec{size} x{both}) {{ return vec{size}({parts}); }}")
    lines += [f"#define {name} isf_{name}" for name in FUNCTIONS]
    return "\n".join(lines)


def nudged(by):
    """Hashes such as fract(sin(x) * 43758.5) show the last bit of their argument, and so of all arithmetic before."""
    lines = []
    for name, condition in (("sin", "true"), ("cos", "true"), ("fract", "abs(x) >= 64.0")):
        lines.append(f"float isf_{name}(float x) {{ return {name}({condition} ? x * {1 + 2 * by!r} : x); }}")
        for size in (2, 3, 4):
            parts = ", ".join(f"isf_{name}(x.{c})" for c in "xyzw"[:size])
            lines.append(f"vec{size} isf_{name}(vec{size} x) {{ return vec{size}({parts}); }}")
        lines.append(f"#define {name} isf_{name}")
    return "\n".join(lines)


def powers():
    """`pow` of a negative number as mathematics has it for whole exponents; else it keeps the sign."""
    lines = ["float isf_pow(float x, float y) {",
             "  return x < 0.0 && mod(y, 2.0) != 0.0 ? -pow(-x, y) : pow(abs(x), y); }"]
    for size in (2, 3, 4):
        parts = ", ".join(f"isf_pow(x.{c}, y.{c})" for c in "xyzw"[:size])
        lines.append(f"vec{size} isf_pow(vec{size} x, vec{size} y) {{ return vec{size}({parts}); }}")
    return "\n".join([*lines, "#define pow isf_pow"])


# The first is the file as it stands. The others differ from it in what neither GLSL nor ISF fixes: the
# last bits of coordinates, of the time and of arithmetic, and functions outside their domain. A pixel that is not the
# same in all of them says nothing about a host.
VARIANTS = ("plain", "divided", "above", "below", "mirrored", "nothing", "powers", "exact")
NUDGE = {"above": 1.2e-7, "below": -1.2e-7}
FUNCTIONS_OF = {"above": nudged(NUDGE["above"]), "below": nudged(NUDGE["below"]),
                "mirrored": outside(None), "nothing": outside("uintBitsToFloat(0x7fc00000u)"), "powers": powers(),
                "exact": powers()}
# Blends with weights of 8 bits, as GPUs do; those of a software driver have more, and at a texel's centre, where the
# coordinate is off by a last bit, let its neighbours through.
EXACT_READS = """
vec4 isf_texture(sampler2D s, vec2 uv) {
  ivec2 size = textureSize(s, 0);
  vec2 place = round(clamp(uv * vec2(size) - 0.5, vec2(-1.0), vec2(size)) * 256.0) / 256.0;
  ivec2 low = ivec2(floor(place)), a = clamp(low, ivec2(0), size - 1), b = clamp(low + 1, ivec2(0), size - 1);
  vec2 weight = place - vec2(low);
  return mix(mix(texelFetch(s, a, 0), texelFetch(s, ivec2(b.x, a.y), 0), weight.x),
             mix(texelFetch(s, ivec2(a.x, b.y), 0), texelFetch(s, b, 0), weight.x), weight.y);
}
vec4 isf_texture(sampler2D s, vec2 uv, float bias) { return isf_texture(s, uv); }
#define texture isf_texture
"""

READS = """
#define texture2D texture
#define texture2DRect texture
#define texture2DLod textureLod
#define texture2DProj textureProj
vec2 IMG_SIZE(sampler2D s) { return vec2(textureSize(s, 0)); }
vec4 IMG_NORM_PIXEL(sampler2D s, vec2 uv) { return texture(s, uv); }
vec4 IMG_PIXEL(sampler2D s, vec2 p) { return texture(s, p / vec2(textureSize(s, 0))); }
vec4 IMG_THIS_PIXEL(sampler2D s) { return texture(s, isf_FragNormCoord); }
vec4 IMG_THIS_NORM_PIXEL(sampler2D s) { return texture(s, isf_FragNormCoord); }
"""

# A bias acts on mipmaps, of which these pictures have none; a vertex stage knows no bias at all.
BIASED_READS = """
vec4 IMG_NORM_PIXEL(sampler2D s, vec2 uv, float bias) { return texture(s, uv); }
vec4 IMG_PIXEL(sampler2D s, vec2 p, float bias) { return texture(s, p / vec2(textureSize(s, 0))); }
"""

CORNER = """
void isf_vertShaderInit() {
  isf_FragNormCoord = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(isf_FragNormCoord * 2.0 - 1.0, 0.0, 1.0);
}
"""

GLSL_TYPES = {"float": "float", "bool": "bool", "event": "bool", "long": "int", "point2D": "vec2", "color": "vec4"}


def declarations(document, pictures):
    lines = [UNIFORMS]
    for entry in document.inputs:
        if entry["TYPE"] in GLSL_TYPES:
            lines.append(f"uniform {GLSL_TYPES[entry['TYPE']]} {entry['NAME']};")
    for name in pictures:
        lines += [f"uniform sampler2D {name};", f"uniform vec4 _{name}_imgRect;",
                  f"uniform vec2 _{name}_imgSize;", f"uniform bool _{name}_flip;"]
    return "\n".join(lines)


def modern(text):
    text = re.sub(r"^[ \t]*#[ \t]*version.*$", "", text, flags=re.M)
    text = text.replace("vv_FragNormCoord", "isf_FragNormCoord").replace("vv_vertShaderInit", "isf_vertShaderInit")
    return re.sub(r"\bgl_FragColor\b|\bgl_FragData\s*\[\s*0\s*\]", "isf_FragColor", text)


def fragment_stage(document, pictures, version, variant):
    coordinates = DIVIDED_COORDINATES if variant in ("divided", "exact") else COORDINATES
    text = re.sub(r"\bgl_FragCoord\b", "isf_FragCoord", modern(document.fragment))
    return "\n".join([f"#version {version} core", "out vec4 isf_FragColor;", "#define varying in",
                      declarations(document, pictures), coordinates,
                      EXACT_READS if variant == "exact" else "", READS, BIASED_READS,
                      FUNCTIONS_OF.get(variant, ""), "#line 1", text])


def vertex_stage(document, pictures, version):
    own = document.vertex or "void main() { isf_vertShaderInit(); }"
    return "\n".join([f"#version {version} core", "out vec2 isf_Coordinate;",
                      "#define isf_FragNormCoord isf_Coordinate", "#define varying out",
                      declarations(document, pictures), READS, BIASED_READS, CORNER, "#line 1", modern(own)])
