"""The pictures both sides are given, and how far their results are apart."""

import hashlib
import pathlib
import subprocess

import numpy
from PIL import Image

SIZE = (322, 182)
COUNT = 6
FPS = 25
# In 255ths of full scale, in every channel, and the share of pixels that must keep it.
LIMIT = 3
SHARE = 0.995

SAMPLE = pathlib.Path(__file__).parents[2] / "samples" / "big-buck-bunny.mp4"


def make(folder):
    """The frames of a source, and of another; colourful, moving, and alike in no direction."""
    for name, size, start in (("frame", SIZE, 2), ("other", SIZE, 0), ("second", (250, 170), 4)):
        if (folder / f"{name}-{COUNT:04d}.png").exists():
            continue
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-ss", str(start), "-i", str(SAMPLE), "-vf",
                        f"select=not(mod(n\\,3)),scale={size[0]}:{size[1]}:flags=area,eq=saturation=1.5,format=rgb24",
                        "-fps_mode", "passthrough", "-frames:v", str(COUNT), str(folder / f"{name}-%04d.png")],
                       check=True)


def frames(folder, name="frame"):
    return [str(folder / f"{name}-{n:04d}.png") for n in range(1, COUNT + 1)]


def digest(*parts):
    """A name for what was made from these files and texts."""
    mark = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, pathlib.Path) else str(part).encode()
        mark.update(len(data).to_bytes(8, "little") + data)
    return mark.hexdigest()[:24]


def read(paths):
    """The RGBA bytes of a sequence, and whether its files have an alpha channel of their own."""
    stack, has_alpha = [], False
    for path in paths:
        with Image.open(path) as picture:
            has_alpha = has_alpha or "A" in picture.getbands()
            stack.append(numpy.asarray(picture.convert("RGBA")))
    return numpy.stack(stack), has_alpha


def over_black(pictures):
    alpha = pictures[..., 3:].astype("f4") / 255
    return pictures[..., :3].astype("f4") * alpha


def apart(ours, ours_has_alpha, reference):
    """In 255ths, by pixel, the channel that is the farthest off."""
    distance = numpy.abs(over_black(ours) - over_black(reference)).max(axis=3)
    if ours_has_alpha:
        distance = numpy.maximum(distance, numpy.abs(ours[..., 3].astype("f4") - reference[..., 3]))
    return distance


def near(ours, ours_has_alpha, reference):
    return apart(ours, ours_has_alpha, reference) <= LIMIT


def difference(ours, ours_has_alpha, reference, finite):
    """The share of pixels within the limit in the worst frame, that frame's number from 0, and the mean error.

    Pixels of which OpenGL made no number are left out: what a display shows of them is chance.
    """
    distance = apart(ours, ours_has_alpha, reference)
    shares = ((distance <= LIMIT) | ~finite).mean(axis=(1, 2))
    worst = int(shares.argmin())
    return float(shares[worst]), worst, float(distance[worst].mean())


def is_uniform(pictures):
    """True where each frame is of one colour."""
    shown = over_black(pictures)
    return bool((shown.max(axis=(1, 2)) - shown.min(axis=(1, 2)) <= 1).all())
