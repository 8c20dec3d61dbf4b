"""Small clips of many containers and codecs, damaged, through kfrec."""

import pathlib
import shutil
import subprocess

from trial import Part, check_output, execute, trouble

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1.2"]
SOUND = ["-f", "lavfi", "-i", "sine=f=440:r=44100:d=1.2"]
# The end of a name, and what FFmpeg is told besides; None for sound means that there is none.
CLIPS = [
    ("mov", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -g 10", "-c:a aac"),
    ("mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags +faststart", "-c:a aac"),
    ("frag.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 5 -movflags frag_keyframe+empty_moov", "-c:a aac"),
    ("mpeg4.mp4", "-c:v mpeg4 -bf 2", "-c:a mp3"),
    ("hevc.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=error -pix_fmt yuv420p", None),
    ("av1.mp4", "-c:v libsvtav1 -preset 12 -pix_fmt yuv420p", None),
    ("prores.mov", "-c:v prores_ks -profile:v 0", "-c:a pcm_s16le"),
    ("prores4444.mov", "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le", None),
    ("mjpeg.mov", "-c:v mjpeg -pix_fmt yuvj420p", None),
    ("png.mov", "-c:v png -pix_fmt rgba", None),
    ("qtrle.mov", "-c:v qtrle", None),
    ("mkv", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p", "-c:a flac"),
    ("vp9.mkv", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p", "-c:a libopus"),
    ("ffv1.mkv", "-c:v ffv1 -level 3 -pix_fmt yuv422p10le", "-c:a pcm_s24le"),
    ("webm", "-c:v libvpx -deadline realtime -cpu-used 8 -pix_fmt yuv420p", "-c:a libvorbis"),
    ("avi", "-c:v mpeg4", "-c:a mp3"),
    ("huffyuv.avi", "-c:v huffyuv -pix_fmt yuv422p", "-c:a pcm_s16le"),
    ("ts", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p", "-c:a aac"),
    ("mpeg2.ts", "-c:v mpeg2video -bf 2", "-c:a mp2"),
    ("mpg", "-c:v mpeg1video", "-c:a mp2"),
    ("vob", "-c:v mpeg2video", "-c:a ac3"),
    ("m2v", "-c:v mpeg2video", None),
    ("h264", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p", None),
    ("flv", "-c:v flv1", "-c:a mp3"),
    ("wmv", "-c:v wmv2", "-c:a wmav2"),
    ("3gp", "-s 176x144 -c:v h263", None),
    ("ogv", "-c:v libtheora -pix_fmt yuv420p", "-c:a libvorbis"),
    ("mxf", "-c:v mpeg2video -pix_fmt yuv422p", "-c:a pcm_s16le -ar 48000"),
    ("nut", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p", "-c:a pcm_s16le"),
    ("dv", "-s 720x576 -pix_fmt yuv420p -c:v dvvideo -frames:v 4", None),
    ("gif", "", None),
    ("apng", "-f apng", None),
    ("y4m", "-pix_fmt yuv420p", None),
    ("rm", "-c:v rv10 -s 176x144", None),
    ("png", "-frames:v 1", None),
    ("jpg", "-frames:v 1 -pix_fmt yuvj420p", None),
    ("tif", "-frames:v 1", None),
    ("bmp", "-frames:v 1", None),
    ("webp", "-frames:v 1 -c:v libwebp", None),
    ("exr", "-frames:v 1 -pix_fmt gbrpf32le", None),
    ("tga", "-frames:v 1", None),
    ("ppm", "-frames:v 1", None),
    ("m4a", None, "-c:a aac"),
]
OUTPUTS = ["out.mov", "out.mov", "out.mp4", "out.mkv", "out.y4m", "out-%03d.png"]


def make(folder):
    """The clips that this FFmpeg can make, in a folder; and the names of the others."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = []
    for ending, pictures, sound in CLIPS:
        path = folder / f"clip.{ending}"
        if path.exists():
            continue
        words = ["ffmpeg", "-v", "error", "-y", "-bitexact"]
        words += (PICTURES if pictures is not None else []) + (SOUND if sound else [])
        words += (pictures or "").split() + (sound or "").split() + [str(path.with_name(f"new.{ending}"))]
        made = subprocess.run(words, capture_output=True, check=False)
        if made.returncode == 0:
            path.with_name(f"new.{ending}").rename(path)
        else:
            path.with_name(f"new.{ending}").unlink(missing_ok=True)
            missing.append(ending)
    return sorted(p for p in folder.iterdir() if p.name.startswith("clip.")), missing


def damage(data, chance):
    """A file's bytes, harmed in one to three ways."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if not data:
            break
        # Headers stand at the start, and at the end of some.
        place = chance.choice([
            chance.randrange(len(data)), chance.randrange(min(len(data), 512)),
            len(data) - 1 - chance.randrange(min(len(data), 2048))])
        kind = chance.randrange(9)
        if kind == 0:
            for _ in range(chance.choice([1, 8, 64, 512])):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place] = chance.randrange(256)
        elif kind == 2:
            del data[place:]
        elif kind == 3:
            del data[place:place + chance.choice([1, 16, 188, 4096])]
        elif kind == 4:
            count = min(chance.choice([4, 64, 1024, 16384]), len(data) - place)
            data[place:place + count] = bytes(count)
        elif kind == 5:
            value = chance.choice([0xffffffff, 0x7fffffff, 0x80000000, 0, 1, 0x10000, 0xffff])
            data[place:place + 4] = value.to_bytes(4, chance.choice(["big", "little"]))
        elif kind == 6:
            piece = data[place:place + chance.choice([8, 188, 2048])]
            data[place:place] = piece * chance.choice([1, 5, 50])
        elif kind == 7:
            data[place:place + 256] = chance.randbytes(256)
        else:
            other = chance.randrange(len(data))
            size = chance.choice([4, 188, 1024])
            data[place:place + size] = data[other:other + size]
    return bytes(data)


def fuzz(data, chance):
    """A file's bytes with a part of the bits turned, all over the file, by zzuf."""
    ratio = chance.choice(["0.00001", "0.0001", "0.001", "0.01"])
    return subprocess.run(["zzuf", "-s", str(chance.randrange(1 << 30)), "-r", ratio], input=data, capture_output=True,
                          check=True).stdout


class Media(Part):
    name = "media"
    rounds = 400

    def prepare(self):
        self.clips, missing = make(self.options.folder / "clips")
        if missing:
            self.notes.append(f"this ffmpeg makes no {', '.join(missing)}")
        self.has_zzuf = shutil.which("zzuf") is not None
        if not self.has_zzuf:
            self.notes.append("there is no zzuf: all files were damaged by media.py itself")

    def case(self, number, folder, chance):
        clip = self.clips[number % len(self.clips)]
        name = "in" + clip.name.removeprefix("clip")
        harm = fuzz if self.has_zzuf and chance.random() < 0.4 else damage
        (folder / name).write_bytes(harm(clip.read_bytes(), chance))
        output = chance.choice(OUTPUTS)
        words = [self.options.kfrec, "-i", name, "-t", "2", "--progress", "json", "-o", output]
        if chance.random() < 0.3:
            words += ["-e", chance.choice(["separateRGB", "vignette", "gaussianBlur"])]
        if chance.random() < 0.2:
            words += ["--start", chance.choice(["0.5", "1", "3"])]
        if chance.random() < 0.1:
            words += ["--fps", "30"]
        piped = chance.random() < 0.15
        if piped:
            words[2] = "-"
        with open(folder / name, "rb") as stdin:
            ran = execute(words, folder, self.options, stdin=stdin if piped else None)
        return trouble(ran) or self.judge(ran, folder, output), ran

    def judge(self, ran, folder, output):
        left = sorted(p.name for p in folder.iterdir() if p.name.endswith(".part") or ".recovered" in p.name)
        if left and (ran.code == 0 or not any(name in ran.sentence for name in left)):
            return f"exit code {ran.code} leaves {', '.join(left)} without a word"
        if ran.code not in (0, 3):
            made = sorted(p.name for p in folder.iterdir() if p.name.startswith("out"))
            return f"exit code {ran.code} leaves {', '.join(made)}" if made and not left else None
        if not ran.end:
            return f"exit code {ran.code} without an end object"
        frames = ran.end["outputs"][0]["frames"]
        if "%" not in output:
            return check_output(ran, folder / output, frames)
        made = len(list(folder.glob("out-*.png")))
        return f"{made} pictures, and the end says {frames}" if made != frames else None
