# JSON in, one object or array a line or spread over many; out, for every plain value,
# `path<tab>value`, such as `stats.stages[0].name	encode`. Strings keep their escapes.

function skip() { sub(/^[ \t\r\n]+/, "", rest) }

function string_token(   text) {
  if (!match(rest, /^"([^"\\]|\\.)*"/)) { rest = ""; return "" }
  text = substr(rest, 2, RLENGTH - 2)
  rest = substr(rest, RLENGTH + 1)
  return text
}

function value(path,   key, index_, text) {
  skip()
  if (rest ~ /^\{/) {
    rest = substr(rest, 2); skip()
    while (rest != "" && rest !~ /^\}/) {
      key = string_token(); skip()
      rest = substr(rest, 2) # the colon
      value(path == "" ? key : path "." key); skip()
      if (rest ~ /^,/) { rest = substr(rest, 2); skip() }
    }
    rest = substr(rest, 2)
  } else if (rest ~ /^\[/) {
    rest = substr(rest, 2); skip(); index_ = 0
    while (rest != "" && rest !~ /^\]/) {
      value(path "[" index_++ "]"); skip()
      if (rest ~ /^,/) { rest = substr(rest, 2); skip() }
    }
    rest = substr(rest, 2)
  } else if (rest ~ /^"/) {
    text = string_token()
    print path "\t" text
  } else if (match(rest, /^[-+.0-9a-zA-Z]+/)) {
    text = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    print path "\t" text
  } else {
    rest = ""
  }
}

{ all = all $0 "\n" }
END { rest = all; skip(); while (rest != "") { value(""); skip() } }
