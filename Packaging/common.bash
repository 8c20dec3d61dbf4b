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

# strip_program FILE: takes away its symbols, half of it, and the two sections that differ from build to build: a hash of the
# compiler's module files, of which nothing at run time knows, and a number made of that.
strip_program() { strip -R .swift_modhash -R .note.gnu.build-id "$1"; }
