#!/usr/bin/env python3
"""Writes the rows of contracts/vocabulary/usage.yaml as C++: those of harness/dialect/usage_counts.hpp.

usage: usage_counts.py USAGE.yaml OUT.cpp

A row is one line, `- {dialect: D, member: /M, counts: C, provider: P, source: "S"}`. Whatever else stands under `rows:` is an
error with its line."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import vocabulary  # noqa: E402

KINDS = ("prompt", "uncached", "cached", "written", "unclear", "completion", "reasoning", "total")
ROW = re.compile(r'  - \{dialect: ([\w.]+), member: ((?:/\w+)+), counts: (\w+), provider: [^{}"]+, source: "[^"]+"\}')


def main():
    path, out = sys.argv[1:]
    rows = []
    for number, row in vocabulary.rows(path, ROW, "a member of usage"):
        if row[3] not in KINDS:
            sys.exit(f"{path}:{number}: a member cannot count '{row[3]}'; there are {', '.join(KINDS)}")
        rows.append(f'    {{"{row[1]}", "{row[2]}", Counted::{row[3]}}},\n')
    with open(out, "w", encoding="utf8") as made:
        made.write('#include "harness/dialect/usage_counts.hpp"\n\nnamespace splitproof::dialect {\n\n'
                   "namespace {\nconstexpr UsageMember kMembers[] = {\n" + "".join(rows) +
                   "};\n}  // namespace\n\nstd::span<const UsageMember> usage_members() { return kMembers; }\n\n"
                   "}  // namespace splitproof::dialect\n")


main()
