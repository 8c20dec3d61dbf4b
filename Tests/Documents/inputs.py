"""What commands in the pages may read: each page gets these names in its folder."""

import os
import pathlib
import shutil
import subprocess

SAMPLE = "samples/big-buck-bunny.mp4"
GREEN = "color=0x00b140:size=320x180:rate=25:duration=2,drawbox=x=120:y=40:w=80:h=140:color=orange:t=fill"

# Options of ffmpeg that make each file; SAMPLE stands for the sample. Small pictures, so that lavapipe is quick.
FILES = {
  "clip.mp4": "-stream_loop 2 -i SAMPLE -vf fps=5,scale=192:108 -c:v libx264 -preset ultrafast -g 5 -c:a aac -ac 2 -t 15 -metadata creation_time=2024-05-01T12:00:00Z",
  "clip.mkv": "-i clip.mp4 -c copy -t 2",
  "a.mov": "-ss 0 -i clip.mp4 -t 3 -c:v libx264 -preset ultrafast -c:a aac",
  "b.mov": "-ss 2 -i clip.mp4 -t 3 -vf negate -c:v libx264 -preset ultrafast -c:a aac",
  "c.mov": "-ss 4 -i clip.mp4 -t 3 -vf hflip -c:v libx264 -preset ultrafast -c:a aac",
  "d.mov": "-ss 6 -i clip.mp4 -t 3 -c:v libx264 -preset ultrafast -c:a aac",
  "talk.mp4": "-ss 1 -i clip.mp4 -t 5 -map 0:v -map 0:a -map 0:a -c:v libx264 -preset ultrafast -c:a aac",
  "shaky.mp4": "-i clip.mp4 -t 4 -vf crop=160:90:12+10*sin(n):15+8*cos(n*1.3) -an -c:v libx264 -preset ultrafast",
  "scope.mov": "-i SAMPLE -frames:v 3 -an -vf scale=1920:800,pad=1920:1080:0:140 -c:v libx264 -preset ultrafast",
  "shot.mov": f"-f lavfi -i {GREEN} -c:v libx264 -preset ultrafast",
  "old.avi": "-f lavfi -i testsrc=size=352x288:rate=25:duration=0.5 -c:v mpeg4",
  "interlaced.mov": "-f lavfi -i testsrc=size=352x288:rate=50:duration=1,tinterlace=interleave_top -c:v libx264 -flags +ilme+ildct",
  "in.png": "-ss 1 -i clip.mp4 -frames:v 1",
  "photo.jpg": "-ss 2 -i clip.mp4 -frames:v 1 -vf scale=320:180",
  "logo.png": "-f lavfi -i color=orange@0.8:size=96x54,format=rgba -frames:v 1",
  "song.mp3": "-f lavfi -i sine=frequency=220:duration=4 -af apulsator=hz=2 -ar 44100 -ac 2",
  "song.wav": "-i song.mp3",
  "in-%04d.png": "-i clip.mp4 -frames:v 12",
  "silent.mp4": "-i clip.mp4 -t 1 -an -c:v copy",
  "clips/one.mp4": "-i clip.mp4 -t 1 -c copy",
  "clips/two.mov": "-i b.mov -t 1 -c copy",
  "clips/still.png": "-i in.png",
}

# Other names for the same files.
ALSO = {
  "beach.mp4": "b.mov", "waves.mp4": "clip.mp4", "face.mp4": "c.mov", "film.mp4": "clip.mp4", "logo.mp4": "clips/one.mp4",
  "phone.mp4": "clips/one.mp4", "walk.mp4": "clip.mp4", "a.mp4": "a.mov", "b.mp4": "b.mov", "back.png": "in.png",
  "b.png": "photo.jpg", "noise.png": "in.png", "in.mp4": "clip.mp4", "photo.png": "in.png",
}

TEXTS = {
  "warm.cube": 'TITLE "warm"\nLUT_1D_SIZE 2\n0 0 0\n1 0.95 0.8\n',
  "words.srt": "1\n00:00:00,500 --> 00:00:03,000\nA fine day\n\n2\n00:00:03,500 --> 00:00:05,000\nfor a walk.\n",
}


def make(root, work):
  """Makes the inputs in a folder of `work`, unless they are there, and returns the folder."""
  folder = work / "inputs"
  source = str(root / SAMPLE)
  # Made again when this file changes.
  recipe = pathlib.Path(__file__).read_text(encoding="utf-8")
  complete = folder / "complete"
  if not complete.exists() or complete.read_text(encoding="utf-8") != recipe:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "clips").mkdir(parents=True)
    for name, words in FILES.items():
      options = [source if word == "SAMPLE" else word for word in words.split(" ")]
      subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-y", *options, "-bitexact", name], cwd=folder, check=True)
    (folder / "samples").mkdir()
    shutil.copy(source, folder / SAMPLE)
    for name, other in ALSO.items():
      os.link(folder / other, folder / name)
    for name, text in TEXTS.items():
      (folder / name).write_text(text)
    (folder / "mine.comp").write_text(first_effect(root))
    complete.write_text(recipe, encoding="utf-8")
  return folder


def first_effect(root):
  """Returns the first effect that Effects/README.md shows: mine.comp of all pages."""
  text = (root / "Effects/README.md").read_text(encoding="utf-8")
  return text.split("```glsl\n", 1)[1].split("```", 1)[0]
