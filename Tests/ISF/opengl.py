"""Renders an ISF file as the fragment shader it is, in an offscreen OpenGL context (EGL).

Usage: opengl.py JOB.json, an object with
  shader   the .fs file          size     [width, height]     fps     frames a second
  frames   picture files of the source, in order; a generator's only give their number
  images   {input's name: picture file} for the other image inputs
  varied   true: the inputs away from their defaults          variant  one of glsl.VARIANTS
  output   the .npz to write:
  pictures uint8 (frames, height, width, 4), top row first; finite: bool (frames, height, width)

Pictures of 8 bits are sampled as floats that hold the same values: Mesa's software driver blends 8-bit texels in
8-bit arithmetic, which no GPU does.
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
        for name in self.document.targets():
            self.pictures[name] = self.texture((1, 1))
        for name, path in {**self.document.imported(), **job["images"]}.items():
            self.pictures[name] = self.load(path)
            if name in self.document.repeating():
                self.pictures[name].repeat_x = self.pictures[name].repeat_y = True
        for entry in self.document.of_type("audio", "audioFFT"):
            silent = 0.5 if entry["TYPE"] == "audio" else 0.0
            columns = int(entry.get("MAX") or 256)
            self.pictures[entry["NAME"]] = self.texture((columns, 1), numpy.full(4 * columns, silent, "f4"))
        if self.document.source:
            self.pictures[self.document.source] = self.load(job["frames"][0])
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
                    fragment_shader=glsl.fragment_stage(self.document, self.pictures, version, self.job["variant"]))
            except moderngl.Error as error:
                first = error if version == 330 else first
        raise first

    def texture(self, size, data=None, deep=True):
        made = self.gl.texture(size, 4, data, dtype="f4" if deep else "f1", alignment=1)
        if data is None:
            made.write(bytes(size[0] * size[1] * (16 if deep else 4)))
        made.filter = (moderngl.LINEAR, moderngl.LINEAR)
        made.repeat_x = made.repeat_y = False
        return made

    def as_floats(self, rows):
        codes = numpy.ascontiguousarray(rows, "f4")
        # The other of the two ways to make a float of a code; they differ in the last bit.
        is_product = self.job["variant"] == "exact"
        data = codes * numpy.float32(1 / 255) if is_product else codes / numpy.float32(255)
        return self.texture((rows.shape[1], rows.shape[0]), data)

    def load(self, path):
        with Image.open(path) as picture:
            return self.as_floats(numpy.asarray(picture.convert("RGBA"))[::-1])

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
        for name, (persistent, _) in targets.items():
            if not persistent:
                self.replace(name, self.texture((1, 1)))
        if self.document.source and index > 0:
            self.replace(self.document.source, self.load(self.job["frames"][index]))
        for name, value in self.values.items():
            self.set(name, value[index] if name in self.job.get("values", {}) else value)
        nudge = glsl.NUDGE.get(self.job["variant"], 0.0)
        self.set("isf_NudgeNorm", (nudge, nudge))
        self.set("isf_NudgePixels", tuple(nudge * n for n in self.whole))
        self.set("TIME", seconds * (1 + nudge))
        self.set("TIMEDELTA", 0.0 if index == 0 else 1 / self.job["fps"])
        self.set("FRAMEINDEX", index)
        self.set("DATE", (1970.0, 1.0, 1.0, seconds))
        for number, run in enumerate(self.document.passes):
            last = number == len(self.document.passes) - 1
            size = self.whole if last else self.document.size(run, self.values, self.whole)
            name = run.get("TARGET")
            self.set("PASSINDEX", number)
            self.set("RENDERSIZE", tuple(float(x) for x in size))
            deep = name is not None and targets[name][1]
            target = self.texture(size, deep=deep)
            self.draw(target)
            if last:
                result, finite = self.result(target, size)
            if name:
                self.replace(name, target if deep else self.as_floats(self.read(target)))
            if not (name and deep):
                target.release()
        return result, finite

    def read(self, target):
        kind = "f4" if target.dtype == "f4" else "u1"
        return numpy.frombuffer(target.read(), kind).reshape(target.height, target.width, 4)

    def result(self, target, size):
        """What an 8-bit output shows, and, from the same pass drawn once more, where it is a number."""
        exact = self.texture(size)
        self.draw(exact)
        numbers = self.read(exact)
        exact.release()
        read = self.read(target)
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
