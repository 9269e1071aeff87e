#!/usr/bin/env python3
"""Writes the rows of contracts/vocabulary/finish.yaml as C++: those of harness/observe/finish_words.hpp.

usage: finish_words.py FINISH.yaml OUT.cpp

A row is one line, `- {dialect: D, word: W, means: M, provider: P, source: "S"}`. Whatever else stands under `rows:` is an
error with its line."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import vocabulary  # noqa: E402

KINDS = {"stop": "stop", "calls": "calls", "length": "length", "filtered": "filter", "refused": "filter",
         "paused": "paused", "failed": "breakdown"}
ROW = re.compile(r'  - \{dialect: ([\w.]+), word: ("[^"]+"|[\w.]+), means: (\w+), provider: [^{}"]+, source: "[^"]+"\}')


def word_of(row):
    return row[2].strip('"').lower()


def main():
    path, out = sys.argv[1:]
    rows = []
    for number, row in vocabulary.rows(path, ROW, "a finish word", word_of):
        if row[3] not in KINDS:
            sys.exit(f"{path}:{number}: a word cannot mean '{row[3]}'; there are {', '.join(KINDS)}")
        rows.append(f'    {{"{row[1]}", "{word_of(row)}", FinishKind::{KINDS[row[3]]}}},\n')
    with open(out, "w", encoding="utf8") as made:
        made.write('#include "harness/observe/finish_words.hpp"\n\nnamespace splitproof::observe {\n\n'
                   "namespace {\nconstexpr FinishWord kWords[] = {\n" + "".join(rows) +
                   "};\n}  // namespace\n\nstd::span<const FinishWord> finish_words() { return kWords; }\n\n"
                   "}  // namespace splitproof::observe\n")


main()
