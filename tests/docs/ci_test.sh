#!/usr/bin/env bash
# `ci_test.sh SPLITPROOF EXAMPLES`: runs the example jobs for continuous integration. A forge's commands of each job
# file run here, in a separate project, with a source of splitproof that builds in no time.
set -euo pipefail

splitproof=$(readlink -f "$1")
examples=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "ci_test.sh: $*" >&2
  exit 1
}

expect_code() { # CODE COMMAND...: runs it, keeps its output in $work/out and err
  local wanted=$1 code=0
  shift
  "$@" > "$work/out" 2> "$work/err" || code=$?
  [ "$code" = "$wanted" ] || fail "'$*' ended with $code, not $wanted: $(cat "$work/out" "$work/err")"
}

command -v git > /dev/null || { echo "git is not installed"; exit 77; }

# A repository whose `make` puts the program under test in the place of a build. It counts its builds, and its checks of
# packages.
mkdir "$work/source"
cat > "$work/source/Makefile" << MAKEFILE
all: packages build/splitproof
packages:
	echo looked >> '$work/packages'
build/splitproof:
	mkdir -p build
	printf '#!/bin/sh\nexec %s "\$\$@"\n' '$splitproof' > build/splitproof
	chmod +x build/splitproof
	echo built >> '$work/builds'
MAKEFILE
git -C "$work/source" init --quiet --initial-branch=main
git -C "$work/source" add Makefile
git -C "$work/source" -c user.name=t -c user.email=t@example.org commit --quiet -m source

# A project with a proxy, replaced by the reference.
mkdir -p "$work/project/splitproof"
cd "$work/project"
cp "$examples/validate.sh" splitproof/
export SPLITPROOF_SOURCE=$work/source SPLITPROOF_REF=main

for job in github.yml gitlab.yml; do
  rm -rf .splitproof splitproof-reports
  commands=$(sed -nE 's/^ *- (run: )?(splitproof\/validate\.sh .*)/\2/p' "$examples/$job")
  [ "$(echo "$commands" | wc -l)" = 2 ] || fail "$job does not call validate.sh twice"
  for name in SPLITPROOF_SOURCE SPLITPROOF_REF; do grep -q "^ *$name: " "$examples/$job" || fail "$job does not set $name"; done
  grep -q "splitproof-reports" "$examples/$job" || fail "$job keeps no reports"
  while read -r command; do
    # The only change: the target, and one recording instead of all.
    command="${command/--target splitproof\/target.yaml/--target reference --only openai.chat/text-plain}"
    expect_code 0 sh -e -c "$command"
  done <<< "$commands"
  grep -q '^splitproof: CONFORMS  1 recording, ' "$work/out" || fail "no verdict: $(cat "$work/out")"
  grep -q '<testsuite name="reference"' splitproof-reports/junit.xml || fail "no JUnit report"
  head -n 1 splitproof-reports/scorecard.md | grep -q '^# Scorecard' || fail "no scorecard"
  tail -n 1 splitproof-reports/report.jsonl | grep -q '"verdict":"CONFORMS"' || fail "no whole JSON report"
done
[ "$(wc -l < "$work/builds")" = 2 ] || fail "built $(wc -l < "$work/builds") times"
expect_code 0 splitproof/validate.sh build
[ "$(wc -l < "$work/builds")" = 2 ] || fail "built again, though it was there"
[ "$(wc -l < "$work/packages")" = 3 ] || fail "a folder that was kept lacks packages"

# A failure counts until it is written down. Then only differences from it count.
mkdir house
cat > house/billing.yaml << 'YAML'
contract: anthropic.messages.downstream
version: 1
events: {tail: {/type: message_delta}}
obligations:
  - {id: HOUSE-01, level: must, says: Input tokens., each: tail, where: {/usage/input_tokens: {type: integer}}}
YAML
run=(splitproof/validate.sh run --target reference --contracts house --only openai.chat/usage-never)
expect_code 1 "${run[@]}"
grep -q 'scorecard.md has the evidence' "$work/err" || fail "does not say where the evidence is"
expect_code 1 "${run[@]}" --write-expect splitproof/known.txt
expect_code 0 "${run[@]}"
GITHUB_STEP_SUMMARY=$work/summary expect_code 0 "${run[@]}"
grep -q 'expected' "$work/summary" || fail "nothing on the page of the run"

# A run that could not start is not a success.
expect_code 2 splitproof/validate.sh run --target no-such-target
expect_code 5 splitproof/validate.sh run --only no-such-recording
expect_code 2 splitproof/validate.sh
grep -q 'SPLITPROOF_SOURCE' "$work/err" || fail "does not say how it is used"
rm -rf .splitproof
expect_code 1 env -u SPLITPROOF_SOURCE splitproof/validate.sh build
echo "2 job files, 12 runs"
