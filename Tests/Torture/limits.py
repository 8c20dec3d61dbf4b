"""Sizes, times and rates at their limits: clips that have them, and options that ask for them."""

import subprocess

from trial import Part, check_output, execute, pictures_in, trouble

# Encoders that take any size and keep every time.
LOSSLESS = "-c:v ffv1 -pix_fmt yuv444p"
# The name, FFmpeg's source, and what FFmpeg is told besides.
CLIPS = [
    ("one.mkv", "color=red:s=2x2:r=25:d=0.2,format=yuv444p,crop=1:1", LOSSLESS),
    ("narrow.mkv", "color=red:s=2x4096:r=25:d=0.2,format=yuv444p,crop=1:4096", LOSSLESS),
    ("flat.mkv", "testsrc2=s=4097x2:r=25:d=0.2", LOSSLESS),
    ("wide.mkv", "testsrc2=s=16384x2:r=25:d=0.08", LOSSLESS),
    ("wider.mkv", "testsrc2=s=16386x2:r=25:d=0.08", LOSSLESS),
    ("widest.mkv", "color=red:s=32768x2:r=25:d=0.08", LOSSLESS),
    ("high.y4m", "testsrc2=s=2x16384:r=25:d=0.08", "-pix_fmt yuv420p"),
    ("large.png", "color=red:s=6000x4500", "-frames:v 1"),
    ("slow.mkv", "testsrc2=s=64x48:r=1/3600:d=10800", LOSSLESS),
    ("slow.mov", "testsrc2=s=64x48:r=1/1000:d=3000", "-c:v mjpeg -pix_fmt yuvj420p"),
    ("ntsc.mov", "testsrc2=s=64x48:r=60000/1001:d=0.5", "-c:v mpeg4"),
    ("fast.mov", "testsrc2=s=64x48:r=1000:d=0.1", "-c:v mjpeg -pix_fmt yuvj420p"),
    ("faster.mkv", "testsrc2=s=64x48:r=90000:d=0.001", LOSSLESS),
    ("fastest.mov", "testsrc2=s=64x48:r=1000000:d=0.00004", "-c:v mjpeg -pix_fmt yuvj420p"),
    ("before.mkv", "testsrc2=s=64x48:r=25:d=0.4", f"{LOSSLESS} -output_ts_offset -1.5 -avoid_negative_ts disabled"),
    ("late.mkv", "testsrc2=s=64x48:r=25:d=0.4", f"{LOSSLESS} -output_ts_offset 1000000"),
    ("latest.mov", "testsrc2=s=64x48:r=25:d=0.4", "-c:v mjpeg -pix_fmt yuvj420p -output_ts_offset 100000000"),
    # The 33 bits of its clock run over in the middle.
    ("over.ts", "testsrc2=s=64x48:r=25:d=2", "-c:v mpeg2video -output_ts_offset 95442.7 -muxdelay 0"),
    ("gap.mkv", "testsrc2=s=64x48:r=25:d=0.4", f"{LOSSLESS} -vf setpts=PTS+gt(N\\,4)*86400/TB -fps_mode passthrough"),
    ("same.nut", "testsrc2=s=64x48:r=25:d=0.4", f"{LOSSLESS} -vf settb=1/1000,setpts=floor(N/2) -fps_mode passthrough"),
    ("thin.mkv", "testsrc2=s=64x48:r=25:d=0.4", f"{LOSSLESS} -aspect 4000:1"),
]
NUMBERS = {
    "--fps": ["1/1000", "1/3600", "0.001", "1000", "90000", "1000000", "1000000000", "60000/1001"],
    "--start": ["0", "0.000000001", "0.2", "86400", "1e9", "9223372036854775807"],
    "-t": ["0.000000001", "0.04", "86400", "1e9", "9223372036854775807"],
    "--frames": ["1", "2", "9223372036854775807"],
    "--size": ["1x1", "1x2", "3x1", "16384x2", "2x16384", "16385x2", "999999x999999", "17x16383"],
    "--speed": ["0.001", "0.01", "100", "1000"],
    "--loop": ["2", "1000"],
    "--crop": ["0,0,1,1", "0,0,2,2", "1,1,1,1", "0,0,99999,99999"],
    "--rotate": ["90", "270"],
    "--fps-mode": ["cfr"],
    "--deinterlace": ["bob"],
    "--gop": ["1", "100000"],
    "--bitrate": ["1000", "2000000000"],
    "-e": ["separateRGB", "gaussianBlur", "pixelate", "text:text=x", "motionBlur"],
}
OUTPUTS = ["out.mov", "out.mov", "out.mkv", "out.mp4", "out.y4m", "out.gif", "out.png", "out-%03d.png", "null"]


class Limits(Part):
    name = "limits"
    rounds = 300

    def prepare(self):
        folder = self.options.folder / "limits"
        folder.mkdir(parents=True, exist_ok=True)
        self.frames = {}
        for name, source, words in CLIPS:
            path = folder / name
            command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, *words.split(), str(path)]
            if not path.exists() and subprocess.run(command, capture_output=True, check=False).returncode != 0:
                self.notes.append(f"this ffmpeg makes no {name}")
                path.unlink(missing_ok=True)
                continue
            self.frames[path] = pictures_in(path)
        self.clips = sorted(self.frames)

    def case(self, number, folder, chance):
        clip = self.clips[number % len(self.clips)]
        output = chance.choice(OUTPUTS)
        # Every clip is tried without an option too.
        options = chance.sample(sorted(NUMBERS), chance.choice([0, 0, 1, 1, 1, 2, 3]))
        words = [self.options.kfrec, "-i", clip, "--progress", "json", "-o", output]
        for option in options:
            words += [option, chance.choice(NUMBERS[option])]
        # What would last for days ends by a Ctrl-C, with a whole output.
        ran = execute(words, folder, self.options, limit=20)
        return trouble(ran) or self.judge(ran, folder, clip, output, not options), ran

    def judge(self, ran, folder, clip, output, is_plain):
        if ran.code and not ran.sentence:
            return f"exit code {ran.code} without a sentence"
        left = sorted(path.name for path in folder.iterdir() if path.name.endswith(".part"))
        if left and (ran.code == 0 or not any(name in ran.sentence for name in left)):
            return f"exit code {ran.code} leaves {', '.join(left)} without a word"
        if ran.code:
            return None
        if not ran.end:
            return "exit code 0 without an end object"
        frames = ran.end["outputs"][0]["frames"]
        # A GIF shows at most 50 frames a second, and one picture is one frame.
        if is_plain and output not in ("out.gif", "out.png") and frames != self.frames[clip]:
            return f"{frames} of {self.frames[clip]} frames"
        if output == "null":
            return None
        if "%" in output:
            made = len(list(folder.glob("out-*.png")))
            return f"{made} pictures, and the end says {frames}" if made != frames else None
        return check_output(ran, folder / output, frames)
