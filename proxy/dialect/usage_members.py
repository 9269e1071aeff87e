#!/usr/bin/env python3
"""Writes the members in which upstreams count tokens as C++: a function of proxy/dialect/usage_member.hpp.

usage: usage_members.py USAGE.yaml OUT.cpp

Reads the list `rows` of the file, one `- {key: value, ...}` in each line. Unclear members are left out."""
import sys

import vocabulary

COUNTS = {"prompt", "uncached", "cached", "written", "completion", "reasoning", "total"}


def main():
    source, target = sys.argv[1:]
    rows = []
    for number, line in vocabulary.rows(source):
        try:
            dialect, member, counts = (vocabulary.value_of(line, key) for key in ("dialect", "member", "counts"))
        except IndexError as error:
            raise SystemExit(f"{source}:{number}: this is no row of a member of usage: {error}")
        path = member.split("/")[1:]
        if len(path) not in (1, 2) or counts not in COUNTS | {"unclear"}:
            raise SystemExit(f"{source}:{number}: this is no row of a member of usage, /NAME or /OBJECT/NAME")
        if counts != "unclear":
            rows.append(f'      {{"{dialect}", "{path[0] if len(path) == 2 else ""}", "{path[-1]}", Counts::{counts}}},\n')
    with open(target, "w", encoding="utf8") as out:
        out.write('#include "proxy/dialect/usage_member.hpp"\n\nnamespace splitproof::proxy::dialect {\n\n'
                  "std::span<const UsageMember> usage_members() {\n  using Counts = UsageMember::Counts;\n"
                  "  static constexpr UsageMember kMembers[] = {\n" + "".join(rows) +
                  "  };\n  return kMembers;\n}\n\n}  // namespace splitproof::proxy::dialect\n")


main()
