"""An ISF file's text as GLSL for a fragment stage and a vertex stage, with real samplers."""

import re

UNIFORMS = """
uniform int PASSINDEX;
uniform vec2 RENDERSIZE;
uniform float TIME;
uniform float TIMEDELTA;
uniform vec4 DATE;
uniform int FRAMEINDEX;
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


def fragment_stage(document, pictures, version):
    return "\n".join([f"#version {version} core", "in vec2 isf_FragNormCoord;", "out vec4 isf_FragColor;",
                      "#define varying in", declarations(document, pictures), READS, BIASED_READS,
                      "#line 1", modern(document.fragment)])


def vertex_stage(document, pictures, version):
    own = document.vertex or "void main() { isf_vertShaderInit(); }"
    return "\n".join([f"#version {version} core", "out vec2 isf_FragNormCoord;", "#define varying out",
                      declarations(document, pictures), READS, BIASED_READS, CORNER, "#line 1", modern(own)])
