#!/usr/bin/env bash
# Judges a proxy with splitproof in continuous integration. Two jobs, to be called from the root of the proxy's project:
#
#   validate.sh build             fetches splitproof if it is missing, and builds it
#   validate.sh run [OPTION...]   runs `splitproof run OPTION...`, leaves reports, ends with its exit code
#
# Variables with their defaults:
#
#   SPLITPROOF_SOURCE              the repository for `git clone`; has no default
#   SPLITPROOF_REF=main            its branch or tag
#   SPLITPROOF_FOLDER=.splitproof  the build folder, which a job may keep between runs
#   SPLITPROOF_PROGRAM=.splitproof/build/splitproof   the program, such as an installed one
#   SPLITPROOF_REPORTS=splitproof-reports
#   SPLITPROOF_EXPECT=splitproof/known.txt   known failures; a run without the file expects none
set -euo pipefail

folder=${SPLITPROOF_FOLDER:-.splitproof}
program=${SPLITPROOF_PROGRAM:-$folder/build/splitproof}
reports=${SPLITPROOF_REPORTS:-splitproof-reports}
expect=${SPLITPROOF_EXPECT:-splitproof/known.txt}

build() {
  if [ ! -e "$folder/Makefile" ]; then
    rm -rf "$folder"
    git clone --quiet --depth 1 --branch "${SPLITPROOF_REF:-main}" \
      "${SPLITPROOF_SOURCE:?says where splitproof is cloned from}" "$folder"
  fi
  make -C "$folder"   # also installs packages, which a kept folder still needs
}

run() {
  mkdir -p "$reports"
  local options=(--report "junit:$reports/junit.xml" --report "jsonl:$reports/report.jsonl"
    --report "md:$reports/scorecard.md" --report "html:$reports/report.html" --report "sarif:$reports/report.sarif")
  if [ -e "$expect" ]; then options+=(--expect "$expect"); fi
  local code=0
  "$program" run "${options[@]}" "$@" | tee "$reports/console.txt" || code=$?
  # GitHub shows this file on the page of the run, up to 1 MiB.
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -e "$reports/scorecard.md" ]; then head -c 1000000 "$reports/scorecard.md" >> "$GITHUB_STEP_SUMMARY"; fi
  # GitHub reads the outputs of the step from this file.
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    # There is no verdict on a proxy that was not tested.
    if [ "$code" -le 1 ]; then
      sed -nE '$s/^splitproof: ([A-Z]+) .* ([0-9]+) findings?\b.*/verdict=\1\nfindings=\2/p' "$reports/console.txt"
      echo "causes=$(grep -c '^{"cause":' "$reports/report.jsonl" || true)"
    fi
    printf '%s\n' "exit-code=$code" "jsonl=$reports/report.jsonl" "junit=$reports/junit.xml" \
      "scorecard=$reports/scorecard.md" "html=$reports/report.html" "sarif=$reports/report.sarif"
  fi >> "${GITHUB_OUTPUT:-/dev/null}"
  case $code in
    0) ;;
    1) echo "validate.sh: results that were not expected; $reports/scorecard.md has the evidence" >&2 ;;
    4) echo "validate.sh: the proxy did not start, or called its upstream in no case: nothing was tested" >&2 ;;
    *) echo "validate.sh: splitproof ended with exit code $code" >&2 ;;
  esac
  return "$code"
}

case ${1:-} in
  build) build ;;
  run) run "${@:2}" ;;
  *)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
