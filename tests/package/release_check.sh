#!/usr/bin/env bash
# `release_check.sh BUILD SOURCE`: tries the packages of `make package` in BUILD/package as their users do. Needs root, and the
# network for the roots, which it keeps in BUILD/roots. Prints a line for each package, and ends with 77 if one was not tried.
set -euo pipefail

build=$(readlink -f "$1") source=$(readlink -f "$2")
tests=$source/tests/package
packages=$build/package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
. "$tests/in_root.sh"
tried() { echo "ok: $*"; }
skipped=0
skip() { echo "not tried: $*"; skipped=77; }

fresh_root() { # RELEASE PACKAGES: the root is new. Returns 1 if the mirror has none.
  local kept=$build/roots/$1
  if [ ! -e "$kept/complete" ]; then
    rm -rf "$kept"
    mkdir -p "$build/roots"
    debootstrap --variant=minbase ${2:+"--include=$2"} "$1" "$kept" > "$build/roots/$1.log" 2>&1 || return 1
    rm -f "$kept"/var/cache/apt/archives/*.deb
    touch "$kept/complete"
  fi
  rm -rf "$root"
  cp -a "$kept" "$root"
}

# Debian 11 has glibc 2.31. The archive is installed there as by a user without a network.
if fresh_root bullseye libnss-myhostname; then
  cp -r "$packages" "$tests/alone.sh" "$source/docs/examples" "$root/srv/"
  expect 0 /srv/package/install.sh /srv/package
  says '^splitproof .* is installed in /usr/local/bin$'
  expect 0 bash /srv/alone.sh /usr/local/bin/splitproof
  # Libraries of the system for names would abort a static program.
  sed -i 's/^hosts:.*/hosts: mymachines myhostname files dns/' "$root/etc/nsswitch.conf"
  printf 'target: named\nkind: http\nclient: anthropic.messages\nupstream: openai.chat\nlisten: http://127.0.0.1:80\nupstream_listen: name.invalid:81\nrequest: {path: /}\n' > "$root/srv/named.yaml"
  expect 2 splitproof run --target /srv/named.yaml
  says 'named.yaml:6: .*name.invalid'
  printf 'target: own\nclient: anthropic.messages\nupstream: openai.chat\nkind: in-process\nlibrary: own.so\n' > "$root/srv/own.yaml"
  : > "$root/srv/own.so"
  expect 2 splitproof run --target /srv/own.yaml
  says 'own.so: this splitproof is a static program, and loads no libraries; use splitproof of the Debian package'
  tried "the archive and install.sh in Debian $(cat "$root/etc/debian_version")"
else
  skip "the archive in Debian 11: $(tail -n 1 "$build/roots/bullseye.log")"
fi

# The program is the only file. There is no /proc, /dev and /tmp.
rm -rf "$root"
mkdir "$root"
tar -xzf "$packages"/splitproof-*.tar.gz -C "$work"
date=$(stat -c %Y "$work"/splitproof-*/LICENSE)
again=$(SOURCE_DATE_EPOCH=$date "$source/packaging/archive" "$build/packaging" "$work/again")
cmp "$again" "$packages/${again##*/}" || fail "the same programs make another archive"
cp "$work"/splitproof-*/bin/splitproof "$root/"
alone() { # CODE ARGUMENT...
  local code=0
  unshare --mount --pid --net --fork chroot "$root" /splitproof "${@:2}" > "$work/out" 2>&1 < /dev/null || code=$?
  [ "$code" = "$1" ] || fail "'splitproof ${*:2}' ended with $code: $(cat "$work/out")"
}
alone 0 list obligations
says '^ANT-05 '
alone 0 explain ANT-05
sed '1,/^A stream that violates it:$/d' "$work/out" | tail -n +2 > "$work/broken.sse"
cp "$work/broken.sse" "$root/"
alone 1 check /broken.sse
says '^/broken.sse: ANT-05 must: '
alone 0 run --only openai.chat/text-plain
says '^splitproof: CONFORMS  1 recording, '
[ "$(ls "$root" | tr '\n' ' ')" = "broken.sse splitproof " ] || fail "files are left: $(ls "$root")"
tried "the program as the only file"

needs=$(dpkg-deb -f "$packages"/splitproof_*.deb Depends | sed 's/([^)]*)//g; s/ //g')
if fresh_root bookworm "python3,$needs"; then
  "$tests/deb.sh" "$build" "$source" "$root"
  tried "the Debian package in Debian $(cat "$root/etc/debian_version")"
else
  skip "the Debian package: $(tail -n 1 "$build/roots/bookworm.log")"
fi

"$tests/npm.sh" "$build/packaging" "$source"
tried "the npm package with npx, without a network"
python3 "$tests/action_test.py" "$build/packaging/splitproof" "$source" > "$work/out" || fail "$(cat "$work/out")"
tried "the steps of action.yml"
python3 "$source/tests/record/record_test.py" "$build/packaging/splitproof" > "$work/out" || fail "$(grep -A 20 '^not ok' "$work/out")"
tried "recording over TLS"

cd "$work"/splitproof-*/
image() { buildah --root "$work/images" --runroot "$work/running" --storage-driver vfs "$@" > "$work/out" 2>&1; }
image bud --isolation chroot -f Containerfile -t splitproof . || fail "$(cat "$work/out")"
image from --pull-never --name tried splitproof || fail "$(cat "$work/out")"
image run --isolation chroot tried -- /usr/bin/splitproof run --only openai.chat/text-plain || fail "$(cat "$work/out")"
says '^splitproof: CONFORMS  1 recording, '
image run --isolation chroot tried -- /usr/bin/splitproof self-test --only openai.chat/text-plain || fail "$(cat "$work/out")"
tried "the image"
exit "$skipped"
