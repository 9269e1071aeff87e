#!/usr/bin/env bash
# Builds every fuzz target into $OUT, with its seeds, words, libraries and contracts next to it, so that $OUT runs on a
# system without the source and its packages. The caller sets CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE.
# Otherwise it uses clang, libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${OUT:?is the folder for the targets}"
mkdir -p "$OUT"
work=$(mktemp -d "${WORK:-/tmp}/splitproof-XXXXXX")
trap 'rm -rf "$work"' EXIT

export CC=${CC:-clang} CXX=${CXX:-clang++}
sanitized="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fsanitize=fuzzer-no-link"
export CFLAGS=${CFLAGS:-$sanitized}
CXXFLAGS=${CXXFLAGS:-$sanitized}
# The system's C++ libraries are not built with libc++.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
# The system's shared libraries and their dependencies are next to the target too.
export LDFLAGS="${LDFLAGS:-} -Wl,--disable-new-dtags -Wl,-rpath,\$ORIGIN/lib"

meson setup "$work/build" "$source" -Dfuzz=true -Dfuzzing_engine="${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}" \
  -Dbuildtype=plain -Dtests=foreign -Db_lundef=false -Db_pch=false -Db_staticpic=false --unity on --unity-size 10
ninja -C "$work/build" ${NINJAFLAGS:-} fuzz-targets fuzz/splitproof-fuzz

"$source/fuzz/seeds.py" "$work/seeds"
rm -rf "$OUT/contracts"
cp -r "$source/contracts" "$OUT/contracts"
mkdir -p "$OUT/lib"
for built in "$work/build/fuzz"/fuzz_* "$work/build/fuzz/splitproof-fuzz"; do
  [ -f "$built" ] || continue
  name=$(basename "$built")
  cp "$built" "$OUT/$name"
  # All except the libraries of every system that can run the loader.
  ldd "$built" | sed -n 's#.* => \(/[^ ]*\) .*#\1#p' | grep -vE '/(libc|libm|libdl|librt|libpthread)\.so' | xargs -r cp -Lt "$OUT/lib"
  cp "$source/fuzz/words.dict" "$OUT/$name.dict"
  mkdir -p "$work/seeds/${name#fuzz_}"
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 10\nrss_limit_mb = 2048\n' >"$OUT/$name.options"
  python3 - "$OUT/${name}_seed_corpus.zip" "$work/seeds/${name#fuzz_}" <<'PYTHON'
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as corpus:
    for seed in sorted(pathlib.Path(sys.argv[2]).iterdir()):
        corpus.write(seed, seed.name)
PYTHON
done
