#!/usr/bin/env bash
# `alone.sh SPLITPROOF`: a copy of the program in an empty folder works like the program, and needs no shared library
# besides those of the C library. A static program needs none.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build=$(cd "$(dirname "$1")" && pwd)
cp "$1" "$folder/"
cd "$folder"
splitproof() { env -i ./splitproof "$@"; }

expect() { # CODE PATTERN COMMAND...
  local code=0
  "${@:3}" > out 2>&1 || code=$?
  [ "$code" = "$1" ] && grep -q "$2" out || { echo "'${*:3}' ended with $code: $(cat out)"; exit 1; }
}

expect 0 '^ANT-05 ' splitproof list obligations
expect 0 '^openai.chat/text-plain ' splitproof list recordings
expect 0 '^nginx ' splitproof list targets
expect 0 '^claude-code ' splitproof list profiles
expect 0 '^claude-code ' splitproof list clients
expect 0 '^ollama.chat ' splitproof list losses
expect 0 '^What clients do with it' splitproof explain ANT-05
sed '1,/^A stream that violates it:$/d' out | tail -n +2 > broken.sse
expect 1 '^broken.sse: ANT-05 must: ' splitproof check broken.sse
expect 1 'ANT-05' splitproof check --profile claude-code broken.sse
expect 0 '' splitproof import sse broken.sse --protocol anthropic.messages --out imported
test -s imported/broken.rec.jsonl
expect 0 '^splitproof: CONFORMS  1 recording, ' splitproof run --only openai.chat/text-plain
expect 0 '^splitproof: CONFORMS  1 recording, ' splitproof replay openai.chat/text-plain
# The self-test is a separate program next to it.
expect 2 'the program of the self-test is missing' splitproof self-test --only openai.chat/text-plain
cp "$build/splitproof-self-test" "$folder/"
expect 0 '' splitproof self-test --only openai.chat/text-plain

# Another folder replaces the built-in data.
expect 2 'SPLITPROOF_DATA names a folder that has no contracts' env SPLITPROOF_DATA="$folder" ./splitproof list obligations
mkdir -p contracts/profiles corpus
echo 'profile: default' > contracts/profiles/default.yaml
echo '{contract: sse, version: 1, obligations: [{id: OWN-01, level: must, says: S., why: W., never: any-event}]}' \
  > contracts/own.yaml
expect 0 '^OWN-01 ' env SPLITPROOF_DATA="$folder" ./splitproof list obligations

ldd ./splitproof > libraries
foreign=$(grep -vE '^\s*(statically|linux-vdso|libc|libm|/lib[^ ]*/ld-linux[^ ]*)[. ]' libraries || true)
# A program with sanitizers needs their libraries.
[ -z "$foreign" ] || grep -q 'san\.so' libraries || { echo "it needs more than the C library: $foreign"; exit 1; }
