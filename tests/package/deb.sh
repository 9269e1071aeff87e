#!/usr/bin/env bash
# `deb.sh BUILD SOURCE`: installs the Debian package with apt in a root that contains only Debian's essential packages,
# Python and the package's declared dependencies. There it runs the commands of docs/validate-your-proxy.md on a
# translator in Python with a bug.
set -euo pipefail

build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
fail() { echo "deb.sh: $*" >&2; exit 1; }
for tool in unshare apt-get dpkg-shlibdeps; do command -v $tool > /dev/null || { echo "$tool is not installed"; exit 77; }; done

package=$("$source/packaging/deb" "$build" "$work" 2> "$work/err") || fail "$(cat "$work/err")"
[ ! -s "$work/err" ] || fail "it makes a package with warnings: $(cat "$work/err")"
(cd "$work" && sha256sum --check --quiet "$(basename "$package").sha256") || fail "its checksum is not its own"
needs=$(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/,/ /g')
python3 "$(dirname "$0")/clean_root.py" "$root" python3 apt $needs

inside() { # COMMAND...: in the root, with its own processes, mounts and network
  local user=()
  [ "$(id -u)" = 0 ] || user=(--user --map-root-user)
  unshare "${user[@]}" --mount --pid --net --fork --propagation private sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" || exit 77
    PATH=$PATH:/usr/sbin; ip link set lo up 2>/dev/null
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C.UTF-8 "$@"' "$root" "$@" > "$work/out" 2>&1
}
expect() { # CODE COMMAND...
  local code=0
  inside "${@:2}" || code=$?
  [ "$code" != 77 ] || { echo "this system lets nobody make a root of his own: $(cat "$work/out")"; exit 77; }
  [ "$code" = "$1" ] || fail "'${*:2}' ended with $code: $(cat "$work/out")"
}
says() { grep -q -- "$1" "$work/out" || fail "'$1' is not in: $(cat "$work/out")"; }

expect 0 sh -c 'mkdir -p /srv/project/splitproof; ! command -v cc gcc g++ clang make'
cp "$package" "$root/srv/project/"
cp "$source/docs/examples/python.yaml" "$root/srv/project/splitproof/target.yaml"
cp "$source/docs/examples/translate.py" "$root/srv/project/splitproof/"

# The guide's own commands, with fewer cases.
mapfile -t commands < <(sed -n '/^## Three commands/,/^## /{/^```sh/,/^```/{/^```/!p}}' "$source/docs/validate-your-proxy.md")
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
