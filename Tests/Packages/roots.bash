# Bare Debian 12 systems, which the tests of packages run in.

mirror=http://deb.debian.org/debian
# base: the folder of a system that has nothing but what every Debian has; made once.
base() {
  if [ ! -e "$work/base.done" ]; then
    rm -rf "$work/base"
    debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/base.log"
    {
      echo "deb $mirror bookworm main"
      echo "deb $mirror bookworm-updates main"
      echo "deb http://deb.debian.org/debian-security bookworm-security main"
    } >"$work/base/etc/apt/sources.list"
    touch "$work/base.done"
  fi
  echo "$work/base"
}

# fresh NAME: makes the folder of a new system, and writes its path.
fresh() {
  rm -rf "${work:?}/$1"
  cp -a "$(base)" "$work/$1"
  cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
  echo "$work/$1"
}

# inside ROOT COMMAND: runs a shell's command as root of a system, with nothing of this machine's environment.
inside() {
  local proxies
  proxies=$(env | grep -iE '^(https?|no)_proxy=' || true)
  # shellcheck disable=SC2086 # words
  unshare --mount --pid --fork --kill-child sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" && mount --rbind /dev "$root/dev" && exec chroot "$root" "$@"' \
    sh "$1" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $proxies sh -c "cd /root && $2"
}

# files ROOT: what lies in a system, but for logs and what apt keeps of its work.
files() {
  (cd "$1" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./root -o -path ./var/log \
    -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -printf '%y %m %p\n') | LC_ALL=C sort
}

step() { began=$(date +%s.%N) what=$1; printf '%s ...\n' "$1"; }
took() { awk -v a="$began" -v b="$(date +%s.%N)" -v w="$what" 'BEGIN { printf "    ok, %.0f s: %s\n", b - a, w }'; }
fail() { echo "FAILED: $*" >&2; exit 1; }
