#!/usr/bin/env python3
"""Writes the rows of contracts/vocabulary/finish.yaml as C++: those of harness/observe/finish_words.hpp.

usage: finish_words.py FINISH.yaml OUT.cpp

A row is one line, `- {dialect: D, word: W, means: M, provider: P, source: "S"}`. Whatever else stands under `rows:` is an
error with its line."""
import re
import sys

KINDS = {"stop": "stop", "calls": "calls", "length": "length", "filtered": "filter", "refused": "filter",
         "paused": "paused", "failed": "breakdown"}
ROW = re.compile(r'  - \{dialect: ([\w.]+), word: ("[^"]+"|[\w.]+), means: (\w+), provider: [^{}"]+, source: "[^"]+"\}')


def main():
    path, out = sys.argv[1:]
    section, rows, seen = "", [], set()
    for number, line in enumerate(open(path, encoding="utf8").read().splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if re.fullmatch(r"\w+:", line):
            section = line[:-1]
            continue
        if section != "rows":
            continue
        row = ROW.fullmatch(line)
        if not row or row[3] not in KINDS:
            sys.exit(f"{path}:{number}: no row of a finish word; write {ROW.pattern}")
        word = row[2].strip('"').lower()
        if (row[1], word) in seen:
            sys.exit(f"{path}:{number}: {word} stands twice")
        seen.add((row[1], word))
        rows.append(f'    {{"{row[1]}", "{word}", FinishKind::{KINDS[row[3]]}}},\n')
    with open(out, "w", encoding="utf8") as made:
        made.write('#include "harness/observe/finish_words.hpp"\n\nnamespace splitproof::observe {\n\n'
                   "namespace {\nconstexpr FinishWord kWords[] = {\n" + "".join(rows) +
                   "};\n}  // namespace\n\nstd::span<const FinishWord> finish_words() { return kWords; }\n\n"
                   "}  // namespace splitproof::observe\n")


main()
