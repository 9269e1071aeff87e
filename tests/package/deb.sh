#!/usr/bin/env bash
# `deb.sh BUILD SOURCE [ROOT]`: installs the Debian package with apt in a root that contains only Debian's essential packages,
# Python and the package's declared dependencies. There it runs the commands of docs/quickstart.md on a translator in Python
# with a bug. With ROOT, the root exists, and the package is that of `make package`.
set -euo pipefail

build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=${3:-$work/root}
. "$(dirname "$0")/in_root.sh"
for tool in unshare apt-get dpkg-shlibdeps; do command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }; done

# The contents are tested, and xz takes a minute.
export DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1
if [ $# = 3 ]; then
  package=$(echo "$build"/package/splitproof_*.deb)
else
  package=$("$source/packaging/deb" "$build" "$work" 2> "$work/err") || fail "$(cat "$work/err")"
  [ ! -s "$work/err" ] || fail "it makes a package with warnings: $(cat "$work/err")"
  needs=$(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/,/ /g')
  python3 "$(dirname "$0")/clean_root.py" "$root" python3 apt $needs
fi
(cd "$(dirname "$package")" && sha256sum --check --quiet "$(basename "$package").sha256") || fail "its checksum is not its own"

expect 0 sh -c 'mkdir -p /srv/project/splitproof; ! command -v cc gcc g++ clang make'
cp "$package" "$root/srv/project/"
cp "$source/docs/examples/python.yaml" "$root/srv/project/splitproof/target.yaml"
cp "$source/docs/examples/translate.py" "$root/srv/project/splitproof/"

# The guide's own commands, with fewer cases.
mapfile -t commands < <(sed -n '/^## Three commands/,/^## /{/^```sh/,/^```/{/^```/!p}}' "$source/docs/quickstart.md")
[ "${#commands[@]}" = 3 ] || fail "the guide has ${#commands[@]} commands, not three"
in_project() { local bare=${1/#sudo /}; echo "cd /srv/project; ${bare/splitproof run /splitproof run --splits 0 --recuts 0 --only 'openai.chat/t*-[pn][le][av]*' }"; }
expect 0 sh -c "$(in_project "${commands[0]}")"
expect 1 sh -c "$(in_project "${commands[1]}")"
test -s "$root/srv/project/splitproof/known.txt" || fail "nothing was written down"
expect 0 sh -c "$(in_project "${commands[2]}")"
says '^splitproof: CONFORMS '

# A version with a bug: it leaves the last block open. The gate names the rule.
sed -i '/def finish/,/yield from self.close/{/yield from self.close/d}' "$root/srv/project/splitproof/translate.py"
expect 1 sh -c "$(in_project "${commands[2]}")"
says '^1\. .*\[ANT-06, must\]$'
says '^splitproof: VIOLATES '

# Everything else in the package.
expect 0 splitproof run --target reference-http --only openai.chat/text-plain
says '^splitproof: CONFORMS  1 recording, '
expect 0 splitproof list mutants
expect 0 sh -c 'splitproof-proxy --version && test -s /usr/share/doc/splitproof/copyright'
for program in splitproof splitproof-proxy; do
  expect 0 gunzip -c "/usr/share/man/man1/$program.1.gz"
  says '^\.SH USAGE'
  if command -v groff > /dev/null; then
    [ -z "$(groff -man -Tutf8 -ww "$work/out" 2>&1 > /dev/null)" ] || fail "the manual page of $program is no good"
  fi
done
expect 0 gunzip -c /usr/share/man/man1/splitproof.1.gz
says '\\-\\-write\\-expect FILE'
