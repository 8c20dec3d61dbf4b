"""A page of Markdown: its headings, links, blocks of commands, and commands in tables."""

import dataclasses
import os
import re

FENCE = re.compile(r"^(`{3,})\s*(.*)$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
# Code spans hold no links.
SPAN = re.compile(r"(`+)(.+?)\1")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\](?:\([^()]*\))?)*\]\(\s*<?([^()<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HTML_LINK = re.compile(r"<(?:a|img)\s[^>]*?(?:href|src)=\"([^\"]+)\"")
NO_RUN = re.compile(r"<!-- no-run: ([^>]+?) -->")


@dataclasses.dataclass
class Block:
  """A fenced block, or the code of a table's cell: words behind the fence, lines, and the line of the first one."""

  kind: str
  lines: list
  first: int


class Page:
  """One file; `name` is its path from the root of the repository."""

  def __init__(self, root, name):
    self.name = name
    self.path = root / name
    self.blocks = []
    self.anchors = set()
    self.links = []
    self.spans = []
    self._read(self.path.read_text(encoding="utf-8").split("\n"))
    self.weight = sum(len(block.lines) for block in self.blocks)

  def _read(self, lines):
    fence = block = None
    head = columns = None
    for number, line in enumerate(lines, 1):
      match = FENCE.match(line.strip())
      if block is not None:
        if match and match[1] == fence and not match[2]:
          block = None
        else:
          block.lines.append(line)
        continue
      if match:
        fence, block = match[1], Block(match[2].strip(), [], number + 1)
        self.blocks.append(block)
        continue
      if line.startswith("    "):
        self.spans.append((number, line.strip()))
        continue
      self._heading(line)
      self.spans += [(number, match[2]) for match in SPAN.finditer(line)]
      bare = SPAN.sub("``", line)
      self.links += [(number, match[1]) for match in LINK.finditer(bare)]
      self.links += [(number, match[1]) for match in HTML_LINK.finditer(bare)]
      if line.startswith("|"):
        if columns is None:
          head, columns = cells(line), []
          columns = [i for i, cell in enumerate(head) if cell == "kfrec"]
        else:
          self._row(cells(line), columns, number)
      else:
        columns = None
    if block is not None:
      raise SystemExit(f"{self.name}:{block.first}: the block has no end")

  def _heading(self, line):
    match = HEADING.match(line)
    if not match:
      return
    # As GitHub makes anchors: letters, digits, - and _ in small letters, spaces as -, numbers behind what is there already.
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[2]).lower()
    anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
    again, made = 0, anchor
    while made in self.anchors:
      again += 1
      made = f"{anchor}-{again}"
    self.anchors.add(made)

  def _row(self, row, columns, number):
    for column in columns:
      if column < len(row):
        reason = NO_RUN.search(row[column])
        kind = f"sh no-run: {reason[1]}" if reason else "sh run"
        self.blocks += [
          Block(kind, [span[2].replace("\\|", "|")], number)
          for span in SPAN.finditer(row[column])
          if span[2].startswith("kfrec ")
        ]


def files(root):
  """Returns the paths of all files of a checkout, from its root: all but what builds and tests leave."""
  found = set()
  for folder, folders, names in os.walk(root):
    folders[:] = [name for name in folders if name == ".ci" or not name.startswith((".", "__"))]
    found |= {os.path.relpath(os.path.join(folder, name), root) for name in names}
  return found


def cells(line):
  """Returns the cells of a table's row; a bar behind a backslash is part of its cell."""
  return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
