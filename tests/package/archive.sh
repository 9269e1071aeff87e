#!/usr/bin/env bash
# `archive.sh BUILD SOURCE`: makes the archive of the programs in BUILD, and installs it with its install.sh: from a folder and
# from a server, with curl and with wget. A wrong archive or a missing one is not installed, and the last good one stays.
set -euo pipefail

build=$(readlink -f "$1") source=$(readlink -f "$2")
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
fail() { echo "archive.sh: $*" >&2; exit 1; }

archive=$("$source/packaging/archive" "$build" "$work/release")
name=$(basename "$archive")
cd "$work"
(cd release && sha256sum --check --quiet "$name.sha256")
tar -xzf "$archive"
folder=$(echo splitproof-*/)
for path in $(sed -n 's/^COPY \(.*\) [^ ]*$/\1/p' "$folder/Containerfile"); do
  # Only static programs have licences of others.
  [ "$path" = licenses ] || [ -e "$folder/$path" ] || fail "the Containerfile copies $path, which is not in the archive"
done

expect() { # CODE PATTERN COMMAND...
  local code=0
  env HOME="$work/home" "${@:3}" > out 2>&1 || code=$?
  [ "$code" = "$1" ] && grep -q -- "$2" out || fail "'${*:3}' ended with $code, not $1 and '$2': $(cat out)"
}

version=$("$build/splitproof" --version)
expect 0 "^$version is installed in $work/to/bin$" release/install.sh --to "$work/to" release
grep -q '^Add it to the PATH: ' out || fail "it says nothing about the PATH: $(cat out)"
expect 0 '^splitproof: CONFORMS  1 recording, ' to/bin/splitproof run --only openai.chat/text-plain
expect 0 '' to/bin/splitproof self-test --only openai.chat/text-plain
expect 0 '^\.TH SPLITPROOF 1 ' gunzip -c to/share/man/man1/splitproof.1.gz
expect 0 "^$version is installed in $work/to/bin$" env PATH="$work/to/bin:$PATH" SPLITPROOF_BASE=release release/install.sh --to "$work/to"
[ "$(wc -l < out)" = 1 ] || fail "it is on the PATH, but: $(cat out)"
[ "$(id -u)" = 0 ] || expect 0 "^$version is installed in $work/home/.local/bin$" release/install.sh release

# The server: good, with one byte more, and with half of the archive.
mkdir longer half
cp "$archive" longer/ && printf x >> "longer/$name"
head -c "$(($(stat -c %s "$archive") / 2))" "$archive" > "half/$name"
python3 -u -m http.server --bind 127.0.0.1 0 > listens 2> requests &
server=$!
for _ in $(seq 100); do port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' listens); [ -z "$port" ] || break; sleep 0.05; done
base=http://127.0.0.1:$port
mkdir tools
for tool in id uname tr mktemp rm sha256sum tar gzip mkdir cp mv; do ln -s "$(command -v $tool)" tools/; done
for client in curl wget; do
  command -v $client > /dev/null || { echo "without $client"; continue; }
  rm -f tools/curl tools/wget
  ln -s "$(command -v $client)" tools/
  expect 0 "^$version is installed in " env PATH="$work/tools" /bin/sh release/install.sh --to "$work/with-$client" "$base/release"
  expect 2 "^install.sh: $base/none/$name could not be fetched$" env PATH="$work/tools" /bin/sh release/install.sh --to "$work/none" "$base/none"
done
rm -f tools/curl tools/wget
expect 2 '^install.sh: install curl or wget, or download ' env PATH="$work/tools" /bin/sh release/install.sh --to "$work/none" "$base/release"

sum=$(sha256sum < to/bin/splitproof)
for wrong in "$base/longer" "$base/half" longer half; do
  expect 2 "^install.sh: $wrong/$name has the SHA-256 [0-9a-f]*, but this install.sh is for [0-9a-f]*; nothing was installed$" \
    release/install.sh --to "$work/to" "$wrong"
  expect 2 'nothing was installed' release/install.sh --to "$work/none" "$wrong"
done
expect 2 '^install.sh: nowhere has no ' release/install.sh --to "$work/none" nowhere
expect 2 '^install.sh: name the folder or the address that has ' release/install.sh --to "$work/none"
expect 2 '^install.sh: there is no option --prefix; usage: ' release/install.sh --prefix "$work/none" release
expect 2 '^install.sh: this is only the template' "$source/packaging/install.sh" release
sed 's/^archive=.*/archive=splitproof-1-linux-vax.tar.gz/' release/install.sh > other.sh
expect 2 '^install.sh: splitproof-1-linux-vax.tar.gz is not for this machine, ' sh other.sh --to "$work/none" release
[ ! -e none ] || fail "a refused archive left $(find none)"
[ "$(sha256sum < to/bin/splitproof)" = "$sum" ] || fail "a refused archive was installed"
