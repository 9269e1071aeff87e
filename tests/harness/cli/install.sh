#!/usr/bin/env bash
# `install.sh DEST BUILD`: an installed program has its contracts and recordings with it, from any folder. So does a
# copy of it in an empty folder.
set -euo pipefail

destination=$1
rm -rf "$destination"
meson install -C "$2" --no-rebuild --quiet --destdir "$destination"
program=$(find "$destination" -type f -name splitproof -path '*/bin/*')
test -x "$program"

cd /
"$program" list obligations | grep '^ANT-05 ' > /dev/null
"$program" explain ANT-05 | grep '^event: message_start' > /dev/null  # falsifiers are installed too
"$program" list mutants | grep '^start-per-name ' > /dev/null
"$program" run --only 'openai.chat/text-plain' | tail -n 1 | grep '^splitproof: CONFORMS  1 recording,' > /dev/null
rm -rf "$destination"
