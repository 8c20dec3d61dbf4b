"""Caches that were damaged: the same pictures, with exit code 0, as without any."""

import os
import shutil

from trial import Part, execute, trouble


class Caches(Part):
    name = "caches"
    rounds = 60

    def words(self, effect):
        return [self.options.kfrec, "-y", "-i", "testsrc", "--size", "64x48", "--frames", "2", "-e", effect, "-o", "out-%d.png"]

    def prepare(self):
        self.whole = self.options.folder / "whole-cache"
        shutil.rmtree(self.whole, ignore_errors=True)
        self.whole.mkdir()
        self.right = {}
        for effect in ("separateRGB", "gaussianBlur"):
            ran = execute(self.words(effect), self.whole, self.options, environment=self.place(self.whole / "cache"))
            if ran.code != 0:
                raise OSError(f"{effect}: {ran.sentence}")
            self.right[effect] = self.pictures(self.whole)

    @staticmethod
    def place(folder):
        return {"XDG_CACHE_HOME": str(folder), "MESA_SHADER_CACHE_DIR": str(folder)}

    @staticmethod
    def pictures(folder):
        return [(folder / f"out-{n}.png").read_bytes() if (folder / f"out-{n}.png").exists() else b"" for n in (1, 2)]

    def case(self, number, folder, chance):
        cache = folder / "cache"
        shutil.copytree(self.whole / "cache", cache)
        paths = sorted(path for path in cache.rglob("*"))
        for _ in range(chance.choice([1, 2, len(paths)])):
            self.harm(chance.choice(paths), chance)
        effect = chance.choice(list(self.right))
        ran = execute(self.words(effect), folder, self.options, environment=self.place(cache))
        wrong = trouble(ran, (0,))
        if not wrong and self.pictures(folder) != self.right[effect]:
            wrong = "other pictures than with a whole cache"
        for path in cache.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                os.chmod(path, 0o700)
        return wrong, ran

    @staticmethod
    def harm(path, chance):
        """One file or folder of a cache, harmed; what is gone already stays so."""
        if not path.exists() or path.is_symlink():
            return
        kind = chance.randrange(9)
        if kind == 0:
            os.chmod(path, 0)
        elif kind == 1:
            os.chmod(path, 0o777)
        elif kind <= 4 and path.is_file() and path.stat().st_size:
            data = bytearray(path.read_bytes())
            if kind == 2:
                for _ in range(chance.choice([1, 10, 1000])):
                    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            elif kind == 3:
                del data[chance.randrange(len(data)):]
            else:
                data += chance.randbytes(100_000)
            path.write_bytes(data)
        else:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
            if kind == 5:
                path.mkdir()
            elif kind == 6:
                path.symlink_to(path.name)
            elif kind == 7 and "kfrec" in path.parts[-3:]:
                # Mesa 22.3 waits for ever for the writer of a FIFO in its own cache.
                os.mkfifo(path)
            elif kind == 8:
                path.write_bytes(b"")
