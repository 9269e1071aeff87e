#!/bin/sh
# Runs a campaign as N processes of GNU parallel, and merges their reports.
#
#   parallel.sh N FOLDER [OPTION-OF-RUN...]
#
# Run it again to continue: shards that ended do not start again, and a shard that was killed continues.
# The exit code is that of `splitproof merge`.
set -u
shards=${1:?the number of shards} folder=${2:?a folder for the reports}
shift 2
mkdir -p "$folder"

# A shard with findings ended, too: exit code 1.
shard() {
  number=$1 shards=$2 folder=$3
  shift 3
  splitproof run --shard "$number/$shards" --jobs 1 --resume --report "jsonl:$folder/$number.jsonl" "$@" \
    >"$folder/$number.log" 2>&1
  code=$?
  [ "$code" -le 1 ] || { tail -n 3 "$folder/$number.log" >&2; exit "$code"; }
}
if [ "${SPLITPROOF_RECIPE_SHARD:-}" ]; then
  shard "$SPLITPROOF_RECIPE_SHARD" "$shards" "$folder" "$@"
  exit
fi

log=$folder/joblog
resume=
[ -e "$log" ] && resume=--resume-failed
seq "$shards" | parallel --joblog "$log" $resume --jobs "${JOBS:-100%}" \
  -q env SPLITPROOF_RECIPE_SHARD={} sh "$0" "$shards" "$folder" "$@"
splitproof merge "$folder" --report "html:$folder/report.html"
