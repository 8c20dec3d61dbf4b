"""Renders an ISF file as the fragment shader it is, in an offscreen OpenGL context (EGL).

Usage: opengl.py JOB.json, an object with
  shader   the .fs file          size     [width, height]     fps     frames a second
  frames   picture files of the source, in order; a generator's only give their number
  images   {input's name: picture file} for the other image inputs
  varied   true: the inputs away from their defaults          output  the .npz to write:
  pictures uint8 (frames, height, width, 4), top row first; finite: bool (frames, height, width)
"""

import json
import pathlib
import sys

import moderngl
import numpy
from PIL import Image

import document as isf
import glsl


class Rig:
    def __init__(self, job):
        self.document = isf.Document(pathlib.Path(job["shader"]))
        self.job = job
        self.values = self.document.values(job["varied"])
        self.values.update(job.get("values", {}))
        self.whole = tuple(job["size"])
        self.gl = moderngl.create_context(standalone=True, backend="egl", require=330)
        self.pictures = {}
        for name, (_, deep) in self.document.targets().items():
            self.pictures[name] = self.texture((1, 1), deep=deep)
        for name, path in {**self.document.imported(), **job["images"]}.items():
            self.pictures[name] = self.load(path)
        for entry in self.document.of_type("audio", "audioFFT"):
            silent = 128 if entry["TYPE"] == "audio" else 0
            columns = int(entry.get("MAX") or 256)
            self.pictures[entry["NAME"]] = self.texture((columns, 1), bytes([silent] * 4 * columns))
        if self.document.kind == "filter":
            self.pictures["inputImage"] = self.load(job["frames"][0])
        for entry in self.document.of_type("image"):
            if entry["NAME"] not in self.pictures:
                self.pictures[entry["NAME"]] = self.texture((1, 1))
        self.program = self.compiled()
        self.corners = self.gl.vertex_array(self.program, [])

    def compiled(self):
        """As GLSL 3.30, the oldest of a core profile; what needs the conversions of later versions, as 4.50."""
        for version in (330, 450):
            try:
                return self.gl.program(
                    vertex_shader=glsl.vertex_stage(self.document, self.pictures, version),
                    fragment_shader=glsl.fragment_stage(self.document, self.pictures, version))
            except moderngl.Error as error:
                first = error if version == 330 else first
        raise first

    def texture(self, size, data=None, deep=False):
        made = self.gl.texture(size, 4, data or bytes(size[0] * size[1] * (16 if deep else 4)),
                               dtype="f4" if deep else "f1", alignment=1)
        made.filter = (moderngl.LINEAR, moderngl.LINEAR)
        made.repeat_x = made.repeat_y = False
        return made

    def load(self, path):
        with Image.open(path) as picture:
            rows = numpy.asarray(picture.convert("RGBA"))[::-1]
        return self.texture((rows.shape[1], rows.shape[0]), rows.tobytes())

    def set(self, name, value):
        if name in self.program:
            self.program[name].value = tuple(value) if isinstance(value, (list, tuple)) else value

    def draw(self, target):
        """Runs the pass on the pictures as they are. The caller owns `target`, which is none of them."""
        for unit, (name, picture) in enumerate(self.pictures.items()):
            picture.use(unit)
            self.set(name, unit)
            self.set(f"_{name}_imgRect", (0.0, 0.0, 1.0, 1.0))
            self.set(f"_{name}_imgSize", tuple(float(x) for x in picture.size))
            self.set(f"_{name}_flip", False)
        frame = self.gl.framebuffer([target])
        frame.use()
        frame.clear(0.0, 0.0, 0.0, 0.0)
        self.corners.render(moderngl.TRIANGLE_STRIP, vertices=4)
        frame.release()

    def replace(self, name, picture):
        self.pictures[name].release()
        self.pictures[name] = picture

    def render(self, index):
        """One frame: its RGBA bytes and which pixels are finite numbers, bottom row first."""
        seconds = index / self.job["fps"]
        targets = self.document.targets()
        for name, (persistent, deep) in targets.items():
            if not persistent:
                self.replace(name, self.texture((1, 1), deep=deep))
        if self.document.kind == "filter" and index > 0:
            self.replace("inputImage", self.load(self.job["frames"][index]))
        for name, value in self.values.items():
            self.set(name, value[index] if name in self.job.get("values", {}) else value)
        self.set("TIME", seconds)
        self.set("TIMEDELTA", 0.0 if index == 0 else 1 / self.job["fps"])
        self.set("FRAMEINDEX", index)
        self.set("DATE", (1970.0, 1.0, 1.0, seconds))
        for number, run in enumerate(self.document.passes):
            last = number == len(self.document.passes) - 1
            size = self.whole if last else self.document.size(run, self.values, self.whole)
            name = run.get("TARGET")
            self.set("PASSINDEX", number)
            self.set("RENDERSIZE", tuple(float(x) for x in size))
            target = self.texture(size, deep=name is not None and targets[name][1])
            self.draw(target)
            if last:
                result = self.result(target, size)
            if name:
                self.replace(name, target)
        return result

    def result(self, target, size):
        """What an 8-bit output shows, and, from the same pass drawn once more, where it is no number."""
        exact = self.texture(size, deep=True)
        self.draw(exact)
        numbers = numpy.frombuffer(exact.read(), "f4").reshape(size[1], size[0], 4)
        exact.release()
        read = numpy.frombuffer(target.read(), target.dtype.replace("f1", "u1")).reshape(size[1], size[0], 4)
        if read.dtype != numpy.uint8:
            read = numpy.rint(numpy.clip(numpy.nan_to_num(read), 0, 1) * 255).astype("u1")
        return read, numpy.isfinite(numbers).all(axis=2)


def main():
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    try:
        rig = Rig(job)
    except moderngl.Error as error:
        sys.exit(" ".join(str(error).split())[:600])
    rendered = [rig.render(index) for index in range(len(job["frames"]))]
    numpy.savez_compressed(job["output"], pictures=numpy.stack([r[0][::-1] for r in rendered]),
                           finite=numpy.stack([r[1][::-1] for r in rendered]))


if __name__ == "__main__":
    main()
