#!/usr/bin/env python3
"""Checks every #include "..." of proxy/, harness/ and fuzz/ against the table below.

usage: arrows.py ROOT
"""
import fnmatch
import os
import pathlib
import re
import sys

HARNESS_ROOT = "harness"  # files in no room: harness/result.hpp, harness/utf8.hpp, ...

# Folders and files that the sources of a folder, or one file, may include besides their own folder. Subfolders are not
# included. A file's own row counts before its folder's. A row names only rows above it, so that the arrows have no
# cycle.
ARROWS = {
    "proxy/limits.hpp": [],
    "proxy/wire": [],
    "proxy/turn": ["proxy/limits.hpp", "proxy/wire/json.hpp", "proxy/wire/surrogates.hpp"],
    "proxy/text": ["proxy/wire", "proxy/turn"],
    "proxy/request": ["proxy/limits.hpp", "proxy/wire"],
    "proxy/names": ["proxy/wire", "proxy/turn", "proxy/request"],
    "proxy/dialect": [],
    "proxy/dialect/openai_error.hpp": ["proxy/turn", "proxy/request", "proxy/dialect"],
    "proxy/dialect/ruling.hpp": ["proxy/turn"],
    "proxy/dialect/openai_error.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/finish_word.hpp": ["proxy/turn"],
    "proxy/dialect/finish_word.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/model_list.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/usage_member.hpp": ["proxy/turn", "proxy/wire"],
    "proxy/dialect/usage_member.cpp": ["proxy/dialect"],
    "proxy/dialect/told_item.hpp": [],
    "proxy/dialect/said.hpp": ["proxy/wire"],
    "proxy/dialect/said.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/aws_failure.hpp": ["proxy/turn", "proxy/wire"],
    "proxy/dialect/aws_failure.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/aws_frame.hpp": ["proxy/limits.hpp", "proxy/turn", "proxy/wire"],
    "proxy/dialect/aws_frame.cpp": ["proxy/dialect"],
    "proxy/dialect/asked_thinking.hpp": ["proxy/request", "proxy/dialect"],
    "proxy/dialect/asked_thinking.cpp": ["proxy/request", "proxy/dialect"],
    "proxy/dialect/openai_failure.hpp": ["proxy/turn", "proxy/wire"],
    "proxy/dialect/openai_failure.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/reported.hpp": ["proxy/limits.hpp", "proxy/wire"],
    "proxy/dialect/reported.cpp": ["proxy/wire", "proxy/dialect"],
    "proxy/dialect/stream_frame.hpp": ["proxy/limits.hpp", "proxy/wire"],
    "proxy/dialect/stream_frame.cpp": ["proxy/dialect"],
    "proxy/dialect/*": ["proxy/limits.hpp", "proxy/wire", "proxy/turn", "proxy/request", "proxy/names",
                        "proxy/dialect"],
    "proxy/dialect/table.hpp": ["proxy/limits.hpp", "proxy/wire", "proxy/turn", "proxy/request", "proxy/names",
                                "proxy/dialect/*"],
    "proxy/dialect/table.cpp": ["proxy/dialect/*"],
    "proxy/relay": ["proxy/wire", "proxy/turn", "proxy/dialect"],
    "proxy": ["proxy/wire", "proxy/turn", "proxy/text", "proxy/request", "proxy/names", "proxy/dialect", "proxy/relay"],
    "proxy/server": ["proxy", "proxy/wire", "proxy/turn", "proxy/request", "proxy/names", "proxy/dialect", "proxy/relay"],

    HARNESS_ROOT: [],
    "harness/recording": [HARNESS_ROOT],
    "harness/shard": [HARNESS_ROOT],
    "harness/split": [HARNESS_ROOT, "harness/recording"],
    "harness/observe": [HARNESS_ROOT, "harness/recording"],
    "harness/dialect": [HARNESS_ROOT, "harness/recording", "harness/split", "harness/observe"],
    "harness/dialect/*": [HARNESS_ROOT, "harness/recording", "harness/split", "harness/observe", "harness/dialect"],
    "harness/dialect/registry.cpp": ["harness/dialect", "harness/dialect/*"],
    "harness/dialect/self_test_registry.cpp": ["harness/dialect", "harness/dialect/*"],
    "harness/contract": [HARNESS_ROOT, "harness/observe"],
    "harness/results": [HARNESS_ROOT, "harness/recording", "harness/split", "harness/observe", "harness/contract"],
    "harness/testee": [HARNESS_ROOT, "harness/recording", "harness/observe", "harness/dialect", "harness/contract"],
    "harness/testee/reference_options.hpp": [HARNESS_ROOT, "harness/contract", "harness/testee", "proxy"],
    "harness/testee/reference_options.cpp": [HARNESS_ROOT, "harness/testee", "proxy"],
    "harness/testee/in_process.cpp": [HARNESS_ROOT, "harness/recording", "harness/testee", "proxy"],
    "harness/testee/reference_stream.hpp": [HARNESS_ROOT, "harness/testee", "proxy"],
    "harness/testee/reference_stream.cpp": [HARNESS_ROOT, "harness/recording", "harness/testee", "proxy", "proxy/wire"],
    "harness/coverage": [HARNESS_ROOT, "harness/testee"],
    "harness/import": [HARNESS_ROOT, "harness/recording", "harness/observe", "harness/contract", "harness/testee"],
    "harness/wiring": [HARNESS_ROOT, "harness/observe", "harness/dialect", "harness/testee"],
    "harness/evidence": [HARNESS_ROOT, "harness/recording", "harness/observe", "harness/dialect", "harness/testee"],
    "harness/mutants": [HARNESS_ROOT, "harness/testee", "proxy/wire"],
    "harness/prove": [HARNESS_ROOT, "harness/recording", "harness/split", "harness/testee"],
    "harness/campaign": [HARNESS_ROOT, "harness/shard", "harness/results", "harness/recording", "harness/split", "harness/observe", "harness/dialect",
                         "harness/contract", "harness/testee", "harness/evidence"],
    "harness/hunt": [HARNESS_ROOT, "harness/results", "harness/recording", "harness/split", "harness/observe", "harness/dialect",
                     "harness/contract", "harness/testee", "harness/campaign", "harness/coverage"],
    "harness/shrink": [HARNESS_ROOT, "harness/results", "harness/recording", "harness/split", "harness/observe", "harness/dialect",
                       "harness/contract", "harness/testee", "harness/campaign"],
    "harness/cause": [HARNESS_ROOT, "harness/results", "harness/recording", "harness/split", "harness/contract", "harness/campaign"],
    "harness/record": [HARNESS_ROOT, "harness/recording", "harness/split", "harness/observe", "harness/dialect", "harness/contract",
                       "harness/testee"],
    "harness/report": [HARNESS_ROOT, "harness/results", "harness/observe", "harness/contract", "harness/testee", "harness/campaign",
                       "harness/cause"],
    "harness/selftest": [HARNESS_ROOT, "harness/observe", "harness/dialect", "harness/contract",
                         "harness/selftest/kinds"],
    "harness/selftest/kinds": [HARNESS_ROOT, "harness/observe", "harness/dialect", "harness/selftest"],
    "harness/falsify": [HARNESS_ROOT, "harness/recording", "harness/observe", "harness/dialect", "harness/contract",
                        "harness/evidence", "harness/campaign"],
    "harness/ui": [HARNESS_ROOT, "harness/results", "harness/testee", "harness/report"],
    "harness/cli": [HARNESS_ROOT, "harness/shard", "harness/results", "harness/recording", "harness/split", "harness/observe", "harness/dialect",
                    "harness/contract", "harness/testee", "harness/coverage", "harness/import", "harness/wiring", "harness/evidence",
                    "harness/prove", "harness/campaign", "harness/hunt", "harness/shrink", "harness/cause", "harness/record", "harness/report",
                    "harness/selftest", "harness/falsify", "harness/ui"],

    "fuzz": ["proxy", "proxy/wire", "proxy/text", "proxy/server", HARNESS_ROOT, "harness/recording", "harness/split", "harness/observe",
             "harness/dialect", "harness/contract", "harness/results", "harness/testee", "harness/import", "harness/evidence",
             "harness/campaign"],
}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]*)"')
SOURCES = (".cpp", ".hpp", ".c", ".h")


def covers(row, path):
    """True if `row` is this file or its folder."""
    return row == path or fnmatch.fnmatchcase(os.path.dirname(path), row) and row.count("/") == path.count("/") - 1


def row_of(path):
    return min((row for row in ARROWS if covers(row, path)), key=lambda row: row != path, default=None)


def main(root):
    wrong, includes = [], 0
    rooms = list(dict.fromkeys("/".join(row.split("/")[:2]) for row in ARROWS))
    for row, allowed in ARROWS.items():
        for to in allowed:
            if rooms.index("/".join(to.split("/")[:2])) > rooms.index("/".join(row.split("/")[:2])):
                wrong.append(f"the table: {row} names {to}, which stands below it")
    for source in sorted(p for folder in ("proxy", "harness", "fuzz") for p in (root / folder).rglob("*")):
        if source.suffix not in SOURCES:
            continue
        path = source.relative_to(root).as_posix()
        row = row_of(path)
        allowed = ARROWS.get(row, [])
        for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            includes += 1
            to = include[1]
            own = row is not None and os.path.dirname(to) == os.path.dirname(path)
            if not own and not any(covers(other, to) for other in allowed):
                wrong.append(f"{path}:{number}: {row or 'a folder without a row'} -> {to}; it may include "
                             + (", ".join(allowed) or "nothing but its own folder"))
    if not includes:
        wrong.append(f"{root}: there is not one #include")
    for line in wrong:
        print(line)
    if wrong:
        print("The arrows stand at the head of tests/docs/arrows.py, and what they are for in docs/architecture.md.")
    print(f"{includes} includes, {len(wrong)} against the arrows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
