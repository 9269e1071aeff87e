#!/usr/bin/env python3
"""Writes the members in which upstreams count tokens as C++: a function of proxy/dialect/usage_member.hpp.

usage: usage_members.py USAGE.yaml OUT.cpp

Of the file the list `rows` is read, one `- {key: value, ...}` a line. What is unclear is left out."""
import sys

COUNTS = {"prompt", "uncached", "cached", "written", "completion", "reasoning", "total"}


def main():
    source, target = sys.argv[1:]
    rows = []
    in_rows = False
    with open(source, encoding="utf8") as lines:
        for number, line in enumerate(lines, 1):
            if line[0].isalpha():
                in_rows = line.startswith("rows:")
            if not in_rows or not line.startswith("  - {"):
                continue
            row = dict(part.split(": ", 1) for part in line.strip()[3:-1].split(", ") if ": " in part)
            path = row.get("member", "").split("/")[1:]
            counts = row.get("counts")
            if "dialect" not in row or len(path) not in (1, 2) or counts not in COUNTS | {"unclear"}:
                raise SystemExit(f"{source}:{number}: this is no row of a member of usage, /NAME or /OBJECT/NAME")
            if counts != "unclear":
                rows.append(f'      {{"{row["dialect"]}", "{path[0] if len(path) == 2 else ""}", "{path[-1]}", '
                            f"Counts::{counts}}},\n")
    with open(target, "w", encoding="utf8") as out:
        out.write('#include "proxy/dialect/usage_member.hpp"\n\nnamespace splitproof::proxy::dialect {\n\n'
                  "std::span<const UsageMember> usage_members() {\n  using Counts = UsageMember::Counts;\n"
                  "  static constexpr UsageMember kMembers[] = {\n" + "".join(rows) +
                  "  };\n  return kMembers;\n}\n\n}  // namespace splitproof::proxy::dialect\n")


main()
