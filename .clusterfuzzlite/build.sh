#!/usr/bin/env bash
# What is built is the same as for OSS-Fuzz.
exec "${SRC:-/src}/splitproof/fuzz/oss-fuzz/build.sh"
