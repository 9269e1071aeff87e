#!/usr/bin/env bash
# `install.sh DEST BUILD`: an installed program finds its contracts and recordings from anywhere.
set -euo pipefail

destination=$1
rm -rf "$destination"
meson install -C "$2" --no-rebuild --quiet --destdir "$destination"
program=$(find "$destination" -type f -name splitproof -path '*/bin/*')
test -x "$program"

cd /
"$program" list obligations | grep -q '^ANT-05 '
"$program" explain ANT-05 | grep -q '^event: message_start'  # falsifiers are installed too
"$program" run --only 'openai.chat/text-plain' | tail -n 1 | grep -q '^splitproof: CONFORMS  1 recording,'
rm -rf "$destination"
