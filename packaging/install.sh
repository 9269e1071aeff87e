#!/bin/sh
# install.sh [--to FOLDER] BASE: installs splitproof from the folder BASE, a path or an address, which has the archive of a release.
# BASE may also be in SPLITPROOF_BASE. Without --to, root installs into /usr/local, and others into ~/.local. It installs no
# archive with another checksum than the one below. `packaging/archive` writes both lines.
set -eu
archive=
sha256=

fail() { echo "install.sh: $*" >&2; exit 2; }

base=${SPLITPROOF_BASE:-}
to=/usr/local
[ "$(id -u)" = 0 ] || to=${HOME:-}/.local
while [ $# -gt 0 ]; do
  case $1 in
    --to) [ $# -ge 2 ] || fail "--to needs a folder"; to=$2; shift ;;
    -*) fail "there is no option $1; usage: install.sh [--to FOLDER] BASE" ;;
    *) base=$1 ;;
  esac
  shift
done
[ -n "$sha256" ] || fail "this is only the template; the install.sh of a release has a checksum"
[ -n "$base" ] || fail "name the folder or the address that has $archive: install.sh BASE"
system=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
case $archive in *-"$system".tar.gz) ;; *) fail "$archive is not for this machine, which is $system" ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
case $base in
  http://* | https://*)
    if command -v curl > /dev/null; then
      curl --fail --silent --show-error --location --retry 3 --output "$work/archive" "$base/$archive"
    elif command -v wget > /dev/null; then
      wget -q -O "$work/archive" "$base/$archive"
    else
      fail "install curl or wget, or download $archive and give its folder"
    fi || fail "$base/$archive could not be fetched"
    ;;
  *) cp "$base/$archive" "$work/archive" || fail "$base has no $archive" ;;
esac
found=$(sha256sum < "$work/archive")
[ "${found%% *}" = "$sha256" ] ||
  fail "$base/$archive has the SHA-256 ${found%% *}, but this install.sh is for $sha256; nothing was installed"

tar -xzf "$work/archive" -C "$work"
mkdir -p "$to/bin" "$to/share/man/man1"
# A program that runs cannot be written, but it can be replaced.
for file in bin/splitproof bin/splitproof-self-test man/man1/splitproof.1.gz; do
  place=$to/$file
  [ "${file%%/*}" = bin ] || place=$to/share/$file
  cp "$work"/splitproof-*/"$file" "$place.new"
  mv "$place.new" "$place"
done
echo "$("$to/bin/splitproof" --version) is installed in $to/bin"
case :$PATH: in *:"$to/bin":*) ;; *) echo "Add it to the PATH: export PATH=$to/bin:\$PATH" ;; esac
