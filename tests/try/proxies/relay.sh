#!/bin/sh
# Passes Chat Completions on to OPENAI_BASE_URL, from a program in the background.
here=$(dirname "$0")
node "$here/relay.js" &
wait
