# What the scripts of this folder share.

# The project's root, and the times that packages give their files: that of the last commit.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
: "${SOURCE_DATE_EPOCH:=$(git -C "$project" log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# pack FOLDER NAME...: writes a tar of what is below a folder to standard output: the same bytes for the same files.
pack() {
  tar -C "$1" --sort=name --format=posix --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime \
    --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s -cf - "${@:2}"
}

# strip_program FILE: takes away its symbols, half of it, and overwrites what differs from build to build: a hash of the
# compiler's module files, of which nothing at run time knows, and the build ID, which is made of that: it becomes one of the
# rest. In place, as binutils 2.40 loses the segment that makes tables read-only (GNU_RELRO) with a section that it takes
# away.
strip_program() {
  strip "$1"
  overwrite "$1" .swift_modhash 0 /dev/zero
  overwrite "$1" .note.gnu.build-id 16 /dev/zero
  overwrite "$1" .note.gnu.build-id 16 <(printf '%b' "$(sha256sum <"$1" | sed 's/ .*//; s/../\\x&/g')")
  readelf -lW "$1" | grep GNU_RELRO >/dev/null || { echo "error: $1 has no GNU_RELRO" >&2; exit 1; }
}

# overwrite FILE SECTION SKIP BYTES: overwrites a section behind its first bytes.
overwrite() {
  local size place
  read -r size place < <(objdump -h "$1" | awk -v name="$2" '$2 == name { print $3, $6 }')
  dd if="$4" of="$1" bs=1 count=$((16#$size - $3)) seek=$((16#$place + $3)) conv=notrunc iflag=fullblock status=none
}
