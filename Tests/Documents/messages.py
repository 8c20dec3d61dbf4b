"""Messages that pages quote and that no command of theirs can show: their words are in the text of the sources."""

import re


class SourceTexts:
  """All string literals of Sources, one behind the other, as they are printed."""

  def __init__(self, root):
    texts = []
    for path in sorted((root / "Sources").rglob("*.swift")):
      text = path.read_text(encoding="utf-8")
      # Literals that are joined by +, and lines of long ones that end with a backslash.
      text = re.sub(r'"\s*\n?\s*\+\s*"', "", text)
      text = re.sub(r"\\\n\s*", "", text)
      texts.append(re.sub(r"\s+", " ", text).replace('\\"', '"'))
    self._text = "\n".join(texts)

  def missing(self, message):
    """Returns the first part of a message that is in no source; three dots stand for what differs from case to case."""
    for part in re.split(r"\.\.\.|…", message):
      part = part.strip()
      if part and part not in self._text:
        return part
    return None


def matches(expected, line):
  """Whether a printed line is the quoted one; three dots in the quotation stand for anything."""
  pattern = ".*".join(re.escape(part) for part in re.split(r"\.\.\.|…", expected))
  return re.fullmatch(pattern, line) is not None
