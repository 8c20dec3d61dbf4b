# From the flattened `end` object of a run with --stats: milliseconds from the program's start to the
# first frame at the encoder that are kfrec's own, which leaves out the driver's and the demuxer's
# opening. Nothing where the object does not tell.
BEGIN { FS = "\t" }
$1 !~ /^stats\./ || $2 + 0 != $2 { next }
{
  milliseconds = $1 ~ /(Ms|[mM]illiseconds)$/ ? $2 : $2 * 1000
  path = tolower($1)
}
path !~ /start|first/ { next }
path ~ /own/ { own = milliseconds; hasOwn = 1; next }
path ~ /instance|createdevice|open/ { others += milliseconds; next }
path ~ /first|total/ { first = milliseconds; hasFirst = 1 }
END {
  if (hasOwn) print own
  else if (hasFirst) print first - others
}
